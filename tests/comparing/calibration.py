"""How often the methods are wrong, and how often they find what is there: simulated runs, judged as real ones are."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import signal, stats

from generator.comparing import blocks, welch
from generator.comparing.change_points import change_points
from generator.comparing.estimating import Found
from generator.comparing.judging import Judged, judge
from generator.comparing.records import DEFAULT_MARGIN, Estimate, Measured, Verdict
from generator.values import Address

Numbers = NDArray[np.float64]

PAIRS: Final = 1000
MANY_ROWS: Final = 300
"""Comparisons of many rows each."""
SINGLE_PAIRS: Final = 200
HISTORIES: Final = 200
REQUESTS: Final = 500
RUN_NOISE: Final = 0.02
REQUEST_NOISE: Final = 0.05
CORRELATION: Final = 0.5
SHIFT: Final = 0.05
ROWS: Final = 20
SEED: Final = 20_240_229
SURE: Final = 0.999
"""A rate is held to its limit with as much room as a true rate at the limit needs so often."""


def latencies(generator: np.random.Generator, *shape: int, run_noise: float = RUN_NOISE) -> Numbers:
    """Return the latencies of requests, (…, REQUESTS): lognormal, each like the one before, each run off by its own."""
    innovations = generator.normal(size=(*shape, REQUESTS)) * math.sqrt(1 - CORRELATION**2)
    innovations[..., 0] /= math.sqrt(1 - CORRELATION**2)
    within = signal.lfilter([1.0], [1.0, -CORRELATION], innovations, axis=-1)
    between = generator.normal(size=(*shape, 1))
    found: Numbers = np.exp(REQUEST_NOISE * within + run_noise * between)
    return found


def throughputs(generator: np.random.Generator, *shape: int) -> Numbers:
    """Return one throughput a run: what one slot delivers is the inverse of the mean latency."""
    inverse: Numbers = 1 / latencies(generator, *shape).mean(axis=-1)
    return inverse


def judged(
    base: Numbers, head: Numbers, *, primary: bool = True, margin: float = DEFAULT_MARGIN
) -> list[list[Verdict]]:
    """Return the verdicts of comparisons: trials (comparisons, rows, n) each."""
    found = welch.contrast(base, head)
    p, same = welch.p_different(found), welch.p_same(found, margin)
    count = base.shape[-1]
    verdicts = []
    for at in range(len(base)):
        rows = [
            _row(float(found.log_ratio[at, k]), float(p[at, k]), float(same[at, k]), count, primary=primary)
            for k in range(base.shape[1])
        ]
        verdicts.append([one.verdict for one in judge(rows)])
    return verdicts


def _row(log_ratio: float, p: float, same: float, count: int, *, primary: bool) -> Judged:
    measured = Measured(1.0, count, count)
    estimate = Estimate(log_ratio, p=p, p_same=same)
    found = Found("welch", measured, measured, estimate, p, "A", is_firm=True)
    return Judged(Address("output_throughput", "level", "a", "c8"), "higher", found, DEFAULT_MARGIN, primary)


def share(verdicts: Sequence[Sequence[Verdict]], *wanted: Verdict) -> float:
    """Return the share of comparisons in which any row has one of the verdicts."""
    return sum(any(one in wanted for one in rows) for rows in verdicts) / len(verdicts)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: what was simulated, what was counted, how often, and within which limit it must lie."""

    what: str
    counted: str
    observed: float
    count: int
    at_most: float | None = None
    at_least: float | None = None

    @property
    def limit(self) -> str:
        """Return the limit as the table has it."""
        if self.at_most is not None:
            return f"≤ {self.at_most:.0%}"
        return "" if self.at_least is None else f"≥ {self.at_least:.0%}"

    @property
    def allowed(self) -> tuple[float, float]:
        """Return between which rates the observed one must lie, for the true one to keep the limit."""
        low = 0.0 if self.at_least is None else float(stats.binom.ppf(1 - SURE, self.count, self.at_least)) / self.count
        high = 1.0 if self.at_most is None else float(stats.binom.ppf(SURE, self.count, self.at_most)) / self.count
        return low, high


def calibrate() -> list[Line]:
    """Simulate everything that the table tells, each part with a seed of its own."""
    parts: tuple[Callable[[np.random.Generator], list[Line]], ...] = (
        false_alarms, power, equivalence, secondary, single_runs, histories,
    )  # fmt: skip
    return [line for number, part in enumerate(parts) for line in part(np.random.default_rng(SEED + number))]


def false_alarms(generator: np.random.Generator) -> list[Line]:
    """Count verdicts where nothing differs, also with no margin, where no difference is too small for one."""
    lines = []
    for trials, rows, margin in ((3, 1, 0.0), (5, 1, 0.0), (5, 6, 0.0), (3, 1, DEFAULT_MARGIN), (5, 1, DEFAULT_MARGIN)):
        base, head = throughputs(generator, PAIRS, rows, trials), throughputs(generator, PAIRS, rows, trials)
        rate = share(judged(base, head, margin=margin), "better", "worse")
        what = f"no difference; {trials} trials, {rows} primary row{'s' if rows > 1 else ''}, margin {margin:.0%}"
        lines.append(Line(what, "better or worse", rate, PAIRS, at_most=0.05))
    return lines


