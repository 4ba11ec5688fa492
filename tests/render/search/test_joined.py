"""The index as the page's script reads it."""

from __future__ import annotations

from generator.render.search.joined import joined, packed, runs
from generator.render.search.outline import Place
from generator.render.search.parts import Page, Part


def test_what_is_said_twice_stands_there_once() -> None:
    front = Place("", "", "One", "It begins.")
    traps = Place("traps", "", "Traps", "Mind these.", number="ttft_p99")
    table = Place("full", "t", "Traps", "", "C=1", "1 8")
    parts = [
        Part("rounds/a/", "a", "One", "a · vLLM", (Page("index.html", (front, traps)),)),
        Part("rounds/b/", "b", "Two", "b", (Page("index.html", (traps, table)),), "cpu"),
    ]

    printed = {"a": {"ttft_p99": ["index.html#traps"], "itl_p50": ["index.html#", "index.html#traps"]}}
    assert joined(parts, printed) == {
        "strings": "\nOne\na · vLLM\nTwo\nb\nIt begins.\ntraps\nTraps\nMind these.\nfull\nC=1",
        "paths": ["index.html"],
        # kind, anchor, heading, text, names of each of the three different places
        # "" is 0, told as 1; "One" is 1, told as 2; "It begins." is new (0), as what follows but "Traps", which is 7
        "places": packed([0, 1, 2, 0, 1, 0, 0, 0, 0, 1, 2, 0, 8, 1, 0]),
        "loads": [2, "1 8"],
        "metricOf": [1, "ttft_p99"],
        # a page is its path and its places: a run of two, from 0 and from 1; the first place of a prints one metric,
        # the next one, a step on, both
        "parts": [
            ["rounds/a/", "a", 1, 2, ["AAC"], "AABB"],
            ["rounds/b/", "b", 3, 4, ["ABC"], "", "cpu"],
        ],
        "metrics": ["ttft_p99", "itl_p50"],
        "printing": [(1,), (0, 1)],
    }


def test_numbers_that_follow_each_other_are_a_run() -> None:
    assert list(runs([4, 5, 6, 2, 8, 9])) == [4, 3, 2, 1, 8, 2]
    assert list(runs([])) == []


def test_a_number_is_packed_from_its_lowest_digit_on() -> None:
    # Five bits a digit: 31 is f; 32 is 0 + 1 × 32, of which the first goes on (g for A); 1000 is 8 + 31 × 32.
    assert packed([0, 31, 32, 1000]) == "A" + "f" + "gB" + "of"
