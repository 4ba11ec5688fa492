from __future__ import annotations

import pytest

from generator.machines.records import Machine
from generator.model import Round
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.machines import machine, ran_on
from tests.support.memory_round import Numbers
from tests.support.telling import found_by, said

CHECK = "slot_context"
ASKED = {"asked_input_tokens": 1000.0, "asked_output_tokens": 200.0}
LEVELS = {"c8": {"concurrency": 8.0, **ASKED}, "c32": {"concurrency": 32.0, **ASKED}}
"""A request takes up 1000 + 200 = 1200 tokens."""


def series_of(known: Machine, numbers: Numbers | None = None) -> Round:
    return ran_on({"s": known}, levels={"s": LEVELS}, of_series={"s": numbers or {}})


def found(known: Machine, numbers: Numbers | None = None) -> list[Finding]:
    return found_by(CHECK, series_of(known, numbers))


def llama(context: str, slots: str) -> Machine:
    return machine(engine="llama.cpp", flags=[("--ctx-size", context), ("--parallel", slots)])


def test_all_requests_fit() -> None:
    # 65,536 ÷ 32 = 2048 ≥ 1200; 32 slots; 32 × 1200 = 38,400 ≤ 65,536
    assert [one.status for one in found(llama("65536", "32"), {"kv_pool_tokens": 65_536.0})] == ["pass"]


def test_a_slot_that_is_too_short_cuts_answers() -> None:
    # 32,768 ÷ 32 = 1024 < 1200
    round_ = series_of(llama("32768", "32"))
    (finding,) = found_by(CHECK, round_)
    assert (finding.status, finding.levels) == ("warn", ("c8", "c32"))
    assert "has a context of 1,024 tok for a request" in said(finding, round_)


def test_the_engine_knows_its_slots_best() -> None:
    said_so = machine({"engine.slot_context": "1024"}, engine="llama.cpp")
    assert [one.status for one in found(said_so)] == ["warn"]


def test_declared_slots_stand_in_for_a_flag() -> None:
    # 32,768 ÷ 32 declared slots = 1024 < 1200
    known = machine(engine="llama.cpp", flags=[("--ctx-size", "32768")])
    assert [one.status for one in found(known, {"slots": 32.0})] == ["warn"]
    unified = machine(engine="llama.cpp", flags=[("--ctx-size", "32768"), ("--kv-unified", "true")])
    assert [one.status for one in found(unified, {"slots": 32.0})] == ["pass"]


def test_more_requests_than_slots_wait() -> None:
    round_ = series_of(machine(), {"slots": 16.0})
    (finding,) = found_by(CHECK, round_)
    assert (finding.status, finding.levels) == ("warn", ("c32",))
    assert "has 16 slots, fewer than the concurrency of C=32" in said(finding, round_)


@pytest.mark.parametrize(("pool", "status"), [(38_400.0, "pass"), (38_399.0, "warn")])
def test_the_pool_holds_all_that_run_at_once(pool: float, status: str) -> None:
    # 32 × 1200 = 38,400
    assert [one.status for one in found(machine(), {"kv_pool_tokens": pool})] == [status]


def test_those_that_wait_for_a_slot_need_no_room() -> None:
    # 16 × 1200 = 19,200 ≤ 20,000: what is wrong is the slots
    (finding,) = found(machine(), {"slots": 16.0, "kv_pool_tokens": 20_000.0})
    assert finding.levels == ("c32",)
    assert all(address.metric != "kv_pool_tokens" for address in finding.evidence)


def test_without_context_slots_and_pool_it_is_unknown() -> None:
    assert [one.status for one in found(machine())] == ["unknown"]


def test_the_published_rounds_fit() -> None:
    for name in ("round-1", "round-2"):
        assert {one.status for one in found_by(CHECK, published(name))} == {"pass"}
