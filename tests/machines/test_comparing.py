from __future__ import annotations

from generator.machines.comparing import compare, facts_of
from generator.machines.records import Fact
from generator.text import Text, same
from generator.values import Source
from tests.support.machines import facts, machine


def test_facts_are_compared_in_the_order_of_the_list() -> None:
    found = compare({"a": facts({"gpu.driver": "1", "host": "A"}), "b": facts({"gpu.driver": "2", "host": "A"})})
    assert [(one.path, one.differs) for one in found] == [("host", False), ("gpu.driver", True)]
    assert found[1].shown("b") == same("2")


def test_a_fact_is_shown_in_the_words_of_each_language_and_compared_in_one() -> None:
    cpu = Fact("none (CPU)", Source("round.toml", "[hardware] gpu"), chinese="无（CPU）")
    (found,) = compare({"a": {"gpu.gpus.name": cpu}, "b": facts({"gpu.gpus.name": "none (CPU)"})})
    assert found.shown("a") == Text(zh="无（CPU）", en="none (CPU)")
    assert found.shown("b") == same("none (CPU)")
    assert not found.differs


def test_what_is_not_known_neither_differs_nor_is_the_same() -> None:
    (found,) = compare({"a": facts({"gpu.driver": "1"}), "b": facts({})})
    assert (found.differs, found.texts, found.shown("b")) == (False, {"a": "1"}, None)


def test_only_the_kinds_asked_for_are_compared() -> None:
    known = {"a": facts({"gpu.driver": "1", "date": "2026-01-01", "odd": "x"})}
    assert [one.path for one in compare(known, ["time"])] == ["date"]


def test_a_gpu_is_the_same_with_and_without_its_maker() -> None:
    known = {"a": facts({"gpu.gpus.name": "NVIDIA GeForce RTX 4090"}), "b": facts({"gpu.gpus.name": "RTX 4090"})}
    assert not compare(known)[0].differs
    assert compare({**known, "c": facts({"gpu.gpus.name": "RTX 4080"})})[0].differs


def test_facts_of_machines_are_by_series() -> None:
    assert facts_of({"a": machine({"host": "A"})})["a"]["host"].text == "A"
