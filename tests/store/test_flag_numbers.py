from __future__ import annotations

import pytest

from generator.declared.round_tables import SeriesTable
from generator.machines.records import Machine
from generator.model import Series
from generator.store.flag_numbers import read_flags
from generator.values import Address
from tests.support.machines import machine
from tests.support.rounds import places


def slots_of(known: Machine) -> list[float]:
    beside = read_flags([Series(SeriesTable(id="s"), ())], {"s": known}, places())
    assert all(seen.address == Address("slots_by_flags", "series", "s") for seen in beside.observations)
    return [seen.value for seen in beside.observations]


@pytest.mark.parametrize(
    ("engine", "flag"),
    [("vLLM", "--max-num-seqs"), ("llama.cpp", "--parallel"), ("SGLang", "--max-running-requests")],
)
def test_each_engine_spells_its_slots_in_its_own_way(engine: str, flag: str) -> None:
    assert slots_of(machine({}, engine=engine, flags=[(flag, "32")])) == [32]


def test_what_the_engine_says_itself_goes_before_its_flags() -> None:
    assert slots_of(machine({"engine.slots": "4"}, engine="llama.cpp", flags=[("--parallel", "8")])) == [4]


@pytest.mark.parametrize("said", ["-1", "auto", "0", "1e3"])
def test_what_is_no_number_is_not_known(said: str) -> None:
    assert slots_of(machine({}, engine="llama.cpp", flags=[("--parallel", said)])) == []


def test_defaults_are_not_guessed() -> None:
    assert slots_of(machine({}, engine="vLLM", flags=[("--max-model-len", "4096")])) == []
    assert slots_of(Machine()) == []
