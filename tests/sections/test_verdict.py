from __future__ import annotations

import re
from dataclasses import replace

import pytest

from generator.deciding.between_levels import turning_place
from generator.frame import Analysis
from generator.render.wording.numbers import Printer
from generator.report_kinds import Chapter
from generator.text import LANGS, Lang
from generator.told.blocks import ByLoad, Cards, Paragraph
from generator.told.prose import parse_prose
from tests.support.choices import pair_of
from tests.support.example_rounds import published
from tests.support.memory_round import Levels, memory_round
from tests.support.odd_rounds import ANALYSES, by_rate
from tests.support.telling import analysed, catalogue, chapter_of, text_of, throughputs


def chapter(analysis: Analysis) -> Chapter:
    told = chapter_of("verdict", analysis)
    assert told is not None
    return told


def leads(name: str) -> list[str]:
    """Return the leading paragraphs of a round, in English."""
    analysis = ANALYSES[name]()
    blocks = chapter(analysis).blocks
    return [text_of(one, analysis) for one in blocks if isinstance(one, Paragraph) and one.kind == "lead"]


def cards(analysis: Analysis, series: int) -> list[tuple[str, str]]:
    rows = [block for block in chapter(analysis).blocks if isinstance(block, Cards)]
    return [(text_of(card.label, analysis), text_of(card.context, analysis)) for card in rows[series].cards]


def test_second_round_changes_hands_once() -> None:
    # Steps at C=1: 15.83 ÷ 5.84 = 2.71; bytes 14.207 GB ÷ 4.746 GB = 2.99, and ÷ 4.440 GB = 3.20 without the
    # embedding. Throughput 161.5 ÷ 61.9 = 2.61 at C=1 and 1064.8 ÷ 1387.8 = 0.77 at C=64; 415.6 ÷ 411.4 = 1.01 at C=8
    # and 548.0 ÷ 681.5 = 0.80 at C=16.
    (lead,) = leads("round-2")

    assert lead == (
        "Up to C=4, llama.cpp Q4_K_M delivers more; at the usable levels from C=16 on, vLLM BF16 does; at C=8 it "
        "is too close to call; between C=4 and C=16, who leads is not settled (the curves meet, "
        "provisionally, at C ≈ 8.3): llama.cpp Q4_K_M delivers 2.61× what vLLM BF16 does at C=1, and 0.77× at C=64. "
        "At C=1 a decode step (one token for each request in flight) takes 5.84 ms on llama.cpp "
        "Q4_K_M and 15.83 ms on vLLM BF16: llama.cpp Q4_K_M is 2.71× as fast; byte counts predict 3.20× with weights "
        "counted alike."
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        pytest.param(
            "compared leads throughout", "b keeps the lead in throughput: b delivers 1.25× what a", id="100 ÷ 80"
        ),
        pytest.param(
            "compared trails throughout", "a keeps the lead in throughput: b delivers 0.80× what a", id="80 ÷ 100"
        ),
        pytest.param("compared trails throughout", "12.5 ms on b and 10.0 ms on a: b is 0.80× as fast", id="slower"),
        pytest.param(
            "three crossings",
            "Up to C=1, b delivers more; the lead changes 3 times, first between C=1 and C=2, where who leads is not "
            "settled (the curves meet, provisionally, at C ≈ 1.6): b",
            id="1.1, 0.95, 1.1, 0.875",
        ),
        pytest.param("one level", "at C=1 only, which shows no crossover: b delivers 0.80× what a", id="one level"),
        pytest.param("no level shared", "crossover cannot be computed: there is no usable", id="none shared"),
        pytest.param(
            "all of the compared series spoilt", "cannot be computed: there is no usable level", id="all spoilt"
        ),
        pytest.param(
            "arrival rates", "b keeps the lead in throughput: b delivers 1.10× what a does at 1 req/s", id="rates"
        ),
        pytest.param(
            "arrival rates that cross",
            "Up to 1 req/s, b delivers more; from 2 req/s on, a does; between the two, who leads is not settled: b",
            id="rates cross",
        ),
    ],
)
def test_throughput_is_told_as_it_is(name: str, words: str) -> None:
    (lead,) = leads(name)

    assert words in lead
    assert "—" not in lead


def test_prediction_is_left_out_where_there_is_none() -> None:
    (lead,) = leads("arrival rates")

    assert lead.endswith("10.0 ms on b and 10.0 ms on a: b is 1.00× as fast.")


def test_each_of_three_series_has_its_own_paragraph() -> None:
    first, second = leads("three series")

    assert "early delivers" in first
    assert "late delivers" in second


