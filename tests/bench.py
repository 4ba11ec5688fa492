"""How a build grows with the rounds, what kept pages save, what percentiles of many gaps take: ``make bench``.

Times are CPU seconds of this process.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from generator.catalogue import load
from generator.numeric.statistics import percentile
from generator.render.kept.keeping import Keeper
from generator.render.site import build_site
from generator.runs.requests import Requests
from generator.store.reading import list_rounds, read_round
from generator.values import Source

Result = TypeVar("Result")

ROUND: Final = Path(__file__).parents[1] / "runs" / "round-2"
FEW: Final = 3
MANY: Final = 60
MOST_TIMES: Final = 22
"""20 times the rounds may take at most so many times as long: no stage looks at all pairs of rounds."""
MOST_AGAIN: Final = 0.5
"""The share of a whole build that one may take after one of the published rounds changed."""
REQUESTS: Final = 4_000
CHUNKS: Final = 251
"""Chunks of a request: 4000 × 250 gaps make a million."""
PERCENTS: Final = (50.0, 90.0, 95.0, 99.0, 99.9)
TURNS: Final = 9


@dataclass(frozen=True)
class Stages:
    """CPU seconds of reading all rounds, of analysing them, and of the rest: telling, drawing and writing."""

    read: float
    analyse: float
    render: float

    @property
    def total(self) -> float:
        return self.read + self.analyse + self.render


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        build_site(copies(root / "warm", 1), root / "site")  # imports, caches of phrases and templates
        few = min((measured(copies(root / f"few-{turn}", FEW), root) for turn in range(3)), key=lambda s: s.total)
        many = measured(copies(root / "many", MANY), root)
        again = report_again(root)
    grows = report(few, many)
    return max(grows, again, report_percentiles())


def copies(runs: Path, number: int) -> Path:
    """Write copies of one round into a folder of rounds."""
    for one in range(1, number + 1):
        shutil.copytree(ROUND, runs / f"round-{one}")
    return runs


def measured(runs: Path, root: Path) -> Stages:
    """Time a build, and its first two stages on their own."""
    catalogue = load()
    places = catalogue.graph.places()
    read, rounds = timed(lambda: [read_round(folder, places) for folder in list_rounds(runs)])
    analyse, _ = timed(lambda: [catalogue.analyse(one) for one in rounds])
    total, _ = timed(lambda: build_site(runs, root / "site"))
    return Stages(read, analyse, max(0.0, total - read - analyse))


def timed(action: Callable[[], Result]) -> tuple[float, Result]:
    """Return how many CPU seconds an action takes, and what it returns."""
    start = time.process_time()
    result = action()
    return time.process_time() - start, result


def report_again(root: Path) -> int:
    """Print what a build takes whose pages were kept; fail where a round that changed costs more than its share."""
    runs = root / "published"
    shutil.copytree(ROUND.parent, runs)
    (root / "kept").mkdir()
    scratch = rebuilt(runs, root)
    nothing = rebuilt(runs, root)
    (runs / ROUND.name / "note.txt").write_text("changed\n", encoding="utf-8")
    one = rebuilt(runs, root)
    print(f"from nothing {scratch:.2f} s, one round changed {one:.2f} s, nothing changed {nothing:.2f} s")
    print(f"one ÷ all = {one / scratch:.2f}, none ÷ all = {nothing / scratch:.2f}, at most {MOST_AGAIN}")
    return 0 if max(one, nothing) <= MOST_AGAIN * scratch else 1


def rebuilt(runs: Path, root: Path) -> float:
    """Time a build whose pages are kept."""
    return timed(lambda: build_site(runs, root / "again", keeper=Keeper(root / "kept", lambda: "bench")))[0]


def report_percentiles() -> int:
    """Print what five percentiles of a million gaps take; fail where numpy takes less, which sorts nothing."""
    ours, numpys = [], []
    for turn in range(TURNS):
        requests = invented(turn)
        seconds = requests.gaps * 1e-6
        ours.append(timed(partial(percentiles, requests))[0])
        numpys.append(timed(partial(np.percentile, seconds, PERCENTS))[0])
    ratio = min(ours) / min(numpys)
    print(
        f"{len(PERCENTS)} percentiles of {REQUESTS * (CHUNKS - 1):,} gaps: {1000 * min(ours):.1f} ms, best of {TURNS}"
    )
    print(f"t ÷ t of numpy.percentile = {ratio:.2f}, at most 1")
    return 0 if ratio <= 1 else 1


def percentiles(requests: Requests) -> list[float]:
    """Return some percentiles of the gaps, as the metrics take them."""
    return [percentile(requests.sample("request_itl"), percent) for percent in PERCENTS]


def invented(seed: int) -> Requests:
    """Invent a run of a million gaps, spread as those of an engine are: around 13 ms, with a long tail."""
    random = np.random.default_rng(seed)
    gaps = random.lognormal(9.5, 0.7, REQUESTS * (CHUNKS - 1)).astype(np.int32)
    chunks = np.full(REQUESTS, CHUNKS)
    known, unknown = np.ones(REQUESTS), np.full(REQUESTS, np.nan)
    return Requests(known > 0, unknown, known, known, known, chunks * 1.0, chunks - 1, gaps, Source("", ""))


def report(few: Stages, many: Stages) -> int:
    """Print the figures; fail where the time grows faster than the number of rounds."""
    ratio = many.total / few.total
    for name in ("read", "analyse", "render"):
        seconds: float = getattr(many, name)
        print(f"{name:8} {1000 * seconds / MANY:6.1f} ms a round  {seconds / many.total:6.1%}")
    added = (many.total - few.total) / (MANY - FEW)
    print(f"{FEW} rounds {few.total:.2f} s, {MANY} rounds {many.total:.2f} s: {1000 * added:.0f} ms an added round")
    print(f"t{MANY} ÷ t{FEW} = {ratio:.1f}, at most {MOST_TIMES}")
    return 0 if ratio <= MOST_TIMES else 1


if __name__ == "__main__":
    sys.exit(main())
