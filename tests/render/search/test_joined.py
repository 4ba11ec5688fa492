"""The index as the page's script reads it."""

from __future__ import annotations

from generator.render.search.joined import joined, runs
from generator.render.search.outline import Place
from generator.render.search.parts import Page, Part


def test_what_is_said_twice_stands_there_once() -> None:
    front = Place("", "", "One", "It begins.")
    traps = Place("traps", "", "Traps", "Mind these.")
    table = Place("full", "t", "Traps", "", "C=1")
    parts = [
        Part("rounds/a/", "a", "One", "a · vLLM", (Page("index.html", (front, traps)),)),
        Part("rounds/b/", "b", "Two", "b", (Page("index.html", (traps, table)),)),
    ]

    printed = {"a": {"ttft_p99": ["index.html#traps"], "itl_p50": ["index.html#", "index.html#traps"]}}
    assert joined(parts, printed) == {
        "strings": ["One", "a · vLLM", "Two", "b", "", "It begins.", "traps", "Traps", "Mind these.", "full", "C=1"],
        # kind, anchor, heading, text, names of each of the three different places
        # "" is new (0), then 4, told as 5; "One" is 0, told as 1
        "places": [0, 0, 1, 0, 5, 0, 0, 0, 0, 5, 2, 0, 8, 5, 0],
        # the places of a page are a run of two, from 0 and from 1; the second place of a prints both metrics
        "parts": [
            ["rounds/a/", "a", 0, 1, [["index.html", 0, 2]], [0, 0, 1, 1]],
            ["rounds/b/", "b", 2, 3, [["index.html", 1, 2]], []],
        ],
        "metrics": ["ttft_p99", "itl_p50"],
        "printing": [(1,), (0, 1)],
    }


def test_numbers_that_follow_each_other_are_a_run() -> None:
    assert list(runs([4, 5, 6, 2, 8, 9])) == [4, 3, 2, 1, 8, 2]
    assert list(runs([])) == []
