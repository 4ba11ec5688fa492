"""Requests as columns to the profile of their load: what can be known of it, and why the rest cannot."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np

from generator import SCHEMA, __version__
from generator.declared.profiles import DAY, INSTANT, Arrivals, Note, ProfileFile, Reason
from generator.numeric.spilled import Any1d, pieces
from generator.traffic.arriving import (
    WIDTHS,
    course_of,
    gap_fit,
    gaps_of,
    hours_of,
    in_order,
    service_of,
    step_of,
    variation,
    window_of,
)
from generator.traffic.gathering import Traffic
from generator.traffic.lengths import characters_of, counted, lengths_of, lognormal_fit, related

FEWEST: Final = 3
"""Requests of which a gap has a spread."""

Unknown = dict[str, Reason]
Side = Literal["input", "output"]


def profile_of(traffic: Traffic, window: float) -> ProfileFile:
    """Return the profile of a load.

    Args:
        traffic: at least one request.
        window: the width, in s, of the windows in which burstiness is told.
    """
    unknown: Unknown = {}
    found = {**_lengths(traffic, unknown), **_times(traffic, window, unknown)}
    service = service_of(traffic.at, traffic.duration)
    if service is None:
        unknown["service"] = "no_durations"
    elif service.in_flight_most is None:
        unknown["service.in_flight_most"] = "no_times"
    return ProfileFile(
        schema_=SCHEMA,
        tool=f"rounds {__version__}",
        requests=len(traffic),
        unanswered=sum(int((piece == 0).sum()) for piece in pieces(traffic.output_tokens)),
        bad=sum(one.bad for one in traffic.sources),
        left_out=sum(one.left_out for one in traffic.sources),
        sources=traffic.sources,
        service=service,
        unknown=unknown,
        notes=tuple(sorted(_notes(traffic))),
        **found,  # type: ignore[arg-type] # by the names of its fields
    )


def _lengths(traffic: Traffic, unknown: Unknown) -> dict[str, object]:
    """Return all that is said of lengths."""
    found: dict[str, object] = {}
    columns: dict[Side, Any1d] = {"input": traffic.input_tokens, "output": traffic.output_tokens}
    for side, column in columns.items():
        counts = counted(column)
        found[side] = lengths_of(counts)
        found[f"{side}_fit"] = lognormal_fit(counts)
        if found[side] is None:
            unknown[side] = unknown[f"{side}_fit"] = _why_no_lengths(traffic, side)
        elif found[f"{side}_fit"] is None:
            unknown[f"{side}_fit"] = "no_spread"
    found["input_characters"] = characters_of(counted(traffic.characters))
    share, plain, of_logs = related(traffic.input_tokens, traffic.output_tokens)
    found |= {"output_share": share, "correlation": plain, "correlation_log": of_logs}
    lacking: Reason = next((unknown[side] for side in columns if side in unknown), "no_lengths")
    for key in ("output_share", "correlation", "correlation_log"):
        if found[key] is None:
            unknown[key] = "no_spread" if share is not None else lacking
    return found


def _why_no_lengths(traffic: Traffic, side: Side) -> Reason:
    if side == "input" and len(traffic.characters):
        return "texts_only"
    has_other = side == "output" and (len(traffic.characters) or _is_any(traffic.input_tokens))
    return "no_outputs" if has_other else "no_lengths"


def _is_any(column: Any1d) -> bool:
    return any(bool(np.isfinite(piece).any()) for piece in pieces(column))


def _times(traffic: Traffic, window: float, unknown: Unknown) -> dict[str, object]:
    """Return all that is said of arrivals."""
    times = in_order(traffic.at)
    span = float(times[-1] - times[0]) if len(times) else 0.0
    if not span >= INSTANT:
        unknown["arrivals"] = unknown["gap_fit"] = "one_moment" if len(times) else "no_times"
        return {}
    told = window_of(times, window)
    if told is None:
        unknown["arrivals.window"] = "short_span"
    windows = {name: one for name, width in WIDTHS.items() if (one := window_of(times, width)) is not None}
    unknown |= {f"arrivals.windows.{name}": "short_span" for name in WIDTHS if name not in windows}
    hours = hours_of(times, from_first=traffic.clock == "start") if span >= DAY else ()
    if not hours:
        unknown["arrivals.hours"] = "not_a_day"
    gaps = gaps_of(times)
    average, cv = variation(gaps, step_of(times)) if len(times) >= FEWEST else (span, 0.0)
    fit = gap_fit(gaps, average, cv)
    if fit is None:
        unknown["gap_fit"] = "no_spread"
    arrivals = Arrivals(
        clock=traffic.clock,
        span_s=span,
        rate=len(times) / span,
        window=told,
        windows=windows,
        gap_mean_s=average,
        gap_cv=cv,
        course=course_of(times),
        hours=hours,
    )
    return {"arrivals": arrivals, "gap_fit": fit}


def _notes(traffic: Traffic) -> set[Note]:
    """Return what has to be known of the numbers, as their sources and the numbers themselves tell."""
    found = set(traffic.notes)
    if _is_any(traffic.at):
        if traffic.clock == "start":
            found.add("since_start")
        if all(bool((piece[np.isfinite(piece)] % 1 == 0).all()) for piece in pieces(traffic.at)):
            found.add("whole_seconds")
    if "as_nginx" in found and not _is_any(traffic.duration):
        found.add("ends_not_arrivals")
    return found
