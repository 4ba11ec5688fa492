"""One side of a row: the values of its trials, what they were taken from, and which trials are copies."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from generator.comparing import blocks, run_samples
from generator.comparing.exact import Failures
from generator.frame import Analysis
from generator.kinds import REPORTED
from generator.model import Level
from generator.runs.requests import Requests
from generator.values import Address, Value

ENOUGH: Final = 3
"""Numbers that two trials share by chance, where requests are not on record."""
PLANNED: Final = frozenset({
    "concurrency", "rate", "requests", "completed", "logged_requests", "asked_input_tokens", "asked_output_tokens",
})  # fmt: skip
"""Numbers that runs share because they were asked alike."""
MOST_KEPT: Final = 512
"""Quantities of runs whose replicates are kept: a pair of rounds is compared with each other both ways round."""
Numbers = NDArray[np.float64]
Reported = Mapping[tuple[str, str | None], float]
"""What a run's own client says of it, by metric and basis."""
TELLING: Final = 4
"""Digits of a number that runs do not share by chance."""
ROUNDED: Final = 0.5 + 1e-6
"""How far a number lies from its rounded self at most, in units of the last place of that."""
Run = int | None
"""The number of a trial; None where the level was run once."""


@dataclass(frozen=True)
class Side:
    """One level of one series in one of the rounds."""

    analysis: Analysis
    series: str
    level: Level

    @cached_property
    def digests(self) -> Mapping[Run, str | None]:
        """Return what tells each run from others; None for a run of which too little is on record to say."""
        reported = self._reported()
        return {run: self._digest(run, reported.get(run, {})) for run in self.level.runs}

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """Return the runs that are no copy of an earlier one."""
        reported, kept = self._reported(), list[Run]()
        for run, digest in self.digests.items():
            own = reported.get(run, {})
            if not any(digest == self.digests[one] is not None or are_one(own, reported.get(one, {})) for one in kept):
                kept.append(run)
        return tuple(kept)

    @property
    def has_copies(self) -> bool:
        """Say whether a run is there several times."""
        return len(self.runs) < len(self.digests)

    @property
    def is_spoilt(self) -> bool:
        """Say whether the level is unfit for conclusions."""
        return (self.series, self.level.id) in self.analysis.spoilt

    def value(self, metric: str) -> Value | None:
        """Return the value of the level; None where the round has no such value."""
        return self.analysis.frame.values.get(Address(metric, "level", self.series, self.level.id))

    def values(self, metric: str) -> tuple[float, ...]:
        """Return the values of the runs that are known, copies left out."""
        found = (self._of_run(metric, run) for run in self.runs)
        return tuple(value for value in found if value is not None)

    def failures(self) -> tuple[Failures, ...]:
        """Return the failures of each run that counts them."""
        counted = ((self._of_run("failed", run), self._of_run("requests", run)) for run in self.runs)
        return tuple(
            Failures(round(f), round(n)) for f, n in counted if f is not None and n is not None and n >= f >= 0
        )

    def requests(self) -> Requests | None:
        """Return the requests of the only run; None where there are several, or none on record."""
        return self.analysis.round.requests.get((self.series, self.level.id, self.runs[0])) if self.is_single else None

    def deviations(self, metric: str) -> Numbers | None:
        """Return how far a metric of the only run is off in each replicate; None where there are none."""
        source, requests = run_samples.source_of(metric), self.requests()
        if source is None or requests is None:
            return None
        of, name = source
        return _deviations(of, requests).get(name)

    @property
    def is_single(self) -> bool:
        """Say whether there is one run."""
        return len(self.runs) == 1

    def _of_run(self, metric: str, run: Run) -> float | None:
        trial = None if len(self.digests) == 1 else run
        found = self.analysis.frame.values.get(Address(metric, "level", self.series, self.level.id, trial=trial))
        return None if found is None else found.value

    def _reported(self) -> dict[Run, Reported]:
        found: dict[Run, dict[tuple[str, str | None], float]] = {}
        for seen in self.analysis.round.observations:
            at = seen.address
            if (at.scope, at.series, at.level) == ("level", self.series, self.level.id) and at.metric not in PLANNED:
                found.setdefault(at.trial, {})[at.metric, at.basis] = seen.value
        return {**found}

    def _digest(self, run: Run, reported: Reported) -> str | None:
        requests = self.analysis.round.requests.get((self.series, self.level.id, run))
        if requests is not None:
            return _of_requests(requests)
        if len(reported) < ENOUGH:
            return None
        return hashlib.sha256(repr(sorted(reported.items(), key=repr)).encode()).hexdigest()


def are_one(one: Reported, other: Reported) -> bool:
    """Say whether two runs report the same numbers, to the digits of whichever writes fewer of them.

    One run may be there as its requests, as their summary, and as that summary rounded.
    """
    before, after = map(_by_metric, (one, other))
    shared = [(before[metric], after[metric]) for metric in before.keys() & after.keys()]
    telling = sum(min(map(_digits, pair)) >= TELLING for pair in shared)
    return telling >= ENOUGH and all(_is_rounded(*pair) for pair in shared)


def _by_metric(reported: Reported) -> dict[str, float]:
    """Return the numbers by metric: what the client said where there are requests, too, that say it otherwise."""
    return {metric: reported.get((metric, REPORTED), value) for (metric, _), value in reported.items()}


def _is_rounded(one: float, other: float) -> bool:
    return abs(one - other) <= max(map(_last_place, (one, other))) * ROUNDED


def _last_place(number: float) -> float:
    """Return the worth of the last digit that a number is written with."""
    return math.ulp(number) if not number else float(Decimal(1).scaleb(int(_written(number).as_tuple().exponent)))


def _digits(number: float) -> int:
    return len(_written(number).as_tuple().digits)


@lru_cache(maxsize=1 << 16)
def _written(number: float) -> Decimal:
    """Return a number without the dust that a change of units leaves in its last binary places."""
    return Decimal(f"{number:.12g}").normalize()


def share_runs(base: Side, head: Side) -> bool:
    """Say whether a run is on both sides, beside others that are not."""
    both = set(base.digests.values()) & set(head.digests.values())
    return bool(both - {None}) and not are_identical(base, head)


def are_identical(base: Side, head: Side) -> bool:
    """Say whether both sides are the same runs; runs of which too little is known are not taken to be the same."""
    before, after = set(base.digests.values()), set(head.digests.values())
    return before == after and None not in before


@lru_cache(maxsize=MOST_KEPT)
def _deviations(source: str, requests: Requests) -> Mapping[str, Numbers]:
    """Return what a run's replicates give: the same whichever side it is on, and whatever it is compared with."""
    statistics = run_samples.statistics_of(source, requests)
    return {} if statistics is None else blocks.deviations(statistics)


def _of_requests(requests: Requests) -> str:
    """Return a hash of a run that neither the order of its file changes nor the hour at which its clock began."""
    columns = [requests.answered, requests.ttft, requests.e2el, requests.output_tokens]
    if not np.isfinite(requests.e2el).any():
        columns.append(requests.start)  # without a duration, there is nothing else that tells runs apart
    rows = np.column_stack([np.asarray(column, dtype=np.float64) for column in columns])
    digest = hashlib.sha256(str(len(requests)).encode())
    digest.update(rows[np.lexsort(rows.T)].tobytes())
    digest.update(np.sort(requests.gaps).tobytes())
    return digest.hexdigest()
