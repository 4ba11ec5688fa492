from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from generator.collect.dataset import Dataset
from generator.collect.schedule import arrivals_of, refuse_impossible
from generator.errors import InputError
from generator.traffic.rows import Row
from tests.collect.planning import run, workload

TRACE = Dataset("trace.csv", "azure", tuple(Row(None, 10, 5, at) for at in (100.0, 101.0, 101.0, 104.0, 150.0)))


def rated(**changed: Any) -> Any:
    return run(**{"concurrency": None, "rate": 2.0, **changed})


def test_a_closed_loop_has_no_schedule() -> None:
    assert arrivals_of(run(), workload(arrival="constant")) is None


def test_constant_arrivals_keep_their_distance() -> None:
    found = arrivals_of(rated(requests=4), workload(arrival="constant"))
    assert found is not None
    assert found.tolist() == [0.0, 0.5, 1.0, 1.5]


def test_a_ramp_has_the_rate_of_the_level_as_its_mean() -> None:
    # 8 requests at 2 req/s take 4 s. From 0 to 4 req/s, t² ÷ 2 are sent by t: request k goes at √(2k).
    up = arrivals_of(rated(requests=8), workload(arrival="ramp"))
    # From 4 to 0 req/s, 4t − t² ÷ 2 are sent by t: request k goes at 4 − √(16 − 2k).
    down = arrivals_of(rated(requests=8), workload(arrival="ramp", ramp_from=2.0))
    assert up is not None
    assert down is not None
    assert up.tolist() == pytest.approx([math.sqrt(2 * k) for k in range(8)])
    assert down.tolist() == pytest.approx([4 - math.sqrt(16 - 2 * k) for k in range(8)])


def test_a_ramp_from_the_rate_of_the_level_itself_is_constant() -> None:
    found = arrivals_of(rated(requests=4), workload(arrival="ramp", ramp_from=1.0))
    assert found is not None
    assert found.tolist() == pytest.approx([0.0, 0.5, 1.0, 1.5])


@pytest.mark.parametrize(
    ("arrival", "burstiness", "cv"),
    # CV = 1 ÷ √burstiness: 1 for Poisson, 2 for 0.25, 0.5 for 4.
    [("poisson", 1.0, 1.0), ("gamma", 0.25, 2.0), ("gamma", 4.0, 0.5)],
)
def test_gaps_have_the_mean_and_the_spread_of_their_process(arrival: str, burstiness: float, cv: float) -> None:
    found = arrivals_of(rated(requests=20_000, rate=8.0), workload(arrival=arrival, burstiness=burstiness))
    gaps = np.diff(found if found is not None else [])
    assert gaps.mean() == pytest.approx(1 / 8, rel=0.05)
    assert gaps.std() / gaps.mean() == pytest.approx(cv, rel=0.05)


@pytest.mark.parametrize("arrival", ["poisson", "gamma"])
def test_a_run_comes_back_from_its_seed_and_another_seed_gives_another(arrival: str) -> None:
    first, again, other = (arrivals_of(rated(seed=seed), workload(arrival=arrival)) for seed in (1, 1, 2))
    assert np.array_equal(first, again)  # type: ignore[arg-type]
    assert not np.array_equal(first, other)  # type: ignore[arg-type]


def test_a_trace_is_stretched_to_the_rate_of_the_level() -> None:
    # Its first four requests come at 0, 1, 1, 4 s: 3 gaps in 4 s, 0.75 req/s. At 1.5 req/s all is twice as fast.
    found = arrivals_of(rated(requests=4, rate=1.5), workload(arrival="trace"), TRACE)
    assert found is not None
    assert found.tolist() == [0.0, 0.5, 0.5, 2.0]


def test_one_request_of_a_trace_is_sent_at_once() -> None:
    found = arrivals_of(rated(requests=1), workload(arrival="trace"), TRACE)
    assert found is not None
    assert found.tolist() == [0.0]


@pytest.mark.parametrize(
    ("requests", "dataset", "line"),
    [
        (4, None, 'round.toml: arrival = "trace" needs the time of each request, and there is none; name a trace'),
        (2, Dataset("p.jsonl", "jsonl", (Row("a"), Row("b", at=1.0))), "p.jsonl: arrival = "),
        (6, TRACE, "trace.csv, level c2: has 5 requests, and 6 are planned; plan fewer requests"),
        (2, Dataset("t", "azure", (Row(at=3.0), Row(at=3.0))), "t, level c2: its first 2 requests came all at once"),
    ],
)
def test_a_trace_that_does_not_do_is_refused_beforehand(requests: int, dataset: Dataset | None, line: str) -> None:
    with pytest.raises(InputError) as error:
        refuse_impossible([run(), rated(requests=requests)], workload(arrival="trace"), dataset)
    assert str(error.value).startswith(line)


def test_without_a_trace_nothing_is_refused() -> None:
    refuse_impossible([rated(requests=1000)], workload(), None)
