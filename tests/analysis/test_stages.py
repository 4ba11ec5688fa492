from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from generator.analysis.stages import analyse
from generator.frame import Analysis
from generator.kinds import Check, Stage, check
from generator.text import same
from generator.themes import RECORDS
from generator.told.findings import Finding, Status
from generator.told.sentence import say
from tests.support.example_rounds import one_series, published, runs, three_series
from tests.support.memory_round import GRAPH, memory_round

BASELINE, COMPARED = "vllm-bf16", "llamacpp-q4_k_m"
Examine = Callable[[Analysis], Sequence[Finding]]


def checking(examine: Examine, stage: Stage = "levels") -> Check:
    return Check("toy", same("toy"), same("toy"), stage, examine, RECORDS, spoils=True)


def finding(status: Status = "fail", *, series: str | None = COMPARED, spoils: tuple[str, ...] = ()) -> Finding:
    return Finding("toy", status, say(zh="话", en="words"), series=series, spoils=spoils)


def spoiling(*levels: str, series: str = COMPARED) -> Check:
    return checking(lambda analysis: [finding(series=series, spoils=levels)])


def crossover(analysis: Analysis, metric: str = "crossover_concurrency") -> float | None:
    return analysis.frame.of_pair(metric, COMPARED).value


# What a spoilt level changes


def test_a_spoilt_level_moves_the_crossover() -> None:
    # Between 8 and 16 the throughput ratio falls from 415.6 ÷ 411.4 to 548.0 ÷ 681.5; without 16, the bracket
    # ends at 32, where it is 443.7 ÷ 1026.7.
    whole = analyse(published("round-2"), GRAPH, [])
    without = analyse(published("round-2"), GRAPH, [spoiling("c16")])

    # ln 1.01021 = 0.010157; ln 0.80411 = −0.218021. 8 × 2^(0.010157 ÷ 0.228178) = 8 × 1.03133
    assert crossover(whole) == pytest.approx(8.2507, abs=1e-4)
    # ln 0.43216 = −0.838956. 8 × 4^(0.010157 ÷ 0.849113) = 8 × 1.01672
    assert crossover(without) == pytest.approx(8.1338, abs=1e-4)


def test_a_level_spoilt_in_the_baseline_moves_it_as_well() -> None:
    without = analyse(published("round-2"), GRAPH, [spoiling("c16", series=BASELINE)])

    assert crossover(without) == pytest.approx(8.1338, abs=1e-4)


def test_a_spoilt_end_moves_the_slope() -> None:
    without = analyse(published("round-2"), GRAPH, [spoiling("c64")])

    # (61.36 ms − 5.84 ms) ÷ (32 − 1)
    slope = without.frame.of_series("marginal_step_cost", COMPARED)
    assert slope.value == pytest.approx(0.05552 / 31)
    assert [listed.address.level for listed in slope.inputs] == ["c1", "c32"] * 3


def test_sums_over_all_levels_count_the_spoilt_ones() -> None:
    without = analyse(published("round-2"), GRAPH, [spoiling("c32", "c64")])

    # 40 + 60 + 80 + 120 + 200 + 320 + 512
    assert without.frame.of_series("requests_total", COMPARED).value == 1332


def test_level_values_stay_as_they_were() -> None:
    whole = analyse(published("round-2"), GRAPH, []).frame.values
    without = analyse(published("round-2"), GRAPH, [spoiling("c16")]).frame.values

    kept = [where for where in whole if where.scope in ("level", "pair-level")]
    assert {where: without[where] for where in kept} == {where: whole[where] for where in kept}


def test_spoilt_levels_name_the_finding_and_are_not_usable() -> None:
    seen = analyse(published("round-2"), GRAPH, [spoiling("c16", "c32")])

    assert set(seen.spoilt) == {(COMPARED, "c16"), (COMPARED, "c32")}
    assert seen.spoilt[COMPARED, "c16"].check == "toy"
    assert [level.id for level in seen.usable(COMPARED)] == ["c1", "c2", "c4", "c8", "c64"]
    assert len(seen.usable(BASELINE)) == 7
    assert len(seen.shared(COMPARED)) == 7


def test_with_every_level_spoilt_nothing_is_concluded() -> None:
    levels = [level.id for level in published("round-2").series_by_id(COMPARED).levels]
    seen = analyse(published("round-2"), GRAPH, [spoiling(*levels)])

    value = seen.frame.of_pair("crossover_concurrency", COMPARED)
    assert value.value is None
    assert value.reason is not None
    assert value.reason.en == "there is no usable level"


# What a check may do


@pytest.mark.parametrize("status", ["pass", "note", "warn", "unknown"])
def test_only_a_failure_may_spoil(status: Status) -> None:
    check = checking(lambda analysis: [finding(status, spoils=("c16",))])

    with pytest.raises(TypeError, match="toy spoils a level without failing"):
        analyse(published("round-2"), GRAPH, [check])


