from __future__ import annotations

from collections.abc import Callable

import pytest

from generator.analysis.graph import Graph, GraphError, build
from generator.kinds import REPORTED, Answer, Column, Metric
from generator.places import column, setting
from generator.values import Scope
from tests.support.toy_metrics import derived, seen


def refused(*metrics: Metric) -> str:
    with pytest.raises(GraphError) as error:
        build(metrics)
    return str(error.value)


def double(a: float) -> float:
    return 2 * a


def total(a: Column) -> float:
    return float(a.sum())


def compare(compared_a: float, baseline_a: float) -> float:
    return compared_a / baseline_a


def compare_columns(compared_a: Column, baseline_a: Column) -> float:
    return float(compared_a[0] / baseline_a[0])


SHAPES: dict[str, tuple[str, Callable[..., Answer]]] = {
    "number": ("2 × a", double),
    "column": ("sum(a)", total),
    "sides": ("compared_a ÷ baseline_a", compare),
    "columns of sides": ("first(compared_a) ÷ first(baseline_a)", compare_columns),
}


def taking(scope: Scope, shape: str) -> Metric:
    formula, compute = SHAPES[shape]
    return derived(formula, scope)(compute)


def test_every_metric_has_its_ways_in_order() -> None:
    b = seen("b")
    first = b.otherwise("2 × a")(double)
    second = b.otherwise("sum(a)")(lambda a: a)
    graph = build([seen("a"), b])

    assert [step.derivation.compute for step in graph.steps["b", None]] == [first, second]
    assert graph.steps["a", None] == ()


def test_places_lead_to_the_metric_that_is_read_there() -> None:
    a = seen("a", unit="s", places=[column("a_ms", "ms"), setting("level.a", "s")])

    assert build([a]).places() == {column("a_ms", "ms"): a, setting("level.a", "s"): a}


def test_metrics_are_listed_by_scope_as_declared() -> None:
    a, b, c = seen("a"), seen("b", "series"), seen("c")
    graph = build([a, b, c])

    assert graph.of_scope("level") == [a, c]
    assert graph.of_scope("series", "round") == [b]


@pytest.mark.parametrize(
    ("scope", "shape", "of"),
    [
        ("round", "number", "round"),
        ("round", "column", "series"),
        ("series", "number", "round"),
        ("series", "number", "series"),
        ("series", "column", "level"),
        ("level", "number", "round"),
        ("level", "number", "series"),
        ("level", "number", "level"),
        ("pair", "number", "round"),
        ("pair", "number", "pair"),
        ("pair", "column", "pair-level"),
        ("pair", "sides", "series"),
        ("pair", "columns of sides", "level"),
        ("pair-level", "number", "round"),
        ("pair-level", "number", "pair"),
        ("pair-level", "number", "pair-level"),
        ("pair-level", "sides", "series"),
        ("pair-level", "sides", "level"),
    ],
)
def test_a_metric_takes_what_its_scope_has(scope: Scope, shape: str, of: Scope) -> None:
    graph = build([seen("a", of), taking(scope, shape)])

    (step,) = graph.steps[SHAPES[shape][1].__name__, None]
    assert {port.key for port in step.ports} == {("a", None)}


@pytest.mark.parametrize(
    ("scope", "shape", "of"),
    [
        ("round", "number", "series"),
        ("round", "number", "level"),
        ("round", "column", "level"),
        ("round", "column", "pair"),
        ("series", "number", "level"),
        ("series", "number", "pair"),
        ("series", "column", "series"),
        ("series", "column", "round"),
        ("level", "number", "pair"),
        ("level", "number", "pair-level"),
        ("level", "column", "level"),
        ("pair", "number", "series"),
        ("pair", "number", "level"),
        ("pair", "column", "level"),
        ("pair", "sides", "level"),
        ("pair", "sides", "pair"),
        ("pair", "columns of sides", "series"),
        ("pair", "columns of sides", "pair-level"),
        ("pair-level", "number", "level"),
        ("pair-level", "column", "pair-level"),
        ("pair-level", "sides", "pair-level"),
        ("pair-level", "columns of sides", "level"),
    ],
)
def test_a_metric_takes_nothing_of_another_scope(scope: Scope, shape: str, of: Scope) -> None:
    assert "cannot take" in refused(seen("a", of), taking(scope, shape))


@pytest.mark.parametrize("scope", ["round", "series", "level"])
def test_only_pairs_have_sides(scope: Scope) -> None:
    assert "there is no metric 'compared_a'" in refused(seen("a", scope), taking(scope, "sides"))


