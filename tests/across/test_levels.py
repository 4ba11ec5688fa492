"""Levels as sections tell of them."""

from __future__ import annotations

import pytest

from generator.across.levels import (
    ARRIVALS,
    AT_ONCE,
    CLOSED_LOOP,
    Shown,
    all_places,
    arrival,
    at_level,
    at_levels,
    at_runs,
    by_kind_of_data,
    drawn_levels,
    has_requests,
    highest,
    is_small_run,
    known_addresses,
    known_at,
    left_undrawn,
    level_names,
    level_table,
    load_axis_label,
    lowest,
    machine_of,
    number_at,
    place_name,
    place_row,
    places_with,
    row_name,
    seen_at,
    shared_places,
    slope_ends,
    usable_on_both,
    why_spoilt,
    workloads,
    worst_level,
)
from generator.machines.records import NOTHING_KNOWN
from generator.model import Level
from generator.text import Text, same
from generator.told.blocks import Table
from generator.told.quoting import MOST_OF_ALL
from generator.told.sentence import LevelName, Listing, Quantity, Sentence, SeriesName, say
from generator.values import Address
from tests.support.analyses import BASELINE, COMPARED, small_analysis
from tests.support.memory_round import Numbers, memory_round
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import analysed, text_of

STEP = Shown("itl_p50", same("ITL p50"), "s")
SHARE = Shown("floor_ratio", same("floor"), "%")


def table(*columns: Shown, spoil: str | None = None, series: str | None = None) -> Table:
    analysis = small_analysis(spoil={COMPARED: (spoil,)} if spoil else None)
    places = [place for place in all_places(analysis) if series in (None, place[0].id)]
    return level_table(analysis, "key", say(zh="表", en="table"), columns, places)


def test_levels_come_series_by_series() -> None:
    places = [(series.id, level.id) for series, level in all_places(small_analysis())]

    assert places == [(series, level) for series in (BASELINE, COMPARED) for level in ("c1", "c8", "c64")]


def test_levels_at_which_a_metric_is_unknown_are_left_out() -> None:
    # the ITL p50 of llama.cpp at C=64 is an empty cell
    assert (COMPARED, "c64") not in [(s.id, one.id) for s, one in places_with(small_analysis(), "itl_p50")]
    assert len(places_with(small_analysis(), "itl_p50")) == 5


def test_numbers_come_with_their_levels() -> None:
    analysis = small_analysis()
    series = analysis.round.series_by_id(COMPARED)

    known = known_at(analysis, "itl_p50", series, series.levels)

    assert [(number, level.id) for number, level in known] == [(0.00584, "c1"), (0.0103, "c8")]


@pytest.mark.parametrize(("numbers", "low", "high"), [((3, 1, 2), 1, 0), ((1, 1), 0, 0), ((5,), 0, 0)])
def test_the_first_of_equal_levels_is_taken(numbers: tuple[float, ...], low: int, high: int) -> None:
    found = [(number, Level(str(at))) for at, number in enumerate(numbers)]

    assert (lowest(found).id, highest(found).id) == (str(low), str(high))


def test_a_table_has_a_row_for_each_level() -> None:
    made = table(STEP, SHARE)

    assert [heading.label.text.en for heading in made.headings] == ["series", "concurrency", "ITL p50", "floor"]
    assert [heading.unit for heading in made.headings] == ["", "", "s", "%"]
    assert made.rows[0].cells == (
        SeriesName(BASELINE),
        LevelName(BASELINE, "c1"),
        Quantity(Address("itl_p50", "level", BASELINE, "c1"), unit="s", bare=True),
        Quantity(Address("floor_ratio", "level", BASELINE, "c1"), bare=True),
    )
    assert len(made.rows) == 6


def test_levels_of_one_series_do_not_repeat_its_name() -> None:
    made = table(STEP, series=BASELINE)

    assert made.headings[0].label.text.en == "concurrency"
    assert made.rows[0].cells[0] == LevelName(BASELINE, "c1")


def test_what_is_known_nowhere_has_no_column() -> None:
    made = table(Shown("kv_pool_share", same("share"), "%"), STEP)

    assert [heading.label.text.en for heading in made.headings] == ["series", "concurrency", "ITL p50"]


def test_spoilt_rows_say_why() -> None:
    assert [row.spoilt is not None for row in table(STEP, spoil="c8").rows] == [False] * 4 + [True, False]


def test_rates_are_called_rates() -> None:
    analysis = ANALYSES["arrival rates"]()
    made = level_table(analysis, "key", say(zh="表", en="table"), [STEP], all_places(analysis))

    assert made.headings[1].label.text.en == "arrival rate, req/s"


