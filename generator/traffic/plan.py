"""A plan for ``rounds collect`` made of a load: its requests replayed, or drawn from distributions fitted to them."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from generator.declared.profiles import Arrivals, ProfileFile
from generator.errors import InputError
from generator.numeric.spilled import PIECE, Any1d, let_go, pieces
from generator.traffic.arriving import in_order
from generator.traffic.gathering import Traffic
from generator.traffic.lengths import counted, lognormal_distance

MOST_REPLAYED: Final = 2_000
"""Requests of a replay: those of the busiest stretch of so many."""
SPEEDS: Final = (0.5, 1.0, 2.0)
"""Multiples of the load's own rate that a replay is run at."""
WIDEST: Final = 2.0
"""Largest spread of lengths that a round may ask for."""
SECONDS: Final = 300.0
"""Seconds that a level of a fitted load takes, within the limits below."""
FEWEST, MOST = 100, 5_000
ABOUT_ONE: Final = 0.1
"""How far the CV of gaps may be from one for arrivals to be planned as Poisson."""
PLAN: Final = "--plan"

HEAD: Final = """\
schema = 1

[round]
title.zh = "真实负载下的引擎"
title.en = "Engines under the load of users"

[model]
name = "…"                       # the model that is served

[workload]
ignore_eos = true                # answers as long as those of the load
"""
TAIL: Final = """
[[series]]
id = "engine-a"
kind = "openai"                  # vllm, llamacpp, sglang, openai (anything else)
endpoint = "http://127.0.0.1:8000"   # or argv: Rounds starts and stops the engine
"""


@dataclass(frozen=True, slots=True)
class Plan:
    """The text of a round.toml, and of the trace beside it where the plan is a replay."""

    text: str
    trace: str | None = None


def plan_of(traffic: Traffic, profile: ProfileFile, trace_name: str, *, fitted: bool) -> Plan:
    """Return a plan: a replay where times and both lengths are known and ``fitted`` is not asked for.

    Args:
        traffic: the requests.
        profile: what is known of them.
        trace_name: the name of the file that the trace is to have, beside the plan.
        fitted: whether to draw lengths and arrivals from distributions.

    Raises:
        InputError: what such a plan needs of the load is not known.
    """
    can_replay = profile.arrivals is not None and profile.input is not None and profile.output is not None
    if can_replay and not fitted:
        return _replay(traffic, trace_name)
    return Plan(_fitted(traffic, profile))


# A replay.


def _replay(traffic: Traffic, trace_name: str) -> Plan:
    rows = _busiest(traffic)
    span = float(rows[-1, 0] - rows[0, 0]) if len(rows) > 1 else 0.0
    if not span > 0:
        raise InputError(PLAN, "", "the load has too few requests with both lengths to be replayed", "add --fitted")
    rate = (len(rows) - 1) / span
    levels = "".join(
        _level(f"x{speed:g}", rate=rate * speed, requests=len(rows), said=f"{speed:g} × the pace of the load")
        for speed in SPEEDS
    )
    workload = (
        f"dataset_file = {_quoted(trace_name)}   # {len(rows)} requests of the busiest stretch: times and lengths\n"
        'arrival = "trace"                # in their own pattern, stretched to the rate of each level\n'
        f"input_tokens = {max(1, round(rows[:, 1].mean()))}\noutput_tokens = {max(1, round(rows[:, 2].mean()))}\n"
    )
    return Plan(HEAD + workload + TAIL + levels, _trace(rows))


def _quoted(name: str) -> str:
    """Return a name as a TOML string: JSON's escapes are TOML's, but for those of signs that need none."""
    return json.dumps(name, ensure_ascii=False)


def _busiest(traffic: Traffic) -> NDArray[np.float64]:
    """Return time, input and output of the requests of the stretch in which so many came the fastest, by time."""
    begin, end = _fastest(in_order(traffic.at))
    found = []
    for at, given, made in zip(*map(pieces, (traffic.at, traffic.input_tokens, traffic.output_tokens)), strict=True):
        inside = (at >= begin) & (at <= end) & (given > 0) & (made > 0)
        found.append(np.column_stack((at[inside], given[inside], made[inside])))
    rows = np.concatenate(found)
    return rows[np.argsort(rows[:, 0], kind="stable")][:MOST_REPLAYED]


def _fastest(times: Any1d) -> tuple[float, float]:
    """Return from when to when the busiest stretch lasts; the whole, where it has no more requests."""
    if len(times) <= MOST_REPLAYED:
        return float(times[0]), float(times[-1])
    best, where = math.inf, 0
    for begin in range(0, len(times) - MOST_REPLAYED + 1, PIECE):
        ends = times[begin + MOST_REPLAYED - 1 : begin + PIECE + MOST_REPLAYED - 1]
        spans = ends - times[begin : begin + len(ends)]
        let_go(times[begin : begin + PIECE])
        if float(spans.min()) < best:
            best, where = float(spans.min()), begin + int(spans.argmin())
    return float(times[where]), float(times[where + MOST_REPLAYED - 1])