def test_a_key_is_declared_once() -> None:
    assert refused(seen("a"), seen("a", places=[column("other", "1")])) == "('a', None) is declared twice"


def test_a_basis_that_follows_is_not_declared_as_well() -> None:
    @derived("2 × a", follows=("bare",))
    def b(a: float) -> float:
        return 2 * a

    @derived("3 × a")
    def b__bare(a: float) -> float:
        return 3 * a

    assert refused(seen("a"), b, b__bare) == "('b', 'bare') is declared twice"


def test_an_input_is_a_metric() -> None:
    assert refused(taking("level", "number")) == "double: there is no metric 'a'"


@pytest.mark.parametrize("formula", ["2 × b", "2 × a × b", "2"])
def test_a_formula_speaks_of_the_inputs_and_of_nothing_else(formula: str) -> None:
    assert "the formula speaks of" in refused(seen("a"), seen("b"), derived(formula)(double))


def test_functions_of_formulas_are_no_inputs() -> None:
    @derived("exp(ln(first(a) ÷ last(a))) − sum(a) + count_crossings(a)", "series")
    def b(a: Column) -> float:
        return float(a[0])

    assert isinstance(build([seen("a"), b]), Graph)


def test_an_unknown_unit_is_refused() -> None:
    assert refused(seen("a", unit="furlong")) == "a: there is no unit 'furlong'"


def test_an_unknown_unit_of_a_place_is_refused() -> None:
    a = seen("a", places=[column("a", "furlong")])

    assert refused(a) == "a: there is no unit 'furlong'"


def test_a_place_measures_what_the_metric_does() -> None:
    a = seen("a", unit="ms", places=[column("a", "GB")])

    assert refused(a) == "a: a place is in a unit of another kind"


def test_a_place_is_of_one_metric() -> None:
    a, b = seen("a", places=[column("x", "1")]), seen("b", places=[column("x", "1")])

    assert refused(a, b) == "b and a are both read from x"


def test_a_place_is_the_same_in_another_unit() -> None:
    a, b = seen("a", unit="s", places=[column("x", "s")]), seen("b", unit="s", places=[column("x", "ms")])

    assert refused(a, b) == "b and a are both read from x"


def test_places_of_one_name_and_two_kinds_are_two() -> None:
    a, b = seen("a", places=[column("x", "1")]), seen("b", places=[setting("x", "1")])

    assert len(build([a, b]).places()) == 2


def test_a_ring_is_refused() -> None:
    @derived("2 × b")
    def a(b: float) -> float:
        return 2 * b

    @derived("2 × a")
    def b(a: float) -> float:
        return 2 * a

    assert "metrics depend on each other" in refused(a, b)


def test_a_ring_through_another_way_is_refused() -> None:
    a = seen("a")
    a.otherwise("2 × b")(lambda b: 2 * b)

    @derived("2 × a")
    def b(a: float) -> float:
        return 2 * a

    assert "metrics depend on each other" in refused(a, b)


def test_a_metric_that_takes_itself_is_a_ring() -> None:
    assert "metrics depend on each other" in refused(derived("2 × a")(a_of_itself()))


def a_of_itself() -> Callable[[float], float]:
    def a(a: float) -> float:
        return 2 * a

    return a


def test_a_level_takes_no_conclusion_over_levels() -> None:
    refusal = refused(seen("a"), taking("series", "column"), derived("3 × total")(of_total))

    assert refusal == "of_total is of a level and must not rest on a column over levels"


def test_a_level_takes_no_conclusion_by_a_detour() -> None:
    @derived("2 × total", "series")
    def between(total: float) -> float:
        return 2 * total

    @derived("3 × between")
    def at_level(between: float) -> float:
        return 3 * between

    refusal = refused(seen("a"), taking("series", "column"), between, at_level)

    assert refusal == "at_level is of a level and must not rest on a column over levels"


def of_total(total: float) -> float:
    return 3 * total


def test_a_basis_takes_inputs_with_that_basis_where_there_are_some() -> None:
    @derived("2 × w")
    def w__bare(w: float) -> float:
        return 2 * w

    @derived("w + k", follows=("bare",))
    def total_bytes(w: float, k: float) -> float:
        return w + k

    graph = build([seen("w"), seen("k"), w__bare, total_bytes])

    def inputs(basis: str | None) -> list[tuple[str, str | None]]:
        (step,) = graph.steps["total_bytes", basis]
        return [port.key for port in step.ports]

    assert inputs(None) == [("w", None), ("k", None)]
    assert inputs("bare") == [("w", "bare"), ("k", None)]
    assert [port.key for port in graph.steps["w", "bare"][0].ports] == [("w", None)]