def test_levels_of_the_commoner_kind_of_load_are_drawn() -> None:
    rates = {f"r{rate}": {"rate": rate} for rate in (2, 3)}
    analysis = analysed(memory_round({"s": {"c1": {"concurrency": 1}, **rates}}))

    assert [level.id for level in drawn_levels(analysis, analysis.round.series[0])] == ["r2", "r3"]
    assert load_axis_label(analysis).en == "arrival rate, req/s"
    assert text_of(left_undrawn(analysis), analysis).startswith(
        "Drawn are the levels of one kind of load (arrival rate"
    )


def test_where_all_levels_are_of_one_kind_nothing_is_left_out() -> None:
    assert left_undrawn(small_analysis()) == []
    assert len(drawn_levels(small_analysis(), small_analysis().round.series[0])) == 3


def lengths(prompt: float, answer: float, *, asked: bool) -> dict[str, float]:
    """Return the lengths of a level of 10 requests, declared or counted."""
    if asked:
        return {"asked_input_tokens": prompt, "asked_output_tokens": answer}
    return {"completed": 10, "input_tokens_counted": 10 * prompt, "output_tokens_counted": 10 * answer}


@pytest.mark.parametrize(
    ("asked", "groups"),
    [(True, [["c1"], ["c2"], ["c4"]]), (False, [["c1", "c2"], ["c4"]])],
    ids=["declared lengths differ", "counted lengths are alike"],
)
def test_levels_of_one_workload_stand_together(asked: bool, groups: list[list[str]]) -> None:
    # 157 and 160 tokens in are alike where they were counted: prompts come out a little longer or shorter
    series = {
        "c1": {"concurrency": 1, **lengths(157, 64, asked=asked)},
        "c2": {"concurrency": 2, **lengths(160, 64, asked=asked)},
        "c4": {"concurrency": 4, **lengths(2077, 256, asked=asked)},
    }
    analysis = analysed(memory_round({"s": series}))
    only = analysis.round.series[0]

    assert [[level.id for level in group] for group in workloads(analysis, only, only.levels)] == groups


def test_levels_without_known_lengths_are_one_workload() -> None:
    analysis = analysed(memory_round({"s": {"c1": {"concurrency": 1}, "c2": {"concurrency": 2}}}))
    only = analysis.round.series[0]

    assert [len(group) for group in workloads(analysis, only, only.levels)] == [2]


@pytest.mark.parametrize(("completed", "trials", "small"), [(19, 1, True), (20, 1, False), (19, 2, False)])
def test_few_answers_of_one_run_are_a_small_run(completed: float, trials: int, small: bool) -> None:
    numbers = [None] if trials == 1 else list(range(1, trials + 1))
    seen = {"s": {"c1": {"concurrency": 1, "completed": completed}}}
    analysis = analysed(memory_round(seen, runs={("s", "c1", number): None for number in numbers}))
    series = analysis.round.series[0]

    assert is_small_run(analysis, (series, series.levels[0])) is small


def test_advice_fits_the_kind_of_data() -> None:
    seen = {"s": {"c1": {"concurrency": 1}}}
    table, runs = memory_round(seen), memory_round(seen, runs={("s", "c1", None): None})

    assert by_kind_of_data(table.series, runs=same("runs"), table=same("table")) == Sentence(same("table"))
    assert by_kind_of_data(runs.series, runs=same("runs"), table=same("table")) == Sentence(same("runs"))


def test_a_row_of_several_series_is_struck_through_only_where_all_are_excluded() -> None:
    one = small_analysis(spoil={BASELINE: ("c8",)})
    places = [(series, level) for series in one.round.series for level in series.levels if level.id == "c8"]

    assert row_name(one, places) == LevelName(COMPARED, "c8")
    assert row_name(small_analysis(spoil={BASELINE: ("c8",), COMPARED: ("c8",)}), places) == LevelName(BASELINE, "c8")


def test_numbers_of_runs_stand_at_each_trial() -> None:
    seen = {"s": {"c1": {"concurrency": 1}, "c8": {"concurrency": 8}}}
    series = memory_round(seen, runs={("s", "c1", None): None, ("s", "c8", 1): None, ("s", "c8", 2): None}).series[0]

    assert at_runs("completed", series) == [
        Address("completed", "level", "s", "c1"),
        Address("completed", "level", "s", "c8", trial=1),
        Address("completed", "level", "s", "c8", trial=2),
    ]


def test_a_number_that_only_runs_have_is_unknown_in_a_table() -> None:
    analysis = small_analysis()
    series = analysis.round.series_by_id(COMPARED)
    c1 = series.levels[0]

    assert number_at(analysis, at_level("silent_answers", series, c1)) is None
    assert number_at(analysis, at_level("concurrency", series, c1)) == 1


