from __future__ import annotations

import pytest

from generator.report_kinds import Chapter
from generator.told.blocks import Paragraph, Table
from tests.support.memory_round import memory_round
from tests.support.odd_rounds import ANALYSES
from tests.support.request_rows import answer, requests_of
from tests.support.telling import analysed, chapter_of, text_of


def chapter(name: str) -> Chapter:
    told = chapter_of("stalls", ANALYSES[name]())
    assert told is not None
    return told


def table(name: str) -> Table:
    (found,) = [block for block in chapter(name).blocks if isinstance(block, Table)]
    return found


def worst(name: str) -> list[str]:
    return [text_of(one, ANALYSES[name]()) for one in chapter(name).blocks if isinstance(one, Paragraph)][1:]


def test_second_round_stalls_most_at_usable_levels() -> None:
    # Shares 1 − p50 ÷ mean: vLLM 1 − 22.50 ÷ 42.22 = 46.7 % at C=64; llama.cpp 1 − 10.30 ÷ 18.33 = 43.8 % at C=8,
    # before 1 − 35.32 ÷ 56.25 = 37.2 % at C=64.
    vllm, llamacpp = worst("round-2")

    assert vllm == (
        "Across its usable levels vLLM BF16 stalls most at C=64: 46.7% of the decode time is spent waiting, with a "
        "median gap of 22.50 ms and a p99 of 207.6 ms."
    )
    assert "llama.cpp Q4_K_M stalls most at C=8: 43.8% of" in llamacpp
    assert llamacpp.endswith("with a median gap of 10.30 ms and a p99 of 104.8 ms.")


def test_first_round_takes_the_mean_tpot() -> None:
    # 1 − 19.99 ÷ 28.37 = 29.5 %; 1 − 21.02 ÷ 31.40 = 33.1 %, which was published as 49 %: 31.40 ÷ 21.02 − 1.
    assert ["29.5%" in worst("round-1")[0], "33.1%" in worst("round-1")[1]] == [True, True]
    assert "the mean TPOT stands in for it" in text_of(table("round-1").caption, ANALYSES["round-1"]())
    assert [heading.label.text.en for heading in table("round-1").headings][2:4] == ["ITL p50", "TPOT mean"]


def test_second_round_knows_the_mean_gap() -> None:
    assert text_of(table("round-2").caption, ANALYSES["round-2"]()) == "Stalls, level by level"
    assert [heading.label.text.en for heading in table("round-2").headings] == [
        "series",
        "concurrency",
        "ITL p50",
        "ITL mean",
        "mean ÷ median",
        "overhead",
        "share of decode time",
    ]


def test_an_unknown_tail_is_not_spoken_of() -> None:
    # early: gaps of 8 ms × (1 + 0.25 × 4) = 16 ms and a mean 0.02 s × √4 above 8 ms = 48 ms at C=4: 1 − 16 ÷ 48.
    assert worst("three series")[1] == (
        "Across its usable levels early stalls most at C=4: 66.7% of the decode time is spent waiting, with a median "
        "gap of 16.0 ms."
    )


def test_each_series_has_its_sentence() -> None:
    assert len(worst("one series")) == 1
    assert len(worst("three series")) == 3


def test_spoilt_levels_are_in_the_table_and_in_no_sentence() -> None:
    # llama.cpp has no ITL p50 at C=64, hence no share: 3 + 2 rows
    assert [row.spoilt is not None for row in table("all of both series spoilt").rows] == [True] * 5
    assert worst("all of both series spoilt") == []


@pytest.mark.parametrize("name", ["nothing recorded", "no levels", "one level", "arrival rates"])
def test_without_a_mean_there_is_nothing_to_tell(name: str) -> None:
    assert chapter_of("stalls", ANALYSES[name]()) is None


def test_a_p99_of_gaps_is_not_the_longest_stall() -> None:
    # Two answers of 100 gaps: 10 ms all, but for one of 3 s. Of TTFTs there are two.
    run = requests_of(answer(0.1, *[0.01] * 100), answer(0.1, *[0.01] * 99, 3.0))
    analysis = analysed(memory_round({"s": {"c1": {"concurrency": 1}}}, runs={("s", "c1", None): run}))
    told = chapter_of("stalls", analysis)

    assert told is not None
    text = text_of(told, analysis)
    assert "The p99 is not the longest stall: of 200 gaps the longest took 3,000 ms." in text
    assert "Percentiles of TTFT rest on only 2 requests." in text