def test_a_basis_that_follows_is_read_nowhere() -> None:
    b = seen("b")
    b.otherwise("2 × a")(double)
    b.follows = ("bare",)
    graph = build([seen("a"), b])

    assert graph.metrics["b", "bare"].places == ()
    assert graph.metrics["b", "bare"].follows == ()
    assert graph.places()[column("b", "1")] is b


# What is taken from requests


def mean_ttft(request_ttft: Column) -> float:
    return float(request_ttft.mean())


def taken(key: str = "a", *, read: bool = True) -> Metric:
    """Declare a metric that is taken from requests, and read elsewhere or not."""
    metric = seen(key)
    metric.places = metric.places if read else ()
    metric.otherwise("mean(request_ttft)")(mean_ttft)
    return metric


def test_a_parameter_named_like_a_sample_is_no_metric() -> None:
    (step,) = build([taken()]).steps["a", None]

    assert (step.ports, step.samples) == ((), ("request_ttft",))


def test_requests_are_tried_first_and_other_ways_in_their_order() -> None:
    a = seen("a")
    doubled = a.otherwise("2 × b")(lambda b: 2 * b)
    from_requests = a.otherwise("mean(request_ttft)")(mean_ttft)
    tripled = a.otherwise("3 × b")(lambda b: 3 * b)
    with_duration = a.otherwise("sum(request_ttft) ÷ b")(lambda request_ttft, b: float(request_ttft.sum() / b))
    steps = build([a, seen("b")]).steps["a", None]

    assert [step.derivation.compute for step in steps] == [from_requests, with_duration, doubled, tripled]


@pytest.mark.parametrize("scope", ["round", "series", "pair", "pair-level"])
def test_only_a_level_takes_requests(scope: Scope) -> None:
    refusal = refused(derived("mean(request_ttft)", scope)(mean_ttft))

    assert refusal == "mean_ttft is no metric of a level and cannot take requests"


def test_what_can_be_taken_from_requests_can_be_reported() -> None:
    metrics = build([taken(), seen("b")]).metrics

    assert set(metrics) == {("a", None), ("a", REPORTED), ("b", None)}
    assert (metrics["a", REPORTED].places, metrics["a", REPORTED].derivations) == ((), [])
    assert metrics["a", REPORTED].title == metrics["a", None].title


def test_another_definition_has_nothing_reported() -> None:
    @derived("mean(request_ttft)")
    def a__steady(request_ttft: Column) -> float:
        return float(request_ttft.mean())

    assert set(build([seen("a"), a__steady]).metrics) == {("a", None), ("a", "steady")}


def test_a_reported_number_is_no_second_place() -> None:
    a = taken()

    assert build([a]).places() == {column("a", "1"): a}


def test_a_level_without_runs_has_what_is_read_or_follows_from_that() -> None:
    @derived("mean(request_ttft)")
    def a__steady(request_ttft: Column) -> float:
        return float(request_ttft.mean())

    graph = build([taken(), a__steady, taken("only_taken", read=False), seen("b"), derived("2 × a")(double)])

    def listed(*, from_runs: bool) -> list[tuple[str, str | None]]:
        return [(metric.key, metric.basis) for metric in graph.of_levels(from_runs=from_runs)]

    assert listed(from_runs=False) == [("a", None), ("b", None), ("double", None)]
    assert set(listed(from_runs=True)) == {
        ("a", None), ("a", REPORTED), ("a", "steady"), ("only_taken", None), ("only_taken", REPORTED),
        ("b", None), ("double", None),
    }  # fmt: skip


def test_what_follows_from_requests_alone_needs_runs_as_well() -> None:
    @derived("b ÷ a")
    def share(a: float, b: float) -> float:
        return b / a

    graph = build([taken(read=False), seen("b"), share])

    assert [metric.key for metric in graph.of_levels(from_runs=False)] == ["b"]


def test_what_is_taken_from_requests_or_from_other_numbers_needs_no_runs() -> None:
    a = taken(read=False)
    a.otherwise("2 × b")(lambda b: 2 * b)
    graph = build([a, seen("b")])

    assert [(metric.key, metric.basis) for metric in graph.of_levels(from_runs=False)] == [("a", None), ("b", None)]


def test_only_levels_have_metrics_of_levels() -> None:
    assert build([seen("a", "series"), seen("b")]).of_levels(from_runs=True) == [seen("b")]
