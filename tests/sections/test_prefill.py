from __future__ import annotations

import pytest

from generator.frame import Analysis
from generator.render.wording.numbers import Printer
from generator.report_kinds import Chapter
from generator.text import LANGS
from generator.told.blocks import Ledger, Paragraph, Table
from tests.support.memory_round import Levels, memory_round
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import analysed, catalogue, chapter_of, text_of


def chapter(analysis: Analysis) -> Chapter:
    told = chapter_of("prefill", analysis)
    assert told is not None
    return told


def said(analysis: Analysis, lang: str = "en") -> list[str]:
    """Return what follows the introduction."""
    blocks = [block for block in chapter(analysis).blocks if isinstance(block, Paragraph)]
    return [text_of(one, analysis, "zh" if lang == "zh" else "en") for one in blocks][1:]


def table(analysis: Analysis) -> list[list[str]]:
    (found,) = [block for block in chapter(analysis).blocks if isinstance(block, Table)]
    printer = Printer(analysis, catalogue().graph, "en")
    return [[printer.plain(cell) for cell in row.cells] for row in found.rows]


def ttft(*seconds: float) -> Levels:
    return {f"c{2**at}": {"concurrency": 2**at, "ttft_p50": each} for at, each in enumerate(seconds)}


def pair(a: Levels, b: Levels) -> Analysis:
    return analysed(memory_round({"a": a, "b": b}, baseline="a"))


def test_medians_come_sooner_and_tails_later_in_the_second_round() -> None:
    # p99 against the baseline's: 97 < 109, 189 < 203, 376 < 388; 760 > 734, 1600 > 1407, 3206 > 2854, 6268 > 5924.
    assert said(ANALYSES["round-2"]()) == [
        "TTFT p50: llama.cpp Q4_K_M answers sooner at every usable level.",
        "TTFT p99: llama.cpp Q4_K_M answers sooner at C=1, C=2 and C=4 and later at C=8, C=16 and C=64.",
    ]
    assert said(ANALYSES["round-2"](), "zh") == [
        "TTFT p50：llama.cpp Q4_K_M 在每个可用档位都更短。",
        "TTFT p99：llama.cpp Q4_K_M 在 C=1、C=2、C=4 更短，在 C=8、C=16、C=64 更长。",
    ]


@pytest.mark.parametrize(
    ("b", "told"),
    [
        ((0.2, 0.3), ["TTFT p50: b answers later at every level."]),
        ((0.05, 0.1), ["TTFT p50: b answers sooner at C=1."]),  # even at C=2
        ((0.05,), ["TTFT p50: b answers sooner at C=1."]),  # no other level shared
        ((0.1, 0.1), []),  # even throughout
    ],
    ids=["slower", "even somewhere", "one level", "even"],
)
def test_who_answers_sooner_is_told_as_it_is(b: tuple[float, ...], told: list[str]) -> None:
    assert said(pair(ttft(0.1, 0.1), ttft(*b))) == told


def test_servers_and_client_are_set_side_by_side() -> None:
    # 1 − 85.3 ÷ 93.5 = 8.8 %; 1 − 93 ÷ 102 = 8.8 %
    analysis = ANALYSES["round-2"]()
    (ledger,) = [block for block in chapter(analysis).blocks if isinstance(block, Ledger)]
    printer = Printer(analysis, catalogue().graph, "en")

    assert [[printer.amount(line.quantity) for line in group.lines] for group in ledger.groups] == [
        ["85.3", "93.5", "8.8"],
        ["93", "102", "8.8"],
    ]
    assert [line.is_sum for line in ledger.groups[0].lines] == [False, False, True]


def test_without_the_clients_view_the_servers_stand_alone() -> None:
    series = {"a": {"server_prefill": 0.1}, "b": {"server_prefill": 0.08}}
    analysis = analysed(
        memory_round({"a": {"c1": {"concurrency": 1}}, "b": {"c1": {"concurrency": 1}}}, of_series=series, baseline="a")
    )
    (ledger,) = chapter(analysis).blocks

    assert isinstance(ledger, Ledger)
    assert len(ledger.groups) == 1


def test_only_levels_at_which_a_ttft_is_known_have_a_row() -> None:
    assert table(ANALYSES["round-1"]()) == [["C=1", "104.9"]]
    assert len(table(ANALYSES["round-2"]())) == 7


def test_a_level_that_a_series_does_not_have_is_a_dash() -> None:
    assert table(pair(ttft(0.1), ttft(0.1, 0.2))) == [["C=1", "100", "100"], ["C=2", "—", "200"]]


@pytest.mark.parametrize(("name", "columns"), [("one series", 1), ("three series", 3)])
def test_each_series_has_a_column(name: str, columns: int) -> None:
    assert {len(row) for row in table(ANALYSES[name]())} == {1 + columns}
    assert said(ANALYSES[name]()) == []  # alone, or even with the baseline


@pytest.mark.parametrize("name", ["nothing recorded", "no levels", "arrival rates", "one level"])
def test_without_a_ttft_there_is_nothing_to_tell(name: str) -> None:
    assert chapter_of("prefill", ANALYSES[name]()) is None


def test_both_languages_name_prefill_as_the_field_does() -> None:
    analysis = ANALYSES["round-2"]()

    assert ["prefill" in text_of(chapter(analysis).heading, analysis, lang).lower() for lang in LANGS] == [True, True]


def test_numbers_of_an_excluded_level_are_in_parentheses() -> None:
    # llama.cpp at C=32: 478 and 3206 ms, excluded; vLLM there: 588 and 2854 ms
    assert table(ANALYSES["round-2"]())[5] == ["C=32", "588", "(478)", "2,854", "(3,206)"]


def test_levels_of_a_queue_are_left_out_of_who_answers_sooner() -> None:
    # At C=2 of b the TTFT is 9.5 s of 10 s: more than nine tenths of the latency is a wait, and b is not "later" there.
    def waiting(*seconds: float) -> Levels:
        answers = {"e2el_p50": 10.0, "output_tokens_mean": 100.0}
        return {level: {**seen, **answers} for level, seen in ttft(*seconds).items()}

    analysis = pair(waiting(0.2, 0.3), waiting(0.1, 9.5))
    assert said(analysis) == [
        "TTFT p50: b answers sooner at C=1.",
        "At C=2 the latency is that of a queue: b and a are not compared there.",
    ]
    assert "C=2 的时延由排队主导，不用来比较 b 与 a。" in said(analysis, "zh")