def power(generator: np.random.Generator) -> list[Line]:
    """Count what is found of a shift, up and down; with three trials no power is promised."""
    cases: tuple[tuple[int, float, Verdict, float | None], ...] = (
        (5, 1 + SHIFT, "better", 0.85), (5, 1 / (1 + SHIFT), "worse", 0.85), (3, 1 + SHIFT, "better", None),
    )  # fmt: skip
    lines = []
    for trials, factor, verdict, least in cases:
        base, head = throughputs(generator, PAIRS, 1, trials), factor * throughputs(generator, PAIRS, 1, trials)
        what = f"{factor - 1:+.1%}; {trials} trials, 1 primary row, margin {DEFAULT_MARGIN:.0%}"
        lines.append(Line(what, verdict, share(judged(base, head), verdict), PAIRS, at_least=least))
    return lines


def equivalence(generator: np.random.Generator) -> list[Line]:
    lines = []
    for trials in (3, 5):
        base, head = throughputs(generator, PAIRS, 1, trials), throughputs(generator, PAIRS, 1, trials)
        shifted = share(judged(base, head * (1 + SHIFT)), "same")
        lines += [
            Line(f"{SHIFT:+.0%}, which is the margin; {trials} trials", "same", shifted, PAIRS, at_most=0.05),
            Line(
                f"no difference; {trials} trials, margin {SHIFT:.0%}", "same", share(judged(base, head), "same"), PAIRS
            ),
        ]
    return lines


def secondary(generator: np.random.Generator) -> list[Line]:
    """Count the false among the rows found, on average: half of the rows are shifted."""
    shifts = np.where(np.arange(ROWS) % 2 == 0, 1.0, 1 + SHIFT)[:, np.newaxis]
    base, head = throughputs(generator, MANY_ROWS, ROWS, 5), shifts * throughputs(generator, MANY_ROWS, ROWS, 5)
    found = np.array(judged(base, head, primary=False, margin=0.0))
    positive = (found == "better") | (found == "worse")
    false = (positive & (shifts[:, 0] == 1.0)).sum(axis=1) / np.maximum(positive.sum(axis=1), 1)
    hit = positive[:, shifts[:, 0] > 1].mean()
    what = f"every second row {SHIFT:+.0%}; 5 trials, {ROWS} secondary rows, margin 0%"
    return [
        Line(what, "false among those found", float(false.mean()), MANY_ROWS, at_most=0.05),
        Line(what, "found among those shifted", float(hit), MANY_ROWS * ROWS // 2),
    ]


def single_runs(generator: np.random.Generator) -> list[Line]:
    lines = []
    for noise, limit in ((0.0, 0.1), (RUN_NOISE, None)):
        runs = latencies(generator, 2 * SINGLE_PAIRS, run_noise=noise)
        pairs = zip(runs[::2], runs[1::2], strict=True)
        outside = sum(_suggests(base, head) for base, head in pairs) / SINGLE_PAIRS
        what = f"no difference; 1 run each of {REQUESTS} requests, noise between runs {noise:.0%}"
        lines.append(Line(what, "1 outside the interval", outside, SINGLE_PAIRS, at_most=limit))
    return lines


def _suggests(base: Numbers, head: Numbers) -> bool:
    ratio = math.log(head.mean()) - math.log(base.mean())
    before, after = (blocks.deviations(blocks.Means(side, np.ones(len(side))))["mean"] for side in (base, head))
    found = blocks.estimate(ratio, before, after)
    assert found.interval is not None
    return not found.interval[0] <= 1 <= found.interval[1]


def histories(generator: np.random.Generator) -> list[Line]:
    lines = []
    for rounds, least in ((12, None), (50, 0.85), (200, 0.85)):
        flat = np.exp(RUN_NOISE * generator.normal(size=(HISTORIES, rounds)))
        begins = round(0.6 * rounds)
        stepped = flat * np.where(np.arange(rounds) < begins, 1.0, 1 + SHIFT)
        false = sum(bool(change_points(list(one))) for one in flat) / HISTORIES
        hit = sum(_is_found(one, begins) for one in stepped) / HISTORIES
        lines += [
            Line(f"{rounds} rounds without a change", "any change point", false, HISTORIES, at_most=0.05),
            Line(f"{rounds} rounds, the last 40% {SHIFT:+.0%}", "that change alone", hit, HISTORIES, at_least=least),
        ]
    return lines


def _is_found(values: Numbers, begins: int) -> bool:
    """Say whether one change was found, at most three rounds off."""
    return [abs(one.index - begins) <= 3 for one in change_points(list(values))] == [True]
