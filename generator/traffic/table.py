"""A profile as lines of text, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generator.declared.profiles import KINDS, NOTES, WEEK, Arrivals, Lengths, ProfileFile, Service
from generator.text import counted

WIDE: Final = 26
SHORT: Final = (
    "the span is under a week: days and hours that users differ by are missing, and the true peak is likely higher"
)


def lines_of(profile: ProfileFile) -> Iterator[str]:
    """Yield what is known, then what has to be known of it, then what is not known."""
    yield _line("requests", f"{profile.requests}", *_aside(profile))
    for one in profile.sources:
        told = (KINDS[one.kind].en, counted("{n} {n:request|requests}", n=one.requests), f"sha256 {one.sha256[:12]}")
        yield _line("source", *told, _open_quotes(one.open_quotes))
    for side, lengths in (("input tokens", profile.input), ("output tokens", profile.output)):
        if lengths is not None:
            yield _line(side, *_length_parts(lengths))
    if profile.output_share is not None:
        yield _line("share of output", f"{profile.output_share:.3g}")
    if profile.correlation is not None:
        of_logs = f"{profile.correlation_log:.3g} of their logarithms" if profile.correlation_log is not None else ""
        yield _line("input and output", f"correlation {profile.correlation:.3g}", of_logs)
    if profile.input_characters is not None:
        texts = profile.input_characters
        yield _line("characters of prompts", f"p50 {texts.p50:.6g}", f"p95 {texts.p95:.6g}", "which are no tokens")
    if profile.arrivals is not None:
        yield from _arrivals(profile.arrivals)
    if profile.service is not None:
        yield from _service(profile.service, profile.arrivals)
    yield from _fits(profile)
    yield from _remarks(profile)


def _line(name: str, *parts: str) -> str:
    return f"{name:<{WIDE}}{' · '.join(part for part in parts if part)}"


def _aside(profile: ProfileFile) -> tuple[str, ...]:
    told = (
        (profile.unanswered, "without an answer"),
        (profile.bad, "lines could not be read"),
        (profile.left_out, "lines are no requests"),
    )
    return tuple(f"{count} {words}" for count, words in told if count)


def _open_quotes(lines: tuple[int, ...]) -> str:
    """Name the lines that could not be read for their quotes."""
    if len(lines) < 2:  # noqa: PLR2004 - one alone
        return "".join(f"line {line} opens a quote that is not closed" for line in lines)
    return f"lines {', '.join(map(str, lines))} open quotes that are not closed"


def _length_parts(lengths: Lengths) -> tuple[str, ...]:
    names = ("mean", "p5", "p25", "p50", "p75", "p90", "p95", "p99", "max")
    return tuple(f"{name} {getattr(lengths, name):.6g}" for name in names)


def _arrivals(arrivals: Arrivals) -> Iterator[str]:
    yield _line("arrivals", f"{arrivals.rate:.4g} req/s over {arrivals.span_s:.6g} s")
    windows = [arrivals.window] if arrivals.window is not None else []
    others = [one for one in arrivals.windows.values() if one.width_s not in {own.width_s for own in windows}]
    for one in (*windows, *others):
        yield _line(
            f"  windows of {one.width_s:g} s",
            f"peak {one.peak:.4g} req/s",
            f"peak ÷ mean {one.peak_over_mean:.4g}",
            f"index of dispersion {one.dispersion:.4g}",
        )
    if arrivals.gap_mean_s is not None:
        yield _line("  gaps", f"mean {arrivals.gap_mean_s:.4g} s", f"CV {arrivals.gap_cv:.4g}")
    known = [(rate, hour) for hour, rate in enumerate(arrivals.hours) if rate is not None]
    if known:
        (most, busiest), (least, quietest) = max(known), min(known)
        yield _line("  hours of the day", f"{most:.4g} req/s at {busiest}:00", f"{least:.4g} req/s at {quietest}:00")


def _service(service: Service, arrivals: Arrivals | None) -> Iterator[str]:
    yield _line(
        "time of a request", f"mean {service.mean_s:.4g} s", f"p50 {service.p50_s:.4g}", f"p95 {service.p95_s:.4g}"
    )
    if arrivals is not None:
        most = f"{service.in_flight_most} at most" if service.in_flight_most is not None else ""
        yield _line("concurrency", f"{arrivals.rate * service.mean_s:.4g} by Little's law", most)


def _fits(profile: ProfileFile) -> Iterator[str]:
    for side, fit in (("input", profile.input_fit), ("output", profile.output_fit)):
        if fit is not None:
            yield _line(f"{side}, lognormal", f"mu {fit.mu:.4g}", f"sigma {fit.sigma:.4g}", f"KS distance {fit.ks:.3f}")
    gaps = profile.gap_fit
    if gaps is not None:
        gamma = f"gamma of shape {gaps.shape:.4g}: KS distance {gaps.gamma_ks:.3f}"
        yield _line("gaps", f"Poisson: KS distance {gaps.poisson_ks:.3f}", gamma)


def _remarks(profile: ProfileFile) -> Iterator[str]:
    if profile.arrivals is not None and profile.arrivals.span_s < WEEK:
        yield f"note: {SHORT}"
    yield from (f"note: {NOTES[note].en}" for note in profile.notes)
    told = {key: why.en for key in profile.unknown if (why := profile.why_unknown(key)) is not None}
    yield from (f"not known: {key.replace('_', ' ')}, as {why}" for key, why in told.items())
