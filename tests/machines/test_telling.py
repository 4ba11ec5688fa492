from __future__ import annotations

from generator.machines.comparing import compare
from generator.machines.telling import MOST_NAMED, differences
from generator.text import same
from generator.told.sentence import say
from tests.support.machines import facts, machine, ran_on
from tests.support.telling import said


def test_of_many_differences_the_first_are_named_and_the_rest_counted() -> None:
    one, other = (
        facts({f"python.packages.p{number}": version for number in range(MOST_NAMED + 3)}) for version in ("1", "2")
    )
    round_ = ran_on({"a": machine(), "b": machine()})
    told = said(say("{d}", "{d}", d=differences(compare({"a": one, "b": other}))), round_)

    # 9 packages, of which 6 are named
    assert "p0 (1 for a; 2 for b)" in told
    assert "3 more" in told
    assert "p6" not in told


def test_a_session_is_named_in_its_own_words() -> None:
    known = compare({"1": facts({"gpu.driver": "570"}), "2": facts({"gpu.driver": "580"})})
    told = differences(known, lambda name: same(f"#{name}"))
    assert "driver (570 for #1; 580 for #2)" in said(say("{d}", "{d}", d=told), ran_on({"a": machine()}))
