"""A round under the load of users, of two engines whose curves cross in every quantity."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from generator.model import Round
from generator.store.profile import with_profile
from tests.support.loads import profiled, put
from tests.support.memory_round import GRAPH, Levels, Numbers, memory_round

ASKED: Final[Numbers] = {"asked_input_tokens": 1000, "asked_output_tokens": 100}
MAPPED: Final = "time=at,input=given,output=made,duration=took"


def _level(c: int, throughput: float, ttft_p50: float, ttft_p99: float, e2el_p50: float) -> Numbers:
    return {
        **ASKED, "concurrency": c, "requests": 100, "completed": 100, "duration": 1e4 / throughput,
        "output_throughput": throughput, "ttft_p50": ttft_p50, "ttft_p99": ttft_p99, "e2el_p50": e2el_p50,
        "e2el_mean": e2el_p50,
    }  # fmt: skip


SLOW_TO_ANSWER: Final[Levels] = {
    "c1": _level(1, 50, 0.4, 0.5, 2.0),
    "c2": _level(2, 98, 0.5, 0.7, 2.1),
    "c4": _level(4, 190, 0.6, 0.9, 2.2),
}
SOON_FULL: Final[Levels] = {
    "c1": _level(1, 80, 0.2, 0.3, 1.3),
    "c2": _level(2, 90, 0.45, 0.8, 2.2),
    "c4": {key: number for key, number in _level(4, 95, 0.9, 1.9, 4.3).items() if key != "e2el_mean"},
}


def crossing_under_load() -> Round:
    """Return two series whose lead changes hands, under a load that comes in bursts and whose requests took a while."""
    rows = (
        {"at": 10 * second + number, "given": 900 + 10 * number, "made": 90 + number, "took": 2.0 + number / 10}
        for second in range(0, 60, 6)
        for number in range(1 + second // 6)
    )
    content = "".join(json.dumps(one) + "\n" for one in rows)
    with TemporaryDirectory() as folder:
        profile = profiled(put(Path(folder), content), window=10.0, mapped=MAPPED)
    round_ = memory_round({"a": SLOW_TO_ANSWER, "b": SOON_FULL}, baseline="a")
    return with_profile(round_, profile, GRAPH.places())
