from __future__ import annotations

import pytest

from generator.mapping import Entry, Mapped, ours, spelled
from generator.text import Text, same

WORDS = same("x")
WHY = Text(zh="它是别的量。", en="It is another quantity.")
BLOCK = Mapped(
    "ttft.{}", "s", WORDS, "ttft_{}", statistics={"mean": "avg", "p50": ("median", "p50")}, zero_is_missing=True
)


def test_a_block_stands_for_a_name_each_statistic_the_preferred_word_first() -> None:
    assert list(BLOCK.entries()) == [
        Entry("ttft.avg", "ttft_mean", "s", zero_is_missing=True),
        Entry("ttft.median", "ttft_p50", "s", zero_is_missing=True),
        Entry("ttft.p50", "ttft_p50", "s", zero_is_missing=True),
    ]
    assert BLOCK.quantity == "ttft"


def test_a_single_number_has_its_aliases_behind_it() -> None:
    mapped = Mapped("done", "1", WORDS, "completed", aliases=("Done requests",))
    assert [entry.field for entry in mapped.entries()] == ["done", "Done requests"]
    assert mapped.quantity == "completed"


@pytest.mark.parametrize(("metric", "quantity"), [("ttft_p99", "ttft"), ("output_tokens_mean", "output_tokens_mean")])
def test_statistics_of_a_latency_are_of_one_quantity(metric: str, quantity: str) -> None:
    assert Mapped("x", "s", WORDS, metric, WHY).quantity == quantity


def test_another_quantity_is_none_of_ours() -> None:
    other = Mapped("tpot", "s", WORDS, "tpot_mean", why=WHY)
    assert [entry.field for entry in ours((other, BLOCK))] == ["ttft.avg", "ttft.median", "ttft.p50"]


@pytest.mark.parametrize(
    ("field", "unit", "metric", "why", "statistics"),
    [
        ("ttft.{}", "s", "ttft_{}", None, {}),
        ("ttft", "s", "ttft_mean", None, {"mean": "mean"}),
        ("ttft.{}", "s", "ttft", None, {"mean": "mean"}),
        ("ttft", "s", "", None, {}),
        ("ttft", "fortnight", "ttft_mean", None, {}),
    ],
    ids=["no statistics", "no slot", "no slot of the metric", "neither metric nor reason", "unknown unit"],
)
def test_a_row_that_cannot_be_meant_is_no_row(
    field: str, unit: str, metric: str, why: Text | None, statistics: dict[str, str]
) -> None:
    with pytest.raises(TypeError, match=field.partition(".")[0]):
        Mapped(field, unit, WORDS, metric, why, statistics)


def test_what_is_none_of_ours_may_have_a_unit_of_its_own() -> None:
    assert Mapped("score", "points", WORDS, why=WHY).quantity == ""


def test_a_block_whose_names_say_nothing_by_themselves_is_spelled_out() -> None:
    first, second = spelled(BLOCK)

    assert (first.field, first.metric, first.statistics) == ("ttft.avg", "ttft_mean", {})
    assert (second.field, second.aliases, second.metric) == ("ttft.median", ("ttft.p50",), "ttft_p50")
    assert list(ours((first, second))) == list(BLOCK.entries())


def test_aliases_of_a_block_are_not_spelled_out() -> None:
    aliased = Mapped("{} a", "s", WORDS, "ttft_{}", statistics={"mean": "avg"}, aliases=("{} b",))
    with pytest.raises(TypeError, match="aliases"):
        spelled(aliased)
