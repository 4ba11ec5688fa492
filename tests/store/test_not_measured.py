from __future__ import annotations

from generator.declared.round_tables import SeriesTable
from generator.model import Level, Series
from generator.store.not_measured import NOT_ANSWERED, NOT_STREAMING, why_no_latency
from generator.text import Text
from generator.values import Address
from tests.support.memory_round import GRAPH, observation


def why(*, from_runs: bool = True, has_requests: bool = False, trials: int = 1, **numbers: float) -> dict[str, Text]:
    """Return the reasons of a level, by metric."""
    series = [Series(SeriesTable(id="s"), (Level("c2", 2.0, trials=trials, from_runs=from_runs),))]
    seen = [observation(Address(key, "level", "s", "c2"), value) for key, value in numbers.items()]
    requests = [("s", "c2", None)] if has_requests else []
    return {where.metric: reason for where, reason in why_no_latency(series, seen, requests, GRAPH.places()).items()}


def test_latencies_of_whole_answers_alone_are_of_no_stream() -> None:
    found = why(e2el_mean=1.5, completed=3)

    assert set(found.values()) == {NOT_STREAMING}
    assert {"ttft_p50", "ttft_mean", "tpot_p99", "itl_mean"} <= set(found)
    assert not [key for key in found if key.startswith("e2el")]


def test_a_client_that_saw_a_stream_merely_leaves_something_out() -> None:
    assert why(e2el_mean=1.5, ttft_mean=0.5) == {}
    assert why(output_throughput=90.0) == {}


def test_where_nothing_was_answered_there_is_no_latency_at_all() -> None:
    found = why(requests=5, completed=0)

    assert set(found.values()) == {NOT_ANSWERED}
    assert {"ttft_p50", "e2el_p50"} <= set(found)


def test_single_requests_and_tables_speak_for_themselves() -> None:
    assert why(has_requests=True, e2el_mean=1.5) == {}
    assert why(from_runs=False, e2el_mean=1.5) == {}


def test_each_trial_has_its_own_reason() -> None:
    series = [Series(SeriesTable(id="s"), (Level("c2", 2.0, trials=2, from_runs=True),))]
    seen = [observation(Address("e2el_p50", "level", "s", "c2", trial=2), 1.5)]

    found = why_no_latency(series, seen, [], GRAPH.places())

    assert {where.trial for where in found} == {2}
