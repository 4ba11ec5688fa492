from __future__ import annotations

from generator.logs import llamacpp, vllm
from generator.logs.happenings import of_llamacpp, of_vllm
from tests.logs.test_llamacpp_facts import began, launched, served
from tests.support.server_logs import events_of

FULL = "W slot update_slots: failed to find free space in the KV cache, retrying with smaller batch size, i = 0\n"


def lines_of_llamacpp(log: str) -> dict[str, list[int]]:
    found = of_llamacpp(events_of(log, llamacpp.EVENTS))
    return {name: [line for table in tables for line in table.lines.tolist()] for name, tables in found.items()}


def test_launches_of_llamacpp_are_those_of_requests() -> None:
    child = launched(2).replace("is_child = 0", "is_child = 1")

    assert lines_of_llamacpp(launched(1) + child + FULL)["launch"] == [1]


def test_a_full_pool_is_told_each_time() -> None:
    assert lines_of_llamacpp(launched(1) + FULL + FULL)["kv_full"] == [2, 3]


def test_hits_of_the_cache_are_told_where_each_prompt_says_its_own() -> None:
    # of 512 tokens 500 were there, in the second line; the next request finds a start token alone
    hit = launched(1) + began(500, 1) + served(1, computed=12)
    miss = launched(2) + began(1, 2) + served(2, computed=511)

    assert lines_of_llamacpp(hit + miss)["cache_hit"] == [2]
    assert "cache_hit" not in lines_of_llamacpp(launched(1) + served(1))


def test_vllm_tells_of_preemptions_and_errors() -> None:
    log = (
        "WARNING 01-01 00:00:00 scheduler.py:1] Sequence group a is preempted by PreemptionMode.RECOMPUTE mode because "
        "there is not enough KV cache space. total_num_cumulative_preemption=1\n"
        "RuntimeError: Engine loop has died\n"
    )
    found = of_vllm(events_of(log, vllm.EVENTS))

    assert [table.lines.tolist() for table in (*found["preemption"], *found["error"])] == [[1], [2]]
    assert "launch" not in found  # its line of a request is written where the answer begins