def test_levels_are_named_in_order_and_with_their_series() -> None:
    series = small_analysis().round.series_by_id(COMPARED)

    assert level_names(series, series.levels[:2]) == Listing((LevelName(COMPARED, "c1"), LevelName(COMPARED, "c8")))
    assert place_name(COMPARED, "c8").parts == {"s": SeriesName(COMPARED), "l": LevelName(COMPARED, "c8")}


def test_a_row_of_a_level_begins_with_its_names_and_says_why_it_is_excluded() -> None:
    analysis = small_analysis(spoil={COMPARED: ("c8",)})
    series = analysis.round.series_by_id(COMPARED)
    c1, c8, _ = series.levels

    assert place_row(analysis, (series, c1), same("x")).cells == (
        SeriesName(COMPARED), LevelName(COMPARED, "c1"), same("x"),
    )  # fmt: skip
    assert why_spoilt(analysis, (series, c1)) is None
    assert place_row(analysis, (series, c8)).spoilt == analysis.spoilt[COMPARED, "c8"].message


def test_the_slope_of_the_step_has_two_ends() -> None:
    # llama.cpp has no ITL p50 at C=64
    analysis = small_analysis()

    ends = slope_ends(analysis, analysis.round.series_by_id(COMPARED))

    assert ends == (LevelName(COMPARED, "c1"), LevelName(COMPARED, "c8"))


def test_a_table_of_results_has_no_requests() -> None:
    analysis = small_analysis()
    series = analysis.round.series[0]

    assert not has_requests(analysis, (series, series.levels[0]))


def test_a_metric_of_runs_alone_is_known_at_no_level_of_a_table() -> None:
    series = small_analysis().round.series[0]

    assert seen_at(small_analysis(), "longest_silence", series) == []
    assert [level.id for _, level in seen_at(small_analysis(), "itl_p50", series)] == ["c1", "c8", "c64"]


def test_numbers_of_several_levels_stand_level_by_level() -> None:
    series = small_analysis().round.series_by_id(COMPARED)
    first, second = series.levels[:2]

    assert at_levels(series, [first, second], "ttft_p50", "itl_p50") == (
        Address("ttft_p50", "level", COMPARED, first.id),
        Address("itl_p50", "level", COMPARED, first.id),
        Address("ttft_p50", "level", COMPARED, second.id),
        Address("itl_p50", "level", COMPARED, second.id),
    )


def test_only_addresses_with_a_number_are_known() -> None:
    analysis = small_analysis()
    series = analysis.round.series_by_id(COMPARED)
    without = at_level("itl_p50", series, next(level for level in series.levels if level.id == "c64"))
    having = at_level("itl_p50", series, series.levels[0])

    assert known_addresses(analysis, [without, having]) == (having,)


def test_a_level_is_usable_on_both_sides_where_neither_has_lost_it() -> None:
    shared = [level.id for level in small_analysis().shared(COMPARED)]
    first, second, *others = shared
    analysis = small_analysis(spoil={COMPARED: (first,), BASELINE: (second,)})

    assert [level.id for level in usable_on_both(analysis, COMPARED)] == others


def test_the_worst_level_is_named_where_it_is_one_of_several() -> None:
    series = small_analysis().round.series_by_id(COMPARED)
    worst, told = series.levels[0], say(zh="两条", en="two")

    assert worst_level(told, MOST_OF_ALL, series, worst, [worst]) == told
    named = worst_level(told, MOST_OF_ALL, series, worst, series.levels)
    assert named.parts == {"level": LevelName(COMPARED, worst.id), "told": told}


def test_nothing_is_known_of_a_machine_that_left_no_record() -> None:
    round_ = memory_round({"s": {"l": {}}})

    assert machine_of(round_, round_.series[0]) == NOTHING_KNOWN


def test_shared_places_are_of_one_id_and_load() -> None:
    one, two = {"concurrency": 1.0}, {"concurrency": 2.0}
    analysis = analysed(memory_round({"a": {"x": one, "y": two}, "b": {"x": one, "y": one}, "c": {"x": one}}))

    assert [[(s.id, level.id) for s, level in places] for places in shared_places(all_places(analysis))] == [
        [("a", "x"), ("b", "x"), ("c", "x")]
    ]


@pytest.mark.parametrize(
    ("seen", "told"),
    [
        ({"concurrency": 4}, CLOSED_LOOP),
        ({"completed": 9}, AT_ONCE),
        ({"generation_throughput": 50}, None),  # no server, no requests
        ({"rate": 4}, None),
        ({"rate": 4, "burstiness": 1}, ARRIVALS["poisson"]),
        ({"rate": 4, "burstiness": 0.5}, ARRIVALS["gamma"]),
    ],
)
def test_arrival_is_how_requests_come(seen: Numbers, told: Text | None) -> None:
    analysis = analysed(memory_round({"s": {"l": seen}}))

    assert arrival(analysis, all_places(analysis)[0]) == told
