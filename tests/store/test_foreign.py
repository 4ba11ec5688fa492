from __future__ import annotations

import math
from typing import Any

import pytest

from generator.errors import InputError
from generator.mapping import Mapped
from generator.runs.imported import Reported
from generator.store.foreign import (
    LONGEST_TEXT,
    limit_at,
    number,
    number_at,
    pick,
    plain_entries,
    reported_in,
    run_of,
    text_at,
)
from generator.store.request_rows import RequestRows
from generator.text import Text, same
from generator.values import Source

WORDS = same("x")
MAPPING = (
    Mapped("totals.ok", "1", WORDS, "completed"),
    Mapped(
        "latency.ttft.{}", "ms", WORDS, "ttft_{}", zero_is_missing=True,
        statistics={"mean": "avg", "p50": ("median", "percentiles.p50"), "p99": "p99"},
    ),
    Mapped("latency.tpot", "ms", WORDS, "tpot_mean", why=Text(zh="它不同。", en="It differs.")),
)  # fmt: skip


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, 3.0), (2.5, 2.5), ("12.5", 12.5), (" 7 ", 7.0), ("1e3", 1000.0), (-0.0, 0.0),
        ("", None), ("N/A", None), ("None", None), ("nan", None), ("inf", None), ("1,234", None), ("12 ms", None),
        (None, None), (True, None), (math.nan, None), (math.inf, None), ([1], None), (10**400, None),
    ],
)  # fmt: skip
def test_a_number_is_what_is_one(value: object, expected: float | None) -> None:
    assert number(value) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.b", 1), ("a", {"b": 1, "p99.9": 2}), ("a.p99.9", 2), ("x.y", 3), ("l.1.n", 5), ("l.7.n", None),
        ("l.n", None), ("a.b.c", None), ("none", None), ("", None), ("Avg (ms)", 4),
    ],
)  # fmt: skip
def test_a_path_leads_through_names_that_hold_dots_and_into_lists(path: str, expected: object) -> None:
    document = {"a": {"b": 1, "p99.9": 2}, "x.y": 3, "Avg (ms)": 4, "l": [{"n": 0}, {"n": 5}]}
    assert pick(document, path) == expected


def test_the_first_path_with_something_at_it_is_taken() -> None:
    document = {"a": "N/A", "b": "4", "model": " ", "path": "/home/jo/Toy-1B", "api_key": "abc"}
    assert number_at(document, "none", "a", "b") == 4.0
    assert text_at(document, "none", "model", "path") == "~/Toy-1B"
    assert text_at(document, "api_key") == "***"
    assert (number_at(document, "a"), text_at(document, "none")) == (None, None)


def test_numbers_are_reported_as_the_metrics_that_the_mapping_says() -> None:
    document = {"totals": {"ok": "8"}, "latency": {"ttft": {"avg": 0, "percentiles": {"p50": 90.5}, "p99": None}}}
    assert reported_in(document, MAPPING, "x.json") == (
        Reported("completed", "totals.ok", "1", 8.0),
        Reported("ttft_p50", "latency.ttft.percentiles.p50", "ms", 90.5),  # its average is 0: no sample
    )


def test_of_two_words_for_a_statistic_the_preferred_one_is_taken() -> None:
    document = {"latency": {"ttft": {"median": 90.0, "percentiles": {"p50": 91.0}}}}
    assert [one.value for one in reported_in(document, MAPPING, "x.json")] == [90.0]


def test_another_quantity_is_kept_under_its_own_name_alone() -> None:
    run = run_of({"totals": {"ok": 1}, "latency": {"tpot": 76.0}}, MAPPING, file="x.json", tool="t")
    assert [one.metric for one in run.reported] == ["completed"]
    assert run.summary == {"totals.ok": 1, "latency.tpot": 76.0}


@pytest.mark.parametrize("value", [-1, -0.5, 1e19])
def test_a_number_that_cannot_be_is_refused_by_its_name(value: float) -> None:
    with pytest.raises(InputError) as caught:
        reported_in({"totals": {"ok": value}}, MAPPING, "x.json", "object 2")
    assert (caught.value.file, caught.value.place) == ("x.json", "object 2")
    assert caught.value.problem.startswith(f"'totals.ok' is {value:g}, where a number from 0")


def test_plain_entries_are_kept_by_their_path_and_texts_of_users_are_not() -> None:
    document: dict[str, Any] = {
        "model": "m", "n": 1, "ok": True, "nothing": None, "nan": math.nan,
        "server": {"url": "http://gpu7.example.com:8000/v1", "api_key": "abc"},
        "prompt": "tell me", "rows": [{"content": "x"}], "long": "y" * 1001, "k" * 201: 1,
    }  # fmt: skip
    plain, struck = plain_entries(document)
    assert plain == {
        "model": "m", "n": 1, "ok": True, "nothing": None, "nan": None,
        "server.url": "http://***:8000/v1", "server.api_key": "***",
    }  # fmt: skip
    assert struck == ("prompt", "long", "k" * 200)


def test_entries_that_are_too_many_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.store.foreign.MOST_ENTRIES", 2)
    assert plain_entries({"a": 1, "b": {"c": 2, "d": 3}, "e": 4}) == ({"a": 1, "b.c": 2, "entries_left_out": 2}, ())


def test_times_that_cannot_be_are_counted_whoever_wrote_them() -> None:
    rows = RequestRows()
    rows.add(ttft=-1.0)
    rows.add(ttft=1.0, e2el=2.0)
    run = run_of({}, (), file="x.json", tool="t", requests=rows.requests(Source("x.json", "")))
    assert run.summary == {"requests_with_impossible_times": 1}


def test_what_an_importer_knows_of_a_run_is_added() -> None:
    run = run_of(
        {"n": 1, "prompt": "x"}, (), file="x.json", place="object 2", tool="t", concurrency=4.0,
        summary={"unit": "s"}, struck_out=("requests",),
    )  # fmt: skip
    assert (run.place, run.tool, run.concurrency) == ("object 2", "t", 4.0)
    assert run.summary == {"n": 1, "unit": "s"}
    assert run.struck_out == ("prompt", "requests")


def test_a_long_text_is_freed_of_secrets_before_it_is_cut() -> None:
    # The bound falls behind "pass": of a URL that ends there, nobody could tell that a password is in it.
    words = "x" * (LONGEST_TEXT - len(" http://ann:pass"))
    found = text_at({"note": f"{words} http://ann:password@acme.internal/v1"}, "note")
    assert found == f"{words} http://***/v1"[:LONGEST_TEXT]


@pytest.mark.parametrize(
    ("written", "limit"),
    [(8, 8.0), ("2.5", 2.5), (0, None), (-1, None), (None, None), ("inf", None), (1e300, None), (True, None)],
)
def test_what_is_no_limit_is_none(written: object, limit: float | None) -> None:
    assert limit_at({"load": {"concurrency": written}}, "load.concurrency") == limit


def test_the_first_path_with_a_number_counts() -> None:
    assert limit_at({"a": None, "b": 4, "c": 8}, "a", "b", "c") == 4.0


def test_what_was_made_of_the_numbers_stands_behind_them() -> None:
    made = Reported("requests", "totals.ok + 1", "1", 4)
    run = run_of({"totals": {"ok": 3}}, MAPPING, file="x.json", tool="x", derived=[made])

    assert run.reported == (Reported("completed", "totals.ok", "1", 3), made)
