"""The guide of the whole site."""

from __future__ import annotations

from dataclasses import replace

from generator.declared.table_types import Words
from generator.frame import Analysis
from generator.model import Round
from generator.render.views.site_guide import SiteGuide, advised, engine_of, site_guide
from generator.text import Lang
from tests.support.analyses import graph
from tests.support.choices import levels, stated, two
from tests.support.example_rounds import one_series, published
from tests.support.telling import analysed


def of_engines(key: str, gpu: str, **engines: str) -> Analysis:
    """Return a round of two series that are compared on a GPU, by the engines that they are of."""
    base, other = levels(output_throughput=[100, 200]), levels(output_throughput=[150, 250])
    round_: Round = stated(two(base, other), **engines)
    hardware = round_.file.hardware.model_copy(update={"gpu": Words(zh=gpu, en=gpu)})
    return analysed(replace(round_, id=key, file=round_.file.model_copy(update={"hardware": hardware})))


def guide(*analyses: Analysis, lang: Lang = "en") -> SiteGuide:
    return site_guide(advised(analyses), graph(), lang)


def test_each_round_has_a_row_with_what_it_prefers() -> None:
    [row] = guide(analysed(published("round-2"))).rows

    assert (row.model, row.gpu, row.engines) == ("Qwen2.5-7B-Instruct", "RTX 4090", ("vLLM", "llama.cpp"))
    assert [cell.words for cell in row.cells] == [
        "llama.cpp Q4_K_M", "not measured", "llama.cpp Q4_K_M", "llama.cpp Q4_K_M", "vLLM BF16", "vLLM BF16",
        "not measured",
    ]  # fmt: skip
    assert {cell.certainty for cell in row.cells if cell.state == "decided"} == {"qualitative only"}
    assert "2.61×" in row.cells[0].reason


def test_cells_are_counted_by_what_is_in_them() -> None:
    # Of 7 scenarios two go by a start that was not measured.
    told = guide(analysed(published("round-2"))).decided

    assert (
        told
        == "Of the 7 cells of all rounds, 5 have a choice, 0 were measured but are undecided, and 2 were not measured."
    )


def test_what_cannot_be_known_is_neither_none_nor_unmeasured() -> None:
    # Round 1 does not say how many requests to vLLM failed at C=32, where llama.cpp failed too many.
    [row] = guide(analysed(published("round-1"))).rows

    assert (row.cells[4].words, row.cells[4].state, row.cells[4].certainty) == ("unknown", "undecided", "")
    assert "is unknown: no more than 1% of the requests fail" in row.cells[4].reason


def test_a_round_that_compares_nothing_has_no_cells() -> None:
    found = guide(analysed(one_series()))

    assert [row.cells for row in found.rows] == [()]
    assert found.decided.startswith("Of the 0 cells of all rounds, 0 have a choice")


def test_gaps_are_the_engines_that_were_not_measured() -> None:
    # Three engines on two GPUs: SGLang was not measured on the one, llama.cpp not on the other.
    found = guide(
        of_engines("a", "H", base="vLLM", other="llama.cpp"), of_engines("b", "L", base="vLLM", other="SGLang")
    )

    assert found.engines == ("SGLang", "llama.cpp", "vLLM")
    assert [[len(cell) for cell in row.cells] for row in found.coverage] == [[0, 1, 1], [1, 0, 1]]
    assert found.gaps == "2 of 6 combinations of model, GPU and engine were measured in no round."
    assert found.coverage[0].cells[1][0].words == "BF16 · C=1 – C=2"


def test_where_every_engine_was_measured_no_gap_is_counted() -> None:
    found = guide(of_engines("a", "H", base="vLLM", other="llama.cpp"))

    assert found.gaps == "All 2 combinations of model, GPU and engine were measured in some round."


def test_the_loads_of_the_scenarios_and_those_between_them_are_told() -> None:
    # The scenarios that go by the load end at 8 and begin again at 32; a round that compares nothing settles nothing.
    found = guide(analysed(published("round-2")), analysed(one_series()))

    assert found.scenarios[3][2] == "1 to 8 requests in flight"
    assert found.scenarios[4][2] == "32 or more requests in flight"
    assert found.between.startswith("The scenarios that are decided by load leave out 9 to 31 requests in flight. The")
    assert "没有涵盖在途 9 到 31 条请求。" in guide(lang="zh").between
    assert [(row.round_id, row.place) for row in found.telling] == [
        ("round-2", "guide-gap-turns-llamacpp-q4_k_m-c8-c16")
    ]


def test_a_round_is_named_only_if_its_guide_tells_of_the_loads_between_the_scenarios() -> None:
    # Levels at C=1 and C=2, at C=8 and C=16, and at C=32 and C=64: the scenarios leave out 9 to 31.
    numbers = {"output_throughput": [100.0, 200.0]}
    few, between, many = (
        analysed(replace(two(levels(first, **numbers), levels(first, **numbers)), id=key))
        for key, first in (("few", 1), ("between", 8), ("many", 32))
    )

    assert [row.round_id for row in guide(few, between, many).telling] == ["between"]


def test_what_there_is_to_filter_by() -> None:
    found = guide(of_engines("b", "L", base="vLLM"), of_engines("a", "H", base="vLLM"))

    assert found.gpus == ("H", "L")
    assert found.models == ("a model",)


def test_rounds_keep_their_order_which_is_that_of_the_home_page() -> None:
    found = guide(of_engines("b", "L", base="vLLM"), of_engines("a", "H", base="vLLM"))

    assert [row.round_id for row in found.rows] == ["b", "a"]


def test_engines_of_one_family_have_one_name() -> None:
    analysis = of_engines("a", "H", base="llama-server (llama.cpp)", other="something new")
    base, other = analysis.round.series

    assert engine_of(base) == "llama.cpp"
    assert engine_of(other) == "something new"
    assert engine_of(one_series().series[0]) == "alone"


def test_both_languages_have_the_same_cells() -> None:
    analysis = analysed(published("round-2"))
    zh, en = guide(analysis, lang="zh"), guide(analysis)

    assert [cell.state for row in zh.rows for cell in row.cells] == [
        cell.state for row in en.rows for cell in row.cells
    ]
    assert "没有测过" in zh.decided


def test_a_site_without_rounds_has_an_empty_guide() -> None:
    found = guide()

    assert (found.rows, found.engines, found.coverage) == ((), (), ())
