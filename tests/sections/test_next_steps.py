from __future__ import annotations

from dataclasses import replace

import pytest

from generator.blocks import Steps
from generator.frame import Analysis
from generator.prose import parse_prose
from generator.text import LANGS, Lang
from tests.support.memory_round import memory_round
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import analysed, chapter_of, text_of, throughputs


def steps(analysis: Analysis, lang: Lang = "en") -> list[str]:
    told = chapter_of("next_steps", analysis)
    if told is None:
        return []
    return [text_of(one, analysis, lang) for block in told.blocks if isinstance(block, Steps) for one in block.steps]


def beginnings(analysis: Analysis) -> list[str]:
    return [" ".join(step.split()[:4]) for step in steps(analysis)]


def test_second_round_asks_for_seven_things() -> None:
    # Both tails rest on too few requests at the same levels: one step. Pools: 262,144 ÷ 120,064 = 2.18.
    first, latencies, counted, tails, stalls, bracket, pools = steps(ANALYSES["round-2"]())

    assert first.startswith("llama.cpp Q4_K_M: Run C=32 and both neighbours again")
    assert latencies.startswith("llama.cpp Q4_K_M: Record the TPOT p50")
    assert counted.startswith("llama.cpp Q4_K_M: Count tokens by the server's usage")
    assert tails.startswith("vLLM BF16 and llama.cpp Q4_K_M: Send 100 requests or more at C=1, C=2 and C=4")
    assert stalls.startswith("llama.cpp Q4_K_M: Take stalls from the mean ITL")
    assert bracket == (
        "Add a level or two between C=8 and C=16: the crossover of llama.cpp Q4_K_M at C ≈ 8.3 is only interpolated "
        "between these."
    )
    assert pools.endswith("now it is 2.18× that size, and memory use cannot be compared.")


def test_a_chinese_step_reads_as_one_sentence() -> None:
    *_, pools = steps(ANALYSES["round-2"](), "zh")

    assert pools == (
        "给 llama.cpp Q4_K_M 配一个与基线 token 数相同的 KV 池再测：现在它的池子是基线的 2.18×，显存占用不可比。"
    )


def test_pools_of_about_the_same_size_can_be_compared() -> None:
    # Round 1: 65,536 ÷ 86,896 = 0.75
    assert not any("KV pool" in step for step in steps(ANALYSES["round-1"]()))


@pytest.mark.parametrize(("tokens", "asked"), [(50_000, True), (70_000, False), (140_000, False), (160_000, True)])
def test_pools_are_compared_in_both_directions(tokens: float, asked: bool) -> None:
    pools = {"a": {"kv_pool_tokens": 1e5}, "b": {"kv_pool_tokens": tokens}}
    analysis = analysed(memory_round({"a": {}, "b": {}}, of_series=pools, baseline="a"))

    assert any("KV pool" in step for step in steps(analysis)) is asked


@pytest.mark.parametrize(
    ("first", "asked"), [(1, False), (2, True)], ids=["between C=1 and C=2", "between C=2 and C=4"]
)
def test_a_level_is_asked_for_where_one_fits_in(first: float, asked: bool) -> None:
    # 100 against 110, then 200 against 190: they cross between the first level and the second
    series = {"a": throughputs(100, 200, first=first), "b": throughputs(110, 190, first=first)}
    analysis = analysed(memory_round(series, baseline="a"))

    assert any(step.startswith("Add a level") for step in steps(analysis)) is asked


def test_a_series_alone_is_not_named() -> None:
    told = steps(ANALYSES["one series"]())

    assert told
    assert [step for step in told if step.startswith("alone")] == []


def test_steps_for_several_levels_stay_apart() -> None:
    assert [step[:10] for step in steps(ANALYSES["two dips"]())][:2] == ["a: Run C=2", "a: Run C=8"]


@pytest.mark.parametrize("name", ["nothing recorded", "no levels", "arrival rates", "all of both series spoilt"])
def test_without_faults_and_gaps_there_is_nothing_to_do(name: str) -> None:
    assert chapter_of("next_steps", ANALYSES[name]()) is None


@pytest.mark.parametrize("section", ["next_steps", "prefill", "waves", "stalls", "anomaly", "expectations"])
def test_what_the_authors_wrote_has_its_chapter_where_the_data_have_nothing_to_tell(section: str) -> None:
    prose = tuple(parse_prose("words", section, lang) for lang in LANGS)
    bare = ANALYSES["nothing recorded"]().round

    assert chapter_of(section, analysed(bare)) is None
    assert chapter_of(section, analysed(replace(bare, prose=prose))) is not None
