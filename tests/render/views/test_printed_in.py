"""How many rounds print a metric, the reports of the newest, and the ways to some before."""

from __future__ import annotations

import json

from generator.render.views.printed_in import LINKED, NEWEST, InRound, PrintedIn, printed_in, read_printed
from tests.support.telling import catalogue

REPORTS = catalogue().reports


def test_each_report_is_led_to_once_where_it_first_prints_the_metric() -> None:
    places = ["index.html#verdict", "index.html#data", "cliff.html#cliff", "cliff.html#fig-cliff"]
    found = printed_in({"ours": {"itl_p50": places}}, REPORTS, "en")

    reports = (("rounds/ours/index.html#verdict", "Results"), ("rounds/ours/cliff.html#cliff", "Cliff"))
    assert found == {"itl_p50": PrintedIn(1, (InRound("ours", reports),))}


def test_of_many_rounds_the_newest_are_named_and_all_are_counted() -> None:
    rounds = {f"r{at}": {"itl_p50": ["index.html#verdict"]} for at in range(100)}
    found = printed_in(rounds, REPORTS, "zh")["itl_p50"]

    assert found.rounds == 100
    assert [one.round_id for one in found.newest] == [f"r{at}" for at in range(NEWEST)]
    assert found.before == tuple((f"rounds/r{at}/index.html#verdict", f"r{at}") for at in range(NEWEST, LINKED))


def test_the_files_of_rounds_are_read_in_their_order() -> None:
    files = {f"data/{one}/printed.json": json.dumps({"mbu": [f"{one}#a"]}).encode() for one in ("a", "b", "c")}

    assert read_printed(["c", "a"], files) == {"c": {"mbu": ["c#a"]}, "a": {"mbu": ["a#a"]}}
