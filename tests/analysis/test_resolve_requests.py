"""What is taken from the requests of a run, and what stands in where that cannot be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generator.kinds import REPORTED, Column, Metric
from generator.runs.requests import Requests
from generator.text import Text
from generator.values import Input, Observation, Source, Value
from tests.support.memory_round import address, memory_round, observation
from tests.support.request_rows import answer, failure, requests_of, tokenless
from tests.support.toy_metrics import derived, resolver, seen

A = address("a", "level", "s", "c1")
B = address("b", "level", "s", "c1")
SAID = address("a", "level", "s", "c1", basis=REPORTED)
WHERE = "s/c1/requests.parquet"
TWO = requests_of(answer(0.25, 0.5), answer(0.75, 0.5))
NONE = Text(zh="没有逐条请求的记录", en="there is no record of the single requests")


def mean_ttft() -> Metric:
    """Declare a metric that is read, else taken from requests."""
    a = seen("a")
    a.otherwise("mean(request_ttft)")(lambda request_ttft: float(request_ttft.mean()))
    return a


def mean_ttft_over_b() -> Metric:
    @derived("mean(request_ttft) ÷ b")
    def a(request_ttft: Column, b: float) -> float:
        return float(request_ttft.mean()) / b

    return a


def found(
    *metrics: Metric, requests: Requests | None = TWO, further: list[Observation] | None = None, **numbers: float
) -> Value:
    round_ = memory_round(
        {"s": {"c1": {"concurrency": 1.0, **numbers}}}, runs={("s", "c1", None): requests}, further=further or []
    )
    return resolver(round_, *metrics).value(A)


def reason(value: Value) -> str | None:
    return None if value.reason is None else value.reason.en


def test_what_rests_on_requests_alone_is_measured() -> None:
    # (0.25 + 0.75) ÷ 2
    assert found(mean_ttft()) == Value(
        A,
        0.5,
        origin="measured",
        rests_on="measured",
        formula="mean(request_ttft)",
        source=Source(WHERE, "ttft"),
        n=1,
    )


def test_what_rests_on_another_number_as_well_is_derived() -> None:
    value = found(mean_ttft_over_b(), seen("b"), b=2)

    # (0.25 + 0.75) ÷ 2 ÷ 2
    assert (value.value, value.origin, value.rests_on) == (0.25, "derived", "transcribed")
    assert value.inputs == (Input("b", B),)
    assert value.source == Source(WHERE, "ttft")


def test_the_source_names_every_column_once_behind_the_place_of_the_run() -> None:
    @derived("count(request_tpot) + count(request_ttft) + count(request_e2el) + first(request_ttft)")
    def a(request_tpot: Column, request_ttft: Column, request_e2el: Column) -> float:
        return float(len(request_tpot) + len(request_ttft) + len(request_e2el) + request_ttft[0])

    second = replace(TWO, source=Source("s/c1/result.json", "object 2"))

    assert found(a, requests=second).source == Source(
        "s/c1/result.json", "object 2, ttft, e2el, output_tokens, ttft, e2el"
    )


def test_what_a_file_gives_outright_goes_before_requests() -> None:
    value = found(mean_ttft(), a=9.0)

    assert (value.value, value.formula) == (9, None)


def test_requests_go_before_what_follows_from_other_numbers() -> None:
    a = seen("a")
    a.otherwise("2 × b")(lambda b: 2 * b)
    a.otherwise("mean(request_ttft)")(lambda request_ttft: float(request_ttft.mean()))

    assert found(a, seen("b"), b=4).formula == "mean(request_ttft)"
    assert found(a, seen("b"), b=4, requests=None).formula == "2 × b"


def test_without_requests_the_reason_says_so() -> None:
    assert found(mean_ttft(), requests=None).reason == NONE


@pytest.mark.parametrize(
    ("requests", "expected"),
    [
        (requests_of(failure(ttft=0.1)), "no request was answered"),
        (requests_of(tokenless()), "no request got a token"),
        (requests_of(), "no request was answered"),
    ],
)
def test_without_a_number_in_the_sample_the_reason_is_that_of_the_sample(requests: Requests, expected: str) -> None:
    assert reason(found(mean_ttft(), requests=requests)) == expected


def test_none_is_a_number_where_something_is_counted() -> None:
    @derived("count(answered)")
    def a(answered: Column) -> float:
        return float(len(answered))

    assert found(a, requests=requests_of(failure(), failure())).value == 0


# What the client says itself


def test_what_the_client_says_stands_beside_what_its_requests_show() -> None:
    round_ = memory_round(
        {"s": {"c1": {}}}, runs={("s", "c1", None): TWO}, further=[observation(SAID, 0.375, "reported")]
    )
    values = resolver(round_, mean_ttft())

    assert values.value(A).value == 0.5
    assert values.value(SAID) == Value(
        SAID,
        0.375,
        origin="reported",
        rests_on="reported",
        source=observation(SAID, 0.375).source,
        n=1,
    )


@pytest.mark.parametrize("requests", [None, requests_of(tokenless())])
def test_what_the_client_says_stands_in_where_requests_show_nothing(requests: Requests | None) -> None:
    value = found(mean_ttft(), requests=requests, further=[observation(SAID, 0.375, "reported")])

    assert (value.address, value.value, value.origin, value.formula) == (A, 0.375, "reported", None)


def test_what_the_client_says_is_not_computed_from_anything() -> None:
    round_ = memory_round({"s": {"c1": {}}}, runs={("s", "c1", None): TWO})
    value = resolver(round_, mean_ttft()).value(SAID)

    assert value.value is None
    assert reason(value) == "the client does not give a"


def test_requests_are_those_of_the_level_and_the_series() -> None:
    other = requests_of(answer(3.0))
    round_ = memory_round(
        {"s": {"c1": {}, "c2": {}}, "t": {"c1": {}}},
        runs={("s", "c1", None): TWO, ("s", "c2", None): other, ("t", "c1", None): None},
    )
    values = resolver(round_, mean_ttft())

    assert values.value(A).value == 0.5
    assert values.value(address("a", "level", "s", "c2")).value == 3
    assert values.value(address("a", "level", "t", "c1")).reason == NONE


def test_a_table_of_results_does_not_lack_requests() -> None:
    a = mean_ttft()
    table = memory_round({"s": {"c1": {}}})
    without = resolver(table, a).value(A)
    a.otherwise("2 × b")(lambda b: 2 * b)
    in_vain = resolver(table, a, seen("b")).value(A)

    assert reason(without) == "there is no record of a for s c1 (column a of published.csv)"
    assert reason(in_vain) == "there is no record of b for s c1 (column b of published.csv)"
