from __future__ import annotations

from generator.kinds import Importer
from generator.mapping import Mapped
from generator.meanings import importers_by_tool, same_names
from generator.text import Text, same

WORDS = same("x")
WHY = Text(zh="它不同。", en="It differs.")
TPOT = Mapped("tpot", "s", WORDS, "tpot_mean")
OTHER_TPOT = Mapped("per_token", "s", WORDS, "tpot_mean", WHY)
PEAK = Mapped("peak", "s", WORDS, "ttft_mean", WHY)


def tool(*mapping: Mapped) -> Importer:
    return Importer("toy", same("Toy"), lambda _: 0, lambda _p, _q: [], mapping)


def test_every_importer_is_found_by_the_name_of_its_tool() -> None:
    assert importers_by_tool()["vllm bench serve"].key == "vllm"


def test_a_name_is_shared_where_the_other_tool_gives_the_quantity() -> None:
    assert same_names(tool(OTHER_TPOT, PEAK), tool(TPOT)) == [OTHER_TPOT]
    assert same_names(tool(TPOT), tool(OTHER_TPOT)) == []


def test_a_tool_that_gives_the_quantity_as_well_cannot_be_mistaken() -> None:
    assert same_names(tool(OTHER_TPOT, TPOT), tool(TPOT)) == []
