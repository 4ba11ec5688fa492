from __future__ import annotations

import csv

import pytest

from generator.traffic.rows import Row, UnfitError
from generator.traffic.traces import csv_kind, header_of, json_kind
from tests.support.loads import AZURE, BURSTGPT


def rows_of(table: str) -> list[Row]:
    header, *lines = csv.reader(table.splitlines())
    kind = csv_kind(header_of(header))
    assert kind is not None
    read = kind.reader(header_of(header))
    return [read(cells) for cells in lines]


def test_azure_gives_dates_and_both_lengths() -> None:
    rows = rows_of(AZURE)

    assert [(row.input_tokens, row.output_tokens) for row in rows] == [(4808, 10), (3180, 8), (110, 0)]
    # 18:17:06.98 − 18:17:03.98
    assert (rows[2].at or 0) - (rows[0].at or 0) == pytest.approx(3.0)


def test_burstgpt_gives_seconds_and_how_long_a_request_took_where_it_says() -> None:
    assert rows_of(BURSTGPT) == [Row(None, 472, 18, 5.0, 2.5), Row(None, 1087, 230, 45.0, 3.5)]


def test_a_line_with_too_few_cells_is_told() -> None:
    with pytest.raises(UnfitError, match="has 1 cell, and the header 3"):
        rows_of("TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03")


@pytest.mark.parametrize(
    ("one", "kind"),
    [
        ({"conversations": []}, "sharegpt"), ({"conversation": []}, "sharegpt"), ({"prompt": "x"}, "jsonl"),
        ({"text": "x"}, "jsonl"), ({"input_length": 1, "output_length": 1}, "mooncake"), ({"question": "x"}, None),
    ],
)  # fmt: skip
def test_objects_tell_what_they_are_by_their_names(one: dict[str, object], kind: str | None) -> None:
    found = json_kind(one)
    assert (found.kind if found is not None else None) == kind


@pytest.mark.parametrize("who", [{}, [], None, 1])
def test_a_turn_of_nobody_is_passed_over(who: object) -> None:
    found = json_kind({"conversations": []})
    assert found is not None
    assert found.read({"conversations": [{"from": who, "value": "x"}, {"from": "human", "value": "y"}]}) == Row("y")


def test_mooncake_counts_milliseconds() -> None:
    found = json_kind({"input_length": 1})
    assert found is not None
    assert found.read({"timestamp": 1500, "input_length": 12, "output_length": 3}) == Row(None, 12, 3, 1.5)
