from __future__ import annotations

import pytest

from generator.model import Round, Trial
from generator.runs.requests import Requests
from tests.support.ladder_rounds import SLOTS, ladder_levels, of_ladder
from tests.support.memory_round import memory_round
from tests.support.request_rows import answer, requests_of
from tests.support.telling import found_by, said

CHECK = "wall_reached_unseen"
LOADS = {4: 220.0, 8: 400.0, 16: 640.0, 32: 660.0}


def logged(waiting: float, *, slots: float = 16, pool: float = 1e6, **more: float) -> Round:
    """Return a ladder up to C=32 whose logs say how many requests waited at most."""
    levels = ladder_levels(LOADS, log_waiting_most=waiting, **more)
    runs: dict[Trial, Requests | None] = {("a", level, None): requests_of(answer(1, 0.1)) for level in levels}
    return of_ladder(levels, of_series={**SLOTS, "slots": slots, "kv_pool_tokens": pool}, runs=runs)


def statuses(round_: Round) -> dict[str, str]:
    """Return what is said of each wall, by the metric that it is."""
    return {one.evidence[0].metric: one.status for one in found_by(CHECK, round_)}


def test_waiting_requests_show_the_wall_of_the_scheduler() -> None:
    round_ = logged(16)
    found = next(one for one in found_by(CHECK, round_) if one.evidence[0].metric == "wall_scheduler")

    assert (found.status, found.levels) == ("pass", ("c32",))
    assert "at C=32, above it, requests did wait" in said(found, round_)


def test_a_wall_that_nobody_met_is_wrong() -> None:
    round_ = logged(0)
    found = next(one for one in found_by(CHECK, round_) if one.evidence[0].metric == "wall_scheduler")

    assert (found.status, found.levels) == ("warn", ("c32",))
    assert "yet at C=32, above it, no request waited, was preempted, or failed for want of KV" in said(found, round_)


def test_a_level_at_the_wall_is_not_above_it() -> None:
    # 16 slots and C=16; C=32 with 30 slots is less than a tenth above.
    assert statuses(logged(0, slots=30))["wall_scheduler"] == "pass"


@pytest.mark.parametrize(
    ("pool", "status"),
    [
        # C=32 × 1100 tokens in the middle of an answer = 35 200, 1.1 × 32 000
        (32_000, "warn"),
        (32_001, "pass"),
    ],
)
def test_memory_is_held_against_requests_at_their_mean_context(pool: float, status: str) -> None:
    assert statuses(logged(0, slots=64, pool=pool))["wall_memory"] == status


def test_preemptions_show_the_wall_of_memory() -> None:
    assert statuses(logged(0, slots=64, pool=32_000, log_preemptions=3))["wall_memory"] == "pass"


def test_requests_that_failed_for_want_of_kv_show_the_wall_of_memory() -> None:
    # 86 lines of the log lack room for KV, and 18 requests failed: 18 for want of KV.
    round_ = logged(0, slots=64, pool=32_000, log_kv_full=86.0, failed=18.0)
    assert statuses(round_)["wall_memory"] == "pass"


def test_a_log_that_lacked_room_while_nothing_failed_shows_no_wall() -> None:
    assert statuses(logged(0, slots=64, pool=32_000, log_kv_full=86.0, failed=0.0))["wall_memory"] == "warn"


def test_without_samples_or_log_nothing_can_be_seen() -> None:
    round_ = of_ladder(ladder_levels(LOADS), of_series={**SLOTS, "kv_pool_tokens": 1e6})

    assert statuses(round_) == {"wall_scheduler": "unknown", "wall_memory": "pass"}


def test_where_no_wall_is_known_there_is_nothing_to_examine() -> None:
    (found,) = found_by(CHECK, memory_round({"a": ladder_levels(LOADS)}))

    assert found.is_empty