def test_series_alone_is_held_against_its_floor() -> None:
    # Alone: 55 × 64 ÷ (1 + 0.05 × 64) = 838.1 tok/s; its step is 16 ms × 4.2 = 67.2 ms, its floor
    # 7e9 × 2 B + 64 × 1100 × 57344 B = 18.04 GB ÷ 1000 GB/s: 26.8 %.
    (lead,) = leads("one series")

    assert lead == (
        "alone delivers most at C=64: 838 tok/s. A decode step (one token for each request in flight) then "
        "takes 67.2 ms; its floor, the least that the hardware allows, is 26.8% of that."
    )


def test_without_a_baseline_each_series_speaks_for_itself() -> None:
    assert [lead.split(":")[0] for lead in leads("no baseline")] == ["a delivers most at C=8", "b delivers most at C=8"]


def test_unknown_floor_is_a_dash_that_leads_to_its_reason() -> None:
    analysis = ANALYSES["arrival rates"]()
    (row, _) = [block for block in chapter(analysis).blocks if isinstance(block, Cards)]

    assert cards(analysis, 0) == [("Decode step at 1 req/s", "floor (hardware minimum) —")]
    assert 'href="how.html#' in Printer(analysis, catalogue().graph, "en").html(row.cards[0].context)


def test_what_stalls_make_of_it_is_left_out_where_it_is_not_known() -> None:
    # No throughput of vLLM is known at C=32 of the first round.
    assert ("Floor ÷ step at C=32", "") in cards(ANALYSES["round-1"](), 0)


def test_who_leads_first_depends_on_the_ratio_below_the_crossing() -> None:
    # b delivers 90 ÷ 100 = 0.9 of a at C=1, and 220 ÷ 200 = 1.1 of it at C=2.
    analysis = analysed(memory_round({"a": throughputs(100, 200), "b": throughputs(90, 220)}, baseline="a"))
    lead = lead_of(analysis)

    # Straight on log axes, the ratio is 1 where log2 C = ln 0.9 ÷ (ln 0.9 − ln 1.1) = 0.525: C = 1.44.
    assert lead.startswith(
        "Up to C=1, a delivers more; from C=2 on, b does; between the two, who leads is not settled "
        "(the curves meet, provisionally, at C ≈ 1.4): b delivers 0.90×"
    )
    assert lead_of(analysis, "zh").startswith(
        "到 C=1 为止 a 吞吐更高，从 C=2 起 b 反超，两档之间谁领先未定（曲线暂定在 C ≈ 1.4 相交）：b 的吞吐在 C=1"
    )


@pytest.mark.parametrize("name", ["round-2", "cpu-engines"])
def test_that_nothing_is_settled_between_two_levels_leads_to_what_the_guide_says_of_them(name: str) -> None:
    analysis = analysed(published(name))
    (first, *_) = [one for one in chapter(analysis).blocks if isinstance(one, Paragraph) and one.kind == "lead"]
    guide = chapter_of("guide_verdict", analysis)
    assert guide is not None
    told = [line for block in guide.blocks if isinstance(block, ByLoad) for line in block.lines]
    (link,) = re.findall(
        r'<a href="#([^"]+)">who leads is not settled</a>',
        Printer(analysis, catalogue().graph, "en").html(first.sentence),
    )

    (line,) = [one for one in told if one.key == link]
    assert "the lead changes in output throughput" in text_of(line.sentence, analysis)


def test_levels_that_the_guide_does_not_compare_are_no_link() -> None:
    # b leads at C=1, a from C=2 on, and neither has any other level: the guide tells of that gap, and of no wider one.
    analysis, pair = pair_of(memory_round({"a": throughputs(100, 200), "b": throughputs(110, 180)}, baseline="a"))
    one, two = pair[1].levels

    assert turning_place(analysis, pair, (one, two)) == "guide-gap-turns-b-c1-c2"
    assert turning_place(analysis, pair, (two, two)) is None


def test_rates_that_cross_often_name_the_first_bracket() -> None:
    analysis = analysed(by_rate((1.1, 0.9, 1.2)))

    assert lead_of(analysis).startswith(
        "Up to 1 req/s, b delivers more; the lead changes 2 times, first between 1 req/s and 2 req/s, where who leads "
        "is not settled: b"
    )


def test_cards_of_the_second_round() -> None:
    # Marginal cost (35.32 − 5.84) ÷ 63 = 0.468 ms; its floor 1152 × 57344 B ÷ 1008 GB/s = 0.0655 ms: 7.14 ×.
    assert cards(ANALYSES["round-2"](), 1) == [
        ("Decode step at C=1", "floor (hardware minimum) 4.708 ms; counts the whole file: the floor is too high"),
        (
            "Floor ÷ step at C=64",
            "14.7% with stalls and first-token waits; counts the whole file: the floor is too high",
        ),
        ("Cost of one more request, on average from C=1 to C=64", "7.14× its floor of 0.0655 ms/slot"),
        ("C=32, excluded", "failed a check: see Anomaly"),
    ]


