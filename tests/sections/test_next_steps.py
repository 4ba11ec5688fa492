from __future__ import annotations

from dataclasses import replace

import pytest

from generator.frame import Analysis
from generator.text import LANGS, Lang, Text
from generator.told.blocks import Steps
from generator.told.findings import Finding, Status
from generator.told.prose import parse_prose
from generator.told.sentence import say
from tests.support.memory_round import memory_round
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import analysed, chapter_of, text_of, throughputs


def steps(analysis: Analysis, lang: Lang = "en") -> list[str]:
    """Return all steps, also those that unfold."""
    told = chapter_of("next_steps", analysis)
    if told is None:
        return []
    listed = [block for block in told.blocks if isinstance(block, Steps)]
    return [text_of(one, analysis, lang) for block in listed for one in (*block.steps, *block.more)]


def finding(
    status: Status, remedy: str | None, series: str | None = None, *, check: str = "toy", spoils: tuple[str, ...] = ()
) -> Finding:
    asked = None if remedy is None else say("做。", remedy)
    return Finding(check, status, say("话", "words"), series, spoils=spoils, remedy=asked)


def of_two(*findings: Finding) -> Analysis:
    """Return a round of two series of which nothing but these findings is known."""
    titles = {"toy": Text(zh="玩具", en="Toys"), "ball": Text(zh="球", en="Balls")}
    return replace(analysed(memory_round({"a": {}, "b": {}})), findings=findings, titles=titles)


def test_second_round_asks_for_its_crossover_and_then_to_repeat_its_excluded_level() -> None:
    # Both tails rest on too few requests at the same levels: one step. Pools: 262,144 ÷ 120,064 = 2.18.
    told = steps(ANALYSES["round-2"]())
    beginnings = (
        "Add a level or two between C=8 and C=16: the crossover of llama.cpp Q4_K_M at C ≈ 8.3 is only interpolated",
        "llama.cpp Q4_K_M: Run C=32 and both neighbours again",
        "llama.cpp Q4_K_M: Count tokens by the server's usage",
        "vLLM BF16 and llama.cpp Q4_K_M: Send 100 requests or more at C=1, C=2 and C=4",
        "Give llama.cpp Q4_K_M a KV pool of as many tokens as the baseline's and measure again: now it is 2.18× that",
    )

    places = [next(at for at, step in enumerate(told) if step.startswith(words)) for words in beginnings]
    assert places == sorted(places)
    assert places[0] == 0


def test_a_chinese_step_reads_as_one_sentence() -> None:
    assert (
        "给 llama.cpp Q4_K_M 配一个与基线 token 数相同的 KV 池再测：现在它的池子是基线的 2.18×，显存占用不可比。"
    ) in steps(ANALYSES["round-2"](), "zh")


def test_what_keeps_levels_out_comes_before_other_faults_and_gaps_come_last() -> None:
    analysis = of_two(
        finding("fail", "Look."), finding("fail", "Repeat.", "a", spoils=("c1",)), finding("unknown", "Record."),
        finding("warn", "Mend."), finding("note", "Read."), finding("pass", "Rest."), finding("warn", None),
    )  # fmt: skip

    assert steps(analysis) == ["a: Repeat.", "Look.", "Mend.", "Record. (Toys)"]


def test_gaps_name_what_they_unlock_and_what_serves_most_comes_first() -> None:
    analysis = of_two(
        finding("unknown", "Count.", "a"), finding("unknown", "Record.", "a"), finding("unknown", "Record.", "b"),
        finding("unknown", "Record.", "a", check="ball"),
    )  # fmt: skip

    assert steps(analysis) == ["Record. (Toys and Balls)", "a: Count. (Toys)"]
    assert steps(analysis, "zh")[0] == "做。（玩具、球）"


@pytest.mark.parametrize(("asked", "first", "more"), [(8, 8, 0), (9, 8, 1), (20, 8, 12)])
def test_a_report_lists_eight_steps_and_unfolds_the_rest(asked: int, first: int, more: int) -> None:
    told = chapter_of("next_steps", of_two(*(finding("warn", f"Mend {n}.") for n in range(asked))))
    assert told is not None
    (listed,) = told.blocks

    assert isinstance(listed, Steps)
    assert (len(listed.steps), len(listed.more)) == (first, more)


@pytest.mark.parametrize(
    ("measured", "recorded", "shown"),
    [
        pytest.param(3, 2, [3, 2], id="all fit"),
        pytest.param(10, 0, [8], id="only measurements"),
        pytest.param(0, 10, [8], id="only gaps"),
        pytest.param(10, 10, [4, 4], id="half of each"),
        pytest.param(10, 2, [6, 2], id="few gaps leave room"),
        pytest.param(3, 10, [3, 5], id="few measurements leave room"),
    ],
)
def test_eight_steps_are_shared_by_what_to_measure_and_what_to_record(
    measured: int, recorded: int, shown: list[int]
) -> None:
    asked = [finding("warn", f"Mend {n}.") for n in range(measured)]
    asked += [finding("unknown", f"Record {n}.") for n in range(recorded)]
    told = chapter_of("next_steps", of_two(*asked))
    assert told is not None

    listed = [block for block in told.blocks if isinstance(block, Steps)]
    assert [len(block.steps) for block in listed] == shown
    assert sum(len(block.more) for block in listed) == measured + recorded - sum(shown)


def test_pools_of_about_the_same_size_can_be_compared() -> None:
    # Round 1: 65,536 ÷ 86,896 = 0.75
    assert not any(step.startswith("Give ") for step in steps(ANALYSES["round-1"]()))


@pytest.mark.parametrize(("tokens", "asked"), [(50_000, True), (70_000, False), (140_000, False), (160_000, True)])
def test_pools_are_compared_in_both_directions(tokens: float, asked: bool) -> None:
    pools = {"a": {"kv_pool_tokens": 1e5}, "b": {"kv_pool_tokens": tokens}}
    analysis = analysed(memory_round({"a": {}, "b": {}}, of_series=pools, baseline="a"))

    assert any(step.startswith("Give b a KV pool") for step in steps(analysis)) is asked


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
    told = [step[:10] for step in steps(ANALYSES["two dips"]())]

    assert [step for step in told if step.startswith("a: Run")] == ["a: Run C=2", "a: Run C=8"]


def test_without_faults_and_gaps_there_is_nothing_to_do() -> None:
    assert chapter_of("next_steps", of_two(finding("pass", None), finding("note", "Read."))) is None


def test_what_the_authors_wrote_has_its_chapter_where_no_finding_asks_for_anything() -> None:
    prose = tuple(parse_prose("words", "next_steps", lang) for lang in LANGS)
    silent = of_two()

    assert chapter_of("next_steps", silent) is None
    told = chapter_of("next_steps", replace(silent, round=replace(silent.round, prose=prose)))
    assert told is not None
    assert told.blocks == ()


@pytest.mark.parametrize("section", ["prefill", "waves", "stalls", "anomaly", "expectations"])
def test_what_the_authors_wrote_has_its_chapter_where_the_data_have_nothing_to_tell(section: str) -> None:
    prose = tuple(parse_prose("words", section, lang) for lang in LANGS)
    bare = ANALYSES["nothing recorded"]().round

    assert chapter_of(section, analysed(bare)) is None
    assert chapter_of(section, analysed(replace(bare, prose=prose))) is not None
