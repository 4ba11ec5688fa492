"""A level that was driven several times: a value of each trial, and their median as the value of the level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pytest

from generator.analysis.addresses import all_addresses, level_addresses
from generator.analysis.stages import analyse
from generator.frame import Analysis
from generator.kinds import REPORTED, Check, Column, Metric
from generator.model import Round, Trial
from generator.runs.requests import NO_ANSWER, Requests
from generator.text import same
from generator.themes import RECORDS
from generator.told.findings import Finding
from generator.told.sentence import say
from generator.values import Address, Input, Observation, Value
from tests.support.memory_round import GRAPH, Levels, address, memory_round, observation
from tests.support.request_rows import answer, failure, requests_of, tokenless
from tests.support.toy_metrics import derived, resolver, seen

LEVEL = address("a", "level", "s", "c1")


def trial(number: int, metric: str = "a", level: str = "c1", basis: str | None = None) -> Address:
    return address(metric, "level", "s", level, basis, number)


def said(number: int, value: float, metric: str = "a", level: str = "c1") -> Observation:
    return observation(trial(number, metric, level), value, "reported")


def repeated(times: int, *further: Observation, **declared: float) -> Round:
    """Make a level that was run some times, from what was said of its trials and what is declared of all."""
    runs: dict[Trial, Requests | None] = {("s", "c1", number): None for number in range(1, times + 1)}
    return memory_round({"s": {"c1": {"concurrency": 1.0, **declared}}}, runs=runs, further=further)


def double_a() -> Metric:
    @derived("2 × a")
    def double(a: float) -> float:
        return 2 * a

    return double


# The median


def test_the_level_is_the_median_of_its_trials() -> None:
    round_ = repeated(3, said(1, 6), said(2, 9), said(3, 5))

    # 5, 6, 9: the middle one
    assert resolver(round_, seen("a")).value(LEVEL) == Value(
        LEVEL,
        6,
        origin="derived",
        rests_on="reported",
        formula="median(a)",
        inputs=(Input("a", trial(1)), Input("a", trial(2)), Input("a", trial(3))),
        n=3,
        low=5,
        high=9,
    )


def test_the_median_of_two_is_half_way_between_them() -> None:
    value = resolver(repeated(2, said(1, 5), said(2, 9)), seen("a")).value(LEVEL)

    # (5 + 9) ÷ 2
    assert (value.value, value.n, value.low, value.high) == (7, 2, 5, 9)


def test_trials_that_are_not_known_do_not_count() -> None:
    value = resolver(repeated(3, said(2, 9)), seen("a")).value(LEVEL)

    assert (value.value, value.n, value.low, value.high) == (9, 1, 9, 9)
    assert value.inputs == (Input("a", trial(2)),)


def test_what_no_trial_has_is_unknown_with_the_reason_of_the_trials() -> None:
    values = resolver(repeated(3), seen("a"), double_a())
    level, first = values.value(LEVEL), values.value(trial(1))

    assert (level.value, level.n, level.inputs) == (None, None, ())
    assert level.reason is not None
    assert level.reason == first.reason
    assert values.value(address("double", "level", "s", "c1")).reason == level.reason


def test_what_is_computed_is_computed_in_each_trial_before_the_median_is_taken() -> None:
    @derived("a ÷ b")
    def ratio(a: float, b: float) -> float:
        return a / b

    amounts = {1: (1.0, 1.0), 2: (4.0, 2.0), 3: (9.0, 1.5)}
    told = [observe for n, (a, b) in amounts.items() for observe in (said(n, a), said(n, b, "b"))]
    values = resolver(repeated(3, *told), seen("a"), seen("b"), ratio)
    value = values.value(address("ratio", "level", "s", "c1"))

    # 1 ÷ 1, 4 ÷ 2, 9 ÷ 1.5 = 1, 2, 6; not the ratio of the medians, 4 ÷ 1.5
    assert (value.value, value.low, value.high) == (2, 1, 6)
    assert values.value(trial(3, "ratio")).inputs == (Input("a", trial(3)), Input("b", trial(3, "b")))


def test_requests_of_trials_are_never_pooled() -> None:
    runs: Mapping[Trial, Requests] = {
        ("s", "c1", 1): requests_of(*[answer(1.0)] * 9),
        ("s", "c1", 2): requests_of(answer(2.0)),
        ("s", "c1", 3): requests_of(answer(4.0)),
    }
    a = seen("a")
    a.otherwise("mean(request_ttft)")(lambda request_ttft: float(request_ttft.mean()))
    value = resolver(memory_round({"s": {"c1": {}}}, runs=runs), a).value(LEVEL)

    # Pooled, it would be (9 × 1 + 2 + 4) ÷ 11 = 1.36.
    assert (value.value, value.low, value.high, value.rests_on) == (2, 1, 4, "measured")


def test_a_trial_without_an_answer_leaves_the_others() -> None:
    runs: dict[Trial, Requests | None] = {
        ("s", "c1", 1): requests_of(failure()),
        ("s", "c1", 2): requests_of(answer(2.0)),
        ("s", "c1", 3): None,
    }
    a = seen("a")
    a.otherwise("mean(request_ttft)")(lambda request_ttft: float(request_ttft.mean()))
    values = resolver(memory_round({"s": {"c1": {}}}, runs=runs), a)

    assert (values.value(LEVEL).value, values.value(LEVEL).n) == (2, 1)
    assert values.value(trial(1)).reason == NO_ANSWER


def test_a_level_that_was_run_once_is_no_median() -> None:
    runs: dict[Trial, Requests] = {("s", "c1", None): requests_of(answer(2.0))}
    a = seen("a")
    a.otherwise("mean(request_ttft)")(lambda request_ttft: float(request_ttft.mean()))
    value = resolver(memory_round({"s": {"c1": {}}}, runs=runs), a).value(LEVEL)

    assert (value.formula, value.n, value.low, value.high) == ("mean(request_ttft)", 1, None, None)


# What is declared


def test_what_is_declared_of_the_level_serves_every_trial() -> None:
    values = resolver(repeated(3, a=5), seen("a"), double_a())

    assert [values.value(trial(n)).value for n in (1, 2, 3)] == [5, 5, 5]
    assert values.value(trial(2)).address == trial(2)
    assert [values.value(trial(n, "double")).value for n in (1, 2, 3)] == [10, 10, 10]


def test_what_is_declared_of_the_level_is_its_value() -> None:
    value = resolver(repeated(3, said(1, 7), a=5), seen("a")).value(LEVEL)

    assert (value.value, value.formula, value.origin) == (5, None, "transcribed")


def test_what_is_said_of_a_trial_goes_before_what_is_declared_of_the_level() -> None:
    values = resolver(repeated(2, said(1, 7), a=5), seen("a"))

    assert [values.value(trial(n)).value for n in (1, 2)] == [7, 5]


def test_what_the_client_says_of_a_trial_goes_before_what_is_declared_of_the_level() -> None:
    told = observation(trial(1, basis=REPORTED), 7, "reported")
    a = seen("a")
    a.otherwise("mean(request_ttft)")(lambda request_ttft: float(request_ttft.mean()))
    values = resolver(repeated(2, told, a=5), a)

    assert [values.value(trial(n)).value for n in (1, 2)] == [7, 5]


# Totals


def total(key: str, *metrics: Metric, round_: Round, spoilt: frozenset[tuple[str, str]] = frozenset()) -> Value:
    return resolver(round_, *metrics, spoilt=spoilt).value(address(key, "series", "s"))


def sum_of_a(over: str) -> Metric:
    @derived("sum(a)", "series", over=over)
    def total_a(a: Column) -> float:
        return float(a.sum())

    return total_a


def two_levels() -> Round:
    """Make a level with trials of 1, 2 and 6, and one that was run once, with 10."""
    levels: Levels = {"c1": {"concurrency": 1.0}, "c2": {"concurrency": 2.0, "a": 10.0}}
    runs: Mapping[Trial, None] = {
        **{("s", "c1", number): None for number in (1, 2, 3)},
        ("s", "c2", None): None,
    }
    return memory_round({"s": levels}, runs=runs, further=[said(1, 1), said(2, 2), said(3, 6)])


def test_totals_count_every_trial() -> None:
    value = total("total_a", seen("a"), sum_of_a("trials"), round_=two_levels())

    # 1 + 2 + 6 + 10
    assert value.value == 19
    assert [listed.address.trial for listed in value.inputs] == [1, 2, 3, None]


def test_other_columns_have_one_row_a_level() -> None:
    # The median of 1, 2 and 6 is 2: 2 + 10
    assert total("total_a", seen("a"), sum_of_a("usable"), round_=two_levels()).value == 12


def test_totals_count_the_trials_of_spoilt_levels() -> None:
    spoilt = frozenset({("s", "c1")})

    assert total("total_a", seen("a"), sum_of_a("trials"), round_=two_levels(), spoilt=spoilt).value == 19
    assert total("total_a", seen("a"), sum_of_a("usable"), round_=two_levels(), spoilt=spoilt).value == 10


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("requests_total", 3 + 2 + 2),
        ("failed_total", 1),
        ("output_tokens_total", 2 + 2 + 2 + 1),  # of the answers: 2; 2 and 0; 2 and 1
        ("asked_output_tokens_total", 2 * (2 + 2 + 2)),  # 2 asked, times completed: 2, 2 and 2
        ("itl_samples_total", 1 + 1 + 1),
    ],
)
def test_the_totals_of_a_round_count_the_requests_of_every_trial(key: str, expected: float) -> None:
    runs = {
        ("s", "c1", 1): requests_of(answer(1.0, 0.5), failure(0.5, ttft=0.5, tokens=2), tokenless()),
        ("s", "c1", 2): requests_of(answer(1.0, 0.5), tokenless()),
        ("s", "c2", None): requests_of(answer(1.0, 0.5), answer(1.0)),
    }
    levels: Levels = {name: {"asked_output_tokens": 2.0} for name in ("c1", "c2")}

    assert total(key, *GRAPH_METRICS, round_=memory_round({"s": levels}, runs=runs)).value == expected


GRAPH_METRICS = [metric for metric in GRAPH.metrics.values() if metric.basis is None]


# What there are values of


def driven() -> Round:
    """Make a series with a level run three times and one run once, and one that has a table alone."""
    levels: Levels = {"c1": {"concurrency": 1.0}, "c2": {"concurrency": 2.0}, "c3": {"concurrency": 3.0}}
    runs: dict[Trial, Requests] = {
        **{("s", "c1", number): requests_of(answer(1.0, 0.5)) for number in (1, 2, 3)},
        ("s", "c2", None): requests_of(answer(1.0, 0.5)),
    }
    return memory_round({"s": levels}, runs=runs)


def ttft_rows(addresses: Iterator[Address]) -> list[tuple[str | None, int | None]]:
    return [(a.level, a.trial) for a in addresses if a.metric == "ttft_p50" and a.basis is None]


def test_a_level_comes_before_its_trials() -> None:
    rows = [("c1", None), ("c1", 1), ("c1", 2), ("c1", 3), ("c2", None), ("c3", None)]

    assert ttft_rows(level_addresses(driven(), GRAPH)) == rows
    assert ttft_rows(all_addresses(driven(), GRAPH)) == rows


def test_nothing_is_listed_twice() -> None:
    listed = list(all_addresses(driven(), GRAPH))

    assert len(listed) == len(set(listed))


def test_a_level_without_runs_has_none_of_what_only_runs_give() -> None:
    bases = {level: {a.basis for a in level_addresses(driven(), GRAPH) if a.level == level} for level in ("c2", "c3")}
    metrics = {
        level: {a.metric for a in level_addresses(driven(), GRAPH) if a.level == level} for level in ("c2", "c3")
    }

    assert {REPORTED, "steady"} <= bases["c2"]
    assert bases["c3"] & {REPORTED, "steady"} == set()
    assert "sending_rate" in metrics["c2"] - metrics["c3"]


def test_every_address_has_a_value() -> None:
    analysis = analyse(driven(), GRAPH, ())

    assert set(all_addresses(driven(), GRAPH)) <= set(analysis.frame.values)


# Levels that are left out


def spoiling(*levels: str) -> Check:
    def examine(analysis: Analysis) -> Sequence[Finding]:
        return [Finding("toy", "fail", say(zh="话", en="words"), series="s", spoils=levels)]

    return Check("toy", same("toy"), same("toy"), "levels", examine, RECORDS, spoils=True)


def test_a_spoilt_level_keeps_its_trials_and_leaves_the_conclusions() -> None:
    gaps = {"c1": (0.1, 0.2, 0.3), "c2": (0.5,), "c3": (1.0,)}
    levels: Levels = {"c1": {"concurrency": 1.0}, "c2": {"concurrency": 2.0}, "c3": {"concurrency": 3.0}}
    runs: dict[Trial, Requests] = {
        ("s", level, number + 1 if len(each) > 1 else None): requests_of(answer(1.0, gap))
        for level, each in gaps.items()
        for number, gap in enumerate(each)
    }
    round_ = memory_round({"s": levels}, runs=runs)
    whole, without = analyse(round_, GRAPH, []), analyse(round_, GRAPH, [spoiling("c1")])

    # From C=1, whose median gap is 0.2 s, to C=3: (1 − 0.2) ÷ 2; from C=2: (1 − 0.5) ÷ 1
    assert whole.frame.of_series("marginal_step_cost", "s").value == pytest.approx(0.4)
    assert without.frame.of_series("marginal_step_cost", "s").value == pytest.approx(0.5)
    assert without.frame.values[trial(3, "itl_p50")].value == pytest.approx(0.3)