@pytest.mark.parametrize(
    ("name", "corrected"),
    [
        ("round-2", "3 published definitions are corrected under Definitions, on the page “Measurement and data”."),
        ("round-1", "2 published definitions are corrected under Definitions, on the page “Measurement and data”."),
    ],
)
def test_definitions_that_do_not_hold_are_a_link_away(name: str, corrected: str) -> None:
    analysis = ANALYSES[name]()
    note = chapter(analysis).blocks[-1]
    assert isinstance(note, Paragraph)

    assert text_of(note, analysis).endswith(corrected)
    assert '<a href="#definitions">Definitions</a>' in Printer(analysis, catalogue().graph, "en").html(note.sentence)


def test_a_round_with_one_definition_of_each_thing_corrects_nothing() -> None:
    analysis = ANALYSES["arrival rates"]()

    assert [one for one in chapter(analysis).blocks if isinstance(one, Paragraph) and one.kind == "note"] == []


def imported(requests: float, completed: float, **levels: float) -> Analysis:
    """Return a series of runs that were imported, each delivering so many tokens a second."""
    made = {
        level: {
            "concurrency": float(level[1:]),
            "output_throughput": amount,
            "requests": requests,
            "completed": completed,
        }
        for level, amount in levels.items()
    }
    return analysed(memory_round({"s": made}, runs={("s", level, None): None for level in made}))


def lead_of(analysis: Analysis, lang: Lang = "en") -> str:
    (lead,) = [one for one in chapter(analysis).blocks if isinstance(one, Paragraph) and one.kind == "lead"]
    return text_of(lead, analysis, lang)


def test_the_headline_of_imported_runs_speaks_of_failures() -> None:
    # 2 × 20 of 2 × 240 requests
    analysis = imported(240, 220, c4=30, c8=36.7)

    assert lead_of(analysis) == "s delivers most at C=8: 36.7 tok/s. 40 of 480 requests to s failed."
    assert lead_of(analysis, "zh").endswith("发给 s 的 480 条请求里有 40 条失败。")


def test_less_than_one_failure_in_a_hundred_is_no_headline() -> None:
    assert "failed" not in lead_of(imported(240, 238, c4=30, c8=36.7))


def test_of_a_single_level_nothing_is_most() -> None:
    assert lead_of(imported(240, 240, c8=36.7)) == "s delivers 36.7 tok/s at C=8."
    assert lead_of(imported(240, 240, c8=36.7), "zh") == "s 在 C=8 的输出吞吐为 36.7 tok/s。"


def stepping(completed: float, low: float, high: float) -> Analysis:
    seen = {"asked_input_tokens": 100, "asked_output_tokens": 100, "completed": completed}
    levels = {"c1": {**seen, "concurrency": 1, "itl_p50": low}, "c8": {**seen, "concurrency": 8, "itl_p50": high}}
    return analysed(memory_round({"s": levels}, runs={("s", level, None): None for level in levels}))


@pytest.mark.parametrize(
    ("analysis", "told"),
    [
        pytest.param(stepping(40, 0.010, 0.017), True, id="rises by 1 ms a slot"),
        pytest.param(stepping(19, 0.010, 0.017), False, id="few answers in single runs"),
        pytest.param(stepping(40, 0.017, 0.010), False, id="falls"),
    ],
)
def test_the_cost_of_one_more_request_is_a_headline_only_where_it_can_be_told(analysis: Analysis, told: bool) -> None:
    assert any("one more request" in label for label, _ in cards(analysis, 0)) is told


def verdict_on(tokens: tuple[float, ...]) -> str:
    """Return the verdict where b delivers 1.1, 0.9 and 0.8 of what a does; answers of a have 100 tokens each."""
    a, b = throughputs(100, 200, 400), throughputs(110, 180, 320)
    whole = {level: {**seen, "output_tokens_mean": 100.0} for level, seen in a.items()}
    other = {level: {**seen, "output_tokens_mean": mean} for (level, seen), mean in zip(b.items(), tokens, strict=True)}
    analysis = analysed(memory_round({"a": whole, "b": other}, baseline="a"))
    (lead,) = (one for one in chapter(analysis).blocks if isinstance(one, Paragraph) and one.kind == "lead")
    return text_of(lead, analysis)


