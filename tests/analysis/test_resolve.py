from __future__ import annotations

import pytest

from generator.analysis.graph import build
from generator.analysis.resolve import Resolver
from generator.kinds import Column, Metric
from generator.places import column, fact, setting
from generator.text import Text, same
from generator.values import Address, Input, Origin, Source, Value
from tests.support.memory_round import Numbers, address, memory_round, observation
from tests.support.toy_metrics import derived, half_of_a, one_level, ratio_of_a_and_b, resolver, seen

A = address("a", "level", "s", "c1")
B = address("b", "level", "s", "c1")
HALF = address("half", "level", "s", "c1")


def test_a_number_that_was_read_keeps_where_it_stood() -> None:
    round_ = one_level(a=3)
    value = resolver(round_, seen("a")).value(A)

    assert value == Value(
        A,
        3,
        origin="transcribed",
        rests_on="transcribed",
        source=Source("s/published.csv", "s c1 a 0"),
        n=1,
    )


def test_only_levels_are_repeated() -> None:
    round_ = memory_round({"s": {}}, of_series={"s": {"a": 3}})

    assert resolver(round_, seen("a", "series")).value(address("a", "series", "s")).n is None


def test_decimals_as_typed_are_kept() -> None:
    seen_a = observation(A, 3)
    exact = type(seen_a)(A, 3, "reported", seen_a.source, decimals=2)

    assert resolver(memory_round({"s": {"c1": {}}}, further=[exact]), seen("a")).value(A).decimals == 2


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
def test_of_several_places_the_first_declared_wins(order: list[int]) -> None:
    written = [observation(A, 10 + priority, priority=priority) for priority in order]

    assert resolver(memory_round({"s": {"c1": {}}}, further=written), seen("a")).value(A).value == 10


def test_a_number_that_was_read_is_not_computed() -> None:
    a = seen("a")
    a.otherwise("2 × b")(lambda b: 2 * b)

    value = resolver(one_level(a=3, b=4), a, seen("b")).value(A)

    assert (value.value, value.formula, value.inputs) == (3, None, ())


@pytest.mark.parametrize(
    ("place", "where"),
    [
        (column("a_ms", "1"), "column a_ms of published.csv"),
        (setting("level.a", "1"), "level.a of round.toml"),
        (fact("memory.a", "1"), "memory.a of published.toml"),
    ],
)
def test_what_was_not_recorded_says_where_it_would_stand(place: object, where: str) -> None:
    value = resolver(one_level(), seen("a", places=[place])).value(A)  # type: ignore[list-item]

    assert value.value is None
    assert value.reason is not None
    assert value.reason.en == f"there is no record of a for s C=1 ({where})"
    assert value.reason.zh.startswith("没有记录 s C=1 的 a（")


def test_a_derived_number_keeps_its_formula_and_its_inputs() -> None:
    value = resolver(one_level(a=3), seen("a"), half_of_a()).value(HALF)

    assert value == Value(
        HALF,
        1.5,
        origin="derived",
        rests_on="transcribed",
        formula="a ÷ 2",
        inputs=(Input("a", A),),
        n=1,
    )


def chain_with_two_ways() -> list[Metric]:
    a = seen("a")
    a.otherwise("2 × b")(lambda b: 2 * b)
    a.otherwise("3 × c")(lambda c: 3 * c)
    return [a, seen("b"), seen("c")]


@pytest.mark.parametrize(
    ("known", "expected", "formula"),
    [
        # 2 × 5, before 3 × 7
        ({"b": 5.0, "c": 7.0}, 10, "2 × b"),
        # 3 × 7
        ({"c": 7.0}, 21, "3 × c"),
    ],
)
def test_ways_to_compute_are_tried_in_their_order(known: Numbers, expected: float, formula: str) -> None:
    value = resolver(one_level(**known), *chain_with_two_ways()).value(A)

    assert (value.value, value.formula) == (expected, formula)


def test_where_no_way_leads_the_first_says_why() -> None:
    value = resolver(one_level(), *chain_with_two_ways()).value(A)

    assert value.reason is not None
    assert value.reason.en == "there is no record of b for s C=1 (column b of published.csv)"


def test_a_way_that_is_undefined_gives_way_to_the_next() -> None:
    a = seen("a")
    a.otherwise("1 ÷ b")(lambda b: 1 / b)
    a.otherwise("3 × c")(lambda c: 3 * c)

    # 1 ÷ 0 is undefined; 3 × 7
    assert resolver(one_level(b=0, c=7), a, seen("b"), seen("c")).value(A).value == 21


