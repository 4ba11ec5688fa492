from __future__ import annotations

from generator.model import Round
from generator.told.blocks import Folded, Table
from tests.sections.test_distributions import cells
from tests.support.example_rounds import published
from tests.support.machines import machine, ran_on
from tests.support.memory_round import memory_round
from tests.support.telling import analysed, chapter_of, said

PACKAGES = {f"python.packages.p{number}": "1.0" for number in range(40)}


def table(round_: Round) -> list[list[str]]:
    chapter = chapter_of("machine", analysed(round_))
    assert chapter is not None
    folded = [block.table for block in chapter.blocks if isinstance(block, Folded)]
    tables = [block for block in chapter.blocks if isinstance(block, Table)] + folded
    return [row for table in tables for row in cells(table, round_)]


def folded(round_: Round) -> list[list[str]]:
    """Return the rows that a reader has to unfold."""
    chapter = chapter_of("machine", analysed(round_))
    assert chapter is not None
    return [row for block in chapter.blocks if isinstance(block, Folded) for row in cells(block.table, round_)]


def test_a_round_without_facts_has_no_such_chapter() -> None:
    assert chapter_of("machine", analysed(memory_round({"a": {}}))) is None


def test_what_differs_comes_first_and_is_marked() -> None:
    one = machine({"gpu.gpus.name": "L40S", "gpu.driver": "570", "gpu.gpus.ecc": "true"})
    other = machine({"gpu.gpus.name": "L40S", "gpu.driver": "580"})
    round_ = ran_on({"a": one, "b": other})
    assert table(round_) == [
        ["≠ driver", "570", "580"],
        ["GPU", "L40S", "L40S"],
        ["ECC", "on", "not on record"],
    ]
    assert folded(round_) == [["GPU", "L40S", "L40S"], ["ECC", "on", "not on record"]]
    assert "Facts marked ≠ differ." in said(chapter_of("machine", analysed(round_)), round_)


def test_of_many_packages_only_those_that_differ_are_shown() -> None:
    one, other = machine({**PACKAGES, "host": "A"}), machine({**PACKAGES, "host": "A", "python.packages.p7": "2.0"})
    assert table(ran_on({"a": one, "b": other})) == [["≠ p7", "1.0", "2.0"], ["host", "A", "A"]]


def test_settings_stand_there_where_a_flag_speaks_of_them() -> None:
    one = machine(engine="vLLM", flags=[("--no-enable-prefix-caching", "true")])
    other = machine(engine="llama.cpp", flags=[])
    assert table(ran_on({"a": one, "b": other})) == [["≠ prompt cache", "off", "on (default)"]]


def test_what_the_engine_said_of_itself_is_not_said_twice() -> None:
    known = machine({"engine.slots": "4"}, engine="llama.cpp", flags=[("--parallel", "4")])
    assert table(ran_on({"a": known})) == [["slots", "4"]]
    unsaid = machine(engine="llama.cpp", flags=[("--parallel", "4")])
    assert table(ran_on({"a": unsaid})) == [["parallel slots", "4"]]


def test_versions_of_two_engines_are_no_difference() -> None:
    one = machine({"engine.version": "1"}, engine="vLLM")
    round_ = ran_on({"a": one, "b": machine({"engine.version": "2"}, engine="llama.cpp")})
    assert table(round_) == [["engine version", "1", "2"]]
    assert "The engines differ. All else that is on record for every series is the same" in said(
        chapter_of("machine", analysed(round_)), round_
    )
    same_engine = ran_on({"a": one, "b": machine({"engine.version": "2"}, engine="vLLM")})
    assert table(same_engine) == [["≠ engine version", "1", "2"]]


def test_a_single_series_has_nothing_to_differ_from() -> None:
    round_ = ran_on({"a": machine({"host": "A"})})
    assert table(round_) == [["host", "A"]]
    assert "≠" not in said(chapter_of("machine", analysed(round_)), round_)


def test_the_published_rounds() -> None:
    assert table(published("round-1"))[:2] == [["≠ host", "A", "B"], ["≠ date", "08-15", "08-24"]]
    assert all(row[0].startswith("≠") for row in table(published("round-1"))[:2])


def test_what_the_round_declares_for_all_series_stands_there_too() -> None:
    # Round 2 declares GPU, driver and CUDA once, and the version of each engine.
    told = {row[0] for row in table(published("round-2"))}
    assert told >= {"GPU", "driver", "CUDA", "engine version"}


def test_what_differs_in_the_second_round_and_what_is_unknown_is_said() -> None:
    # Its flags are on record for llama.cpp alone, and nothing says by which client it was loaded.
    round_ = published("round-2")
    told = said(chapter_of("machine", analysed(round_)), round_)

    assert "Engine and precision differ. All else that is on record for every series is the same;" in told
    assert "The flags of vLLM BF16 are not on record. The load client is not on record." in told