def test_unequal_work_names_no_winner() -> None:
    assert verdict_on((50, 50, 50)).endswith(
        "At C=1, C=2 and C=4 the two sides did not do the same work, and no winner is named there."
    )
    assert "delivers" not in verdict_on((50, 50, 50))


def test_a_crossing_beside_unequal_work_is_not_told() -> None:
    told = verdict_on((100, 50, 100))

    assert told.startswith("b delivers 1.10× what a does at C=1, and 0.80× at C=4.")
    assert told.endswith("At C=2 the two sides did not do the same work, and no winner is named there.")


def test_a_crossing_away_from_unequal_work_stays() -> None:
    told = verdict_on((100, 100, 50))

    # The ratio is 1 where log2 C = ln 1.1 ÷ (ln 1.1 − ln 0.9) = 0.475: C = 1.39.
    assert "meet, provisionally, at C ≈ 1.4): b delivers 1.10× what a does at C=1, and 0.90× at C=2." in told
    assert told.endswith("At C=4 the two sides did not do the same work, and no winner is named there.")


def told_by_authors(analysis: Analysis) -> Analysis:
    prose = tuple(parse_prose("words", "verdict", lang) for lang in LANGS)
    return replace(analysis, round=replace(analysis.round, prose=prose))


def test_what_authors_say_of_series_alone_is_not_told_again_in_speeds() -> None:
    analysis = imported(240, 220, c8=36.7)
    blocks = chapter(told_by_authors(analysis)).blocks

    assert lead_of(analysis)
    assert not [one for one in blocks if isinstance(one, Paragraph) and one.kind == "lead"]


def test_that_throughput_cannot_be_compared_is_left_to_the_authors() -> None:
    # Round 1 has steps and no throughput: its authors say so.
    (lead,) = leads("round-1")
    analysis = ANALYSES["round-1"]()
    silent = replace(analysis, round=replace(analysis.round, prose=()))

    assert "crossover" not in lead
    assert "The crossover cannot be computed" in lead_of(silent)


def test_failures_stand_with_the_series_whose_they_are() -> None:
    level = {"concurrency": 8.0, "output_throughput": 30.0, "requests": 240.0}
    series = {"a": {"c8": {**level, "completed": 220.0}}, "b": {"c8": {**level, "completed": 240.0}}}
    analysis = analysed(memory_round(series, runs={(one, "c8", None): None for one in series}))
    of_a, of_b = (
        text_of(one, analysis) for one in chapter(analysis).blocks if isinstance(one, Paragraph) and one.kind == "lead"
    )

    assert of_a.endswith("20 of 240 requests to a failed.")
    assert "failed" not in of_b


def test_a_caution_says_what_it_means_before_all_else() -> None:
    analysis = ANALYSES["round-2"]()
    first = chapter(analysis).blocks[0]

    assert isinstance(first, Paragraph)
    assert first.kind == "caution"
    assert text_of(first, analysis).startswith("Qualitative only: the figures below show directions")


def test_over_lengths_no_lead_is_said_to_stay() -> None:
    # One request at a time, of 32 and of 1,536 tokens: 120 ÷ 100 with the short ones, 40 ÷ 80 with the long.
    def sweep(short: float, long: float) -> Levels:
        asked = {"concurrency": 1.0, "asked_output_tokens": 8.0}
        return {
            "i32": {**asked, "asked_input_tokens": 32.0, "output_throughput": short},
            "i1536": {**asked, "asked_input_tokens": 1536.0, "output_throughput": long},
        }

    analysis = analysed(memory_round({"a": sweep(100, 80), "b": sweep(120, 40)}, baseline="a"))
    told = chapter_of("verdict", analysis)

    assert "b delivers 1.20× what a does at C=1 (input 32), and 0.50× at C=1 (input 1,536)." in text_of(told, analysis)
    assert "keeps the lead" not in text_of(told, analysis)


def test_a_series_that_answers_nothing_from_a_load_on_is_told_of_first() -> None:
    # b is the faster one at C=1, and answers none of its 10 requests at C=2 and C=4.
    a = {
        f"c{load}": {"concurrency": load, "output_throughput": 80.0, "requests": 10.0, "completed": 10.0}
        for load in (1.0, 2.0, 4.0)
    }
    b = {level: {**seen, "completed": 10.0 if seen["concurrency"] == 1 else 0.0} for level, seen in a.items()}
    analysis = analysed(memory_round({"a": a, "b": b}, baseline="a"))

    assert lead_of(analysis).startswith("From C=2 on b answered no request at all.")
    assert lead_of(analysis, "zh").startswith("从 C=2 起，b 一条请求也没有回答。")
