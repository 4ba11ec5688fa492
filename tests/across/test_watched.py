from __future__ import annotations

from generator.across.watched import Spot, amount_at, evidence, levels_of, most, of_worst, spots_of
from generator.analysis.stages import analyse
from generator.frame import Analysis
from generator.model import Round, Trial
from generator.told.sentence import LevelName, Sentence, say
from generator.values import Address
from tests.support.memory_round import GRAPH, Numbers, memory_round

METRIC = "gpu_power_max"


def watched(levels: dict[str, Numbers], **of_series: float) -> tuple[Analysis, Round]:
    runs: dict[Trial, None] = {("s", level, None): None for level in levels}
    numbers = {level: {"concurrency": float(level[1:]), **seen} for level, seen in levels.items()}
    round_ = memory_round({"s": numbers}, of_series={"s": of_series}, runs=runs)
    return analyse(round_, GRAPH, ()), round_


def test_levels_go_before_the_series_as_a_whole() -> None:
    analysis, round_ = watched({"c1": {METRIC: 200.0}, "c2": {}}, gpu_power_max_of_series=300.0)

    (spot,) = spots_of(analysis, round_.series[0], METRIC)

    assert levels_of([spot]) == ("c1",)
    assert amount_at(analysis, spot, METRIC) == 200


def test_the_series_stands_in_where_no_level_was_watched() -> None:
    analysis, round_ = watched({"c1": {}}, gpu_power_max_of_series=300.0)

    (spot,) = spots_of(analysis, round_.series[0], METRIC)

    assert levels_of([spot]) == ()
    assert amount_at(analysis, spot, METRIC) == 300
    assert [one.metric for one in evidence([spot], METRIC)] == ["gpu_power_max_of_series"]


def test_counts_of_the_client_are_of_the_level_or_of_all_runs() -> None:
    _, round_ = watched({"c1": {}})
    (series,) = round_.series

    assert Spot(series, series.levels[0]).counted("failed") == Address("failed", "level", "s", "c1")
    assert Spot(series).counted("failed") == Address("failed_total", "series", "s")


def test_where_nothing_was_watched_there_is_no_spot() -> None:
    analysis, round_ = watched({"c1": {}})

    assert spots_of(analysis, round_.series[0], METRIC) == []


def test_the_most_of_several_is_named() -> None:
    analysis, round_ = watched({"c1": {METRIC: 200.0}, "c2": {METRIC: 250.0}})
    spots = spots_of(analysis, round_.series[0], METRIC)

    worst = most(analysis, spots, METRIC)

    assert worst.level is not None
    assert worst.level.id == "c2"
    told = of_worst([worst], worst, _told(worst))
    assert of_worst(spots, worst, told).parts["level"] == LevelName("s", "c2")
    assert told == _told(worst)


def _told(spot: Spot) -> Sentence:
    return say(zh="多达 {n}", en="{n} it is", n=spot.value(METRIC))
