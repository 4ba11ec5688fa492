from __future__ import annotations

import pytest

from generator.render.wording.numbers import Printer
from generator.report_kinds import Chapter
from generator.told.blocks import Ledger, Paragraph, Table
from tests.support.memory_round import memory_round
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import analysed, catalogue, chapter_of, text_of


def chapter(name: str) -> Chapter:
    told = chapter_of("batching", ANALYSES[name]())
    assert told is not None
    return told


def paragraphs(name: str) -> list[str]:
    return [text_of(one, ANALYSES[name]()) for one in chapter(name).blocks if isinstance(one, Paragraph)][1:]


def test_second_round_ranges_over_usable_levels() -> None:
    # Floors ÷ steps: vLLM 14.09 ÷ 15.83 = 89.0 % and 18.22 ÷ 22.50 = 81.0 %; llama.cpp 4.71 ÷ 5.84 = 80.6 %, and
    # 5.69 ÷ 23.35 = 24.4 % at C=16: C=32, lower still, is spoilt.
    assert paragraphs("round-2") == [
        "Across usable levels, the floor of vLLM BF16 is 81.0% (C=64) to 89.0% (C=1) of its step.",
        "Across usable levels, the floor of llama.cpp Q4_K_M is 24.4% (C=16) to 80.6% (C=1) of its step.",
        (
            "The weights of llama.cpp Q4_K_M are those of the whole file, of which a decode step does not read all: "
            "its floors, and floor ÷ step, are too high."
        ),
    ]


@pytest.mark.parametrize("name", ["one level", "all of both series spoilt", "nothing recorded"])
def test_fewer_than_two_floors_are_no_range(name: str) -> None:
    assert paragraphs(name) == []


def test_a_floor_that_is_unknown_says_why() -> None:
    assert paragraphs("arrival rates") == [
        f"The floor of {series} cannot be computed: requests arrive at a rate, and how many were in flight on "
        "average is not known."
        for series in ("a", "b")
    ]


def test_the_marginal_cost_names_the_levels_that_it_spans() -> None:
    (ledger,) = [block for block in chapter("round-2").blocks if isinstance(block, Ledger)]

    assert [text_of(group.heading, ANALYSES["round-2"]()) for group in ledger.groups] == [
        "vLLM BF16, on average from C=1 to C=64",
        "llama.cpp Q4_K_M, on average from C=1 to C=64",
    ]


@pytest.mark.parametrize(
    ("name", "groups"), [("round-2", [2]), ("one series", [1]), ("three series", [3]), ("one level", [])]
)
def test_marginal_cost_is_set_out_for_each_series_that_has_one(name: str, groups: list[int]) -> None:
    assert [len(block.groups) for block in chapter(name).blocks if isinstance(block, Ledger)] == groups


def test_second_round_lays_steps_beside_their_floors() -> None:
    # llama.cpp at C=64: (4.68 GB + 64 × 1152 × 57 344 B) ÷ 1008 GB/s = 8.837 ms; 35.32 − 8.837 = 26.48 ms;
    # with stalls 8.837 ÷ (64 ÷ 1064.8 tok/s) = 8.837 ÷ 60.11 = 14.7 %
    (table,) = (block for block in chapter("round-2").blocks if isinstance(block, Table))
    assert len(table.rows) == 14
    analysis = ANALYSES["round-2"]()
    printer = Printer(analysis, catalogue().graph, "en")
    assert [printer.plain(cell) for cell in table.rows[-1].cells] == [
        "llama.cpp Q4_K_M", "C=64", "35.32", "8.837", "26.5", "25.0", "14.7",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["nothing recorded", "arrival rates"])
def test_without_a_floor_there_is_no_table_and_the_chapter_says_what_is_lacking(name: str) -> None:
    assert not [block for block in chapter(name).blocks if isinstance(block, Table)]
    assert chapter(name).lacking is not None
    assert chapter("round-2").lacking is None


@pytest.mark.parametrize(
    ("completed", "steps", "reason"),
    [
        pytest.param(40, (0.017, 0.010), "the step does not rise with the load", id="falls"),
        pytest.param(9, (0.010, 0.017), "the steps are of single runs with few answers", id="few answers"),
    ],
)
def test_where_no_cost_can_be_told_there_is_no_ledger_but_the_reason(
    completed: float, steps: tuple[float, float], reason: str
) -> None:
    seen = {"asked_input_tokens": 100, "asked_output_tokens": 100, "completed": completed}
    levels = {
        f"c{load}": {**seen, "concurrency": load, "itl_p50": step} for load, step in zip((1, 8), steps, strict=True)
    }
    analysis = analysed(memory_round({"s": levels}, runs={("s", level, None): None for level in levels}))
    told = chapter_of("batching", analysis)

    assert told is not None
    assert not any(isinstance(block, Ledger) for block in told.blocks)
    assert f"What one more request costs s cannot be told: {reason}" in text_of(told.blocks, analysis)