def test_what_spoils_names_its_series() -> None:
    check = checking(lambda analysis: [finding(series=None, spoils=("c16",))])

    with pytest.raises(TypeError, match="or of no series"):
        analyse(published("round-2"), GRAPH, [check])


def test_what_may_spoil_says_so_beforehand() -> None:
    silent = replace(spoiling("c16"), spoils=False)

    with pytest.raises(TypeError, match="toy spoils a level and does not declare that it may: write spoils=True"):
        analyse(published("round-2"), GRAPH, [silent])


def test_a_check_of_the_second_stage_cannot_declare_that_it_spoils() -> None:
    with pytest.raises(TypeError, match="may warn, never spoil"):
        check(theme=RECORDS, title=same("toy"), question=same("toy"), stage="conclusions", spoils=True)


def test_a_check_of_the_second_stage_may_not_spoil() -> None:
    check = checking(lambda analysis: [finding(spoils=("c16",))], "conclusions")

    with pytest.raises(TypeError, match="may warn, never spoil"):
        analyse(published("round-2"), GRAPH, [check])


def test_a_check_of_the_second_stage_sees_what_was_spoilt_and_concluded() -> None:
    seen: list[Analysis] = []

    def look(analysis: Analysis) -> Sequence[Finding]:
        seen.append(analysis)
        return []

    analyse(published("round-2"), GRAPH, [checking(look, "conclusions"), spoiling("c16")])

    assert set(seen[0].spoilt) == {(COMPARED, "c16")}
    assert [early.check for early in seen[0].findings] == ["toy"]
    assert crossover(seen[0]) == pytest.approx(8.1338, abs=1e-4)


def test_a_check_of_the_first_stage_sees_levels_and_no_conclusion() -> None:
    seen: list[Analysis] = []

    def look(analysis: Analysis) -> Sequence[Finding]:
        seen.append(analysis)
        return []

    analyse(published("round-2"), GRAPH, [checking(look)])

    assert seen[0].frame.of_level("failed", COMPARED, "c32").value == 1
    assert {where.scope for where in seen[0].frame.values} == {"level", "series", "round"}
    assert seen[0].findings == ()


def test_findings_come_by_severity_and_then_as_found() -> None:
    def find(*statuses: Status) -> Examine:
        return lambda analysis: [finding(status, series=f"{status}-{len(statuses)}") for status in statuses]

    late = checking(find("fail", "unknown"), "conclusions")
    early = checking(find("pass", "fail", "note", "warn"))
    seen = analyse(published("round-2"), GRAPH, [late, early])

    assert [found.status for found in seen.findings] == ["fail", "fail", "warn", "unknown", "note", "pass"]
    assert [found.series for found in seen.findings][:2] == ["fail-4", "fail-2"]
    assert seen.titles == {"toy": same("toy")}


# What is in the frame


def test_every_metric_has_a_value_wherever_it_can_have_one() -> None:
    frame = analyse(three_series(), GRAPH, []).frame
    counts = {"round": 1, "series": 3, "level": 3 * 4, "pair": 2, "pair-level": 2 * 4}
    only_of_runs = [metric for metric in GRAPH.of_scope("level") if metric not in GRAPH.of_levels(from_runs=False)]

    for (key, basis), metric in GRAPH.metrics.items():
        if metric not in only_of_runs:
            found = [where for where in frame.values if (where.metric, where.basis) == (key, basis)]
            assert len(found) == counts[metric.scope], key
            assert {where.scope for where in found} == {metric.scope}


def test_a_level_with_runs_has_a_value_of_every_metric_and_each_trial_of_it() -> None:
    frame = analyse(runs(), GRAPH, []).frame

    for metric in GRAPH.of_scope("level"):
        found = [where for where in frame.values if (where.metric, where.basis) == (metric.key, metric.basis)]
        trials = [where.trial for where in found if (where.series, where.level) == ("base", "c2")]
        assert sorted(trials, key=str) == [1, 2, 3, None], metric.key


def test_without_a_baseline_there_are_no_pairs() -> None:
    frame = analyse(one_series(), GRAPH, []).frame

    assert {where.scope for where in frame.values} == {"round", "series", "level"}


def test_pairs_meet_at_the_levels_that_both_have() -> None:
    levels = {"a": {"c1": {"concurrency": 1.0}, "c2": {"concurrency": 2.0}}, "b": {"c2": {"concurrency": 2.0}}}
    frame = analyse(memory_round(levels, baseline="a"), GRAPH, []).frame

    assert {where.level for where in frame.values if where.scope == "pair-level"} == {"c2"}
    assert {where.series for where in frame.values if where.scope == "pair"} == {"b"}


def test_a_round_without_a_number_is_analysed() -> None:
    frame = analyse(memory_round({"a": {}, "b": {}}, baseline="a"), GRAPH, []).frame

    assert {value.value for value in frame.values.values()} == {None}
    assert all(value.reason is not None for value in frame.values.values())