def _trace(rows: NDArray[np.float64]) -> str:
    """Return requests as lines of JSON: ms after the first, and lengths in tokens."""
    first = rows[0, 0]
    return "".join(
        json.dumps({"timestamp": round((at - first) * 1e3, 3), "input_length": int(given), "output_length": int(made)})
        + "\n"
        for at, given, made in rows.tolist()
    )


# Distributions.


def _fitted(traffic: Traffic, profile: ProfileFile) -> str:
    given, made = profile.input, profile.output
    if given is None or made is None:
        side = "input" if given is None else "output"
        why = profile.why_unknown(side)
        problem = f"a plan needs the {side} lengths, and they cannot be known: {why.en if why else 'not on record'}"
        raise InputError(PLAN, "", problem, "profile a source with numbers of tokens")
    lines = [HEAD, f"input_tokens = {max(1, round(given.mean))}\noutput_tokens = {max(1, round(made.mean))}\n"]
    lines += [_lengths_fitted(traffic, profile), _arrivals_fitted(profile), TAIL, *_levels_fitted(profile)]
    return "".join(lines)


def _lengths_fitted(traffic: Traffic, profile: ProfileFile) -> str:
    """Return the spread that both lengths share in a plan, and how far that is from each of them."""
    fits = (profile.input_fit, profile.output_fit)
    spreads = [fit.sigma for fit in fits if fit is not None]
    if not spreads:
        return 'lengths = "fixed"                # all lengths of the load are alike\n'
    spread = min(WIDEST, math.sqrt(sum(sigma**2 for sigma in spreads) / len(spreads)))
    told = [f'lengths = "lognormal"\nlength_spread = {spread:.4g}\n']
    for side, fit, lengths, column in (
        ("input", fits[0], profile.input, traffic.input_tokens),
        ("output", fits[1], profile.output, traffic.output_tokens),
    ):
        if fit is not None and lengths is not None:
            mu = math.log(lengths.mean) - spread**2 / 2
            planned = lognormal_distance(counted(column), mu, spread)
            found = f"mu {fit.mu:.4g}, sigma {fit.sigma:.4g}, KS distance {fit.ks:.3f}"
            told.append(f"# {side}: {found}; as planned {planned:.3f}\n")
    return "".join(told)


def _arrivals_fitted(profile: ProfileFile) -> str:
    fit, arrivals = profile.gap_fit, profile.arrivals
    if fit is None or arrivals is None or arrivals.gap_cv is None:
        return ""
    told = f"# gaps: CV {arrivals.gap_cv:.4g}, KS distance {fit.poisson_ks:.3f} (Poisson), {fit.gamma_ks:.3f} (gamma)\n"
    if abs(arrivals.gap_cv - 1) <= ABOUT_ONE:
        return told + 'arrival = "poisson"\n'
    return told + f'arrival = "gamma"\nburstiness = {fit.shape:.4g}\n'


def _levels_fitted(profile: ProfileFile) -> list[str]:
    if profile.arrivals is None:
        return [
            _level(f"c{number}", concurrency=number, requests=max(FEWEST, 10 * number), said="times are not known")
            for number in (1, 4, 16)
        ]
    levels = [
        _level(name, rate=rate, requests=_enough(rate), said=said) for name, rate, said in _rates(profile.arrivals)
    ]
    service = profile.service
    if service is not None:
        number = max(1, round(profile.arrivals.rate * service.mean_s))
        said = "the concurrency of the load by Little's law"
        levels.append(_level(f"c{number}", concurrency=number, requests=max(FEWEST, 10 * number), said=said))
    return levels


def _rates(arrivals: Arrivals) -> list[tuple[str, float, str]]:
    found = [("mean", arrivals.rate, "the mean rate of the load")]
    if arrivals.window is not None:
        said = f"the rate of its fullest window of {arrivals.window.width_s:g} s"
        found.append(("peak", arrivals.window.peak, said))
    return found


def _enough(rate: float) -> int:
    return min(MOST, max(FEWEST, round(rate * SECONDS)))


def _level(name: str, *, requests: int, said: str, rate: float | None = None, concurrency: int | None = None) -> str:
    load = f"rate = {rate:.6g}" if rate is not None else f"concurrency = {concurrency}"
    return f'\n[[level]]\nid = "{name}"\n{load}   # {said}\nrequests = {requests}\ntrials = 2\n'