@pytest.mark.parametrize(
    ("origins", "weaker"),
    [
        (("measured", "measured"), "measured"),
        (("measured", "reported"), "reported"),
        (("transcribed", "reported"), "transcribed"),
        (("declared", "measured"), "declared"),
    ],
)
def test_a_derived_number_is_as_weak_as_its_weakest_input(origins: tuple[Origin, Origin], weaker: Origin) -> None:
    written = [observation(where, 1, origin) for where, origin in zip((A, B), origins, strict=True)]

    @derived("ratio + 1")
    def more(ratio: float) -> float:
        return ratio + 1

    found = resolver(memory_round({"s": {"c1": {}}}, further=written), seen("a"), seen("b"), ratio_of_a_and_b(), more)
    value = found.value(address("more", "level", "s", "c1"))

    assert (value.origin, value.rests_on) == ("derived", weaker)


def test_a_round_takes_a_column_over_its_series() -> None:
    @derived("sum(a) × k", "round")
    def total(a: Column, k: float) -> float:
        return float(a.sum() * k)

    round_ = memory_round({"s": {}, "t": {}, "u": {}}, of_series={"s": {"a": 1}, "u": {"a": 3}}, of_round={"k": 2})
    value = resolver(round_, seen("a", "series"), seen("k", "round"), total).value(address("total", "round"))

    # (1 + 3) × 2, since t is unknown
    assert value.value == 8
    assert [listed.address.series for listed in value.inputs] == ["s", "u", None]


def test_a_level_takes_numbers_of_its_series_and_of_the_round() -> None:
    @derived("a + k + r")
    def total(a: float, k: float, r: float) -> float:
        return a + k + r

    round_ = memory_round({"s": {"c1": {"a": 1}}}, of_series={"s": {"k": 20}}, of_round={"r": 300})
    value = resolver(round_, seen("a"), seen("k", "series"), seen("r", "round"), total).value(
        address("total", "level", "s", "c1")
    )

    assert value.value == 321
    assert [listed.address for listed in value.inputs] == [
        A,
        address("k", "series", "s"),
        address("r", "round"),
    ]


def test_a_basis_is_computed_from_inputs_of_that_basis() -> None:
    @derived("w − e")
    def w__bare(w: float, e: float) -> float:
        return w - e

    @derived("w + a", follows=("bare",))
    def total(w: float, a: float) -> float:
        return w + a

    found = resolver(one_level(w=10, e=4, a=1), seen("w"), seen("e"), seen("a"), w__bare, total)

    def at(basis: str | None) -> Value:
        return found.value(address("total", "level", "s", "c1", basis))

    # 10 + 1; 10 − 4 + 1
    assert (at(None).value, at("bare").value) == (11, 7)
    assert [listed.address.basis for listed in at("bare").inputs] == ["bare", None]


def test_values_are_computed_once() -> None:
    calls: list[float] = []

    @derived("a ÷ 2")
    def half(a: float) -> float:
        calls.append(a)
        return a / 2

    found = resolver(one_level(a=3), seen("a"), half)
    found.resolve([HALF, HALF])
    found.value(HALF)

    assert calls == [3]


def test_values_carried_over_are_not_computed_again() -> None:
    known = Value(HALF, 42, reason=None, origin="derived", rests_on="measured")
    found = Resolver(build([seen("a"), half_of_a()]), one_level(a=3), values={HALF: known})

    assert found.value(HALF) is known


def test_resolving_leaves_every_input_among_the_values() -> None:
    found = resolver(one_level(a=3), seen("a"), half_of_a())
    found.resolve([HALF])

    assert set(found.values) == {A, HALF}


def test_titles_are_quoted_in_their_language() -> None:
    a = seen("a")
    a.title = Text(zh="甲", en="alpha")
    reason = resolver(one_level(), a).value(A).reason

    assert reason is not None
    assert reason.zh.startswith("没有记录 s C=1 的甲")
    assert reason.en.startswith("there is no record of alpha for s C=1")
    assert same("x") == Text(zh="x", en="x")


def test_trials_have_addresses_of_their_own() -> None:
    trial = Address("a", "level", "s", "c1", trial=1)
    round_ = memory_round({"s": {"c1": {"a": 3}}}, further=[observation(trial, 4)])

    found = resolver(round_, seen("a"))

    assert (found.value(A).value, found.value(trial).value) == (3, 4)
