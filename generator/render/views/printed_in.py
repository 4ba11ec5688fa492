"""Where the rounds of the site print each metric: how many do, the reports of the newest, a place in some before."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from generator.render.files.printed import PRINTED, Printed
from generator.report_kinds import Report
from generator.text import Lang

NEWEST: Final = 2
"""Rounds whose reports are named."""
LINKED: Final = 8
"""Rounds that are led to, those whose reports are named included; of the others it is said how many there are."""


@dataclass(frozen=True, slots=True)
class InRound:
    """The reports of a round that print a metric: the way to the first place in each, and its title."""

    round_id: str
    reports: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PrintedIn:
    """How many rounds print a metric, the newest of them, and of those before the way to the first place in each."""

    rounds: int
    newest: tuple[InRound, ...]
    before: tuple[tuple[str, str], ...] = ()
    """The way, and the id of the round."""


def read_printed(rounds: Sequence[str], files: Mapping[str, bytes]) -> dict[str, Printed]:
    """Return where each round prints its metrics, by the files of the site."""
    return {one: json.loads(files[f"data/{one}/{PRINTED}"]) for one in rounds}


def printed_in(rounds: Mapping[str, Printed], reports: Sequence[Report], lang: Lang) -> dict[str, PrintedIn]:
    """Return where each metric is printed.

    Args:
        rounds: the newest first.
        reports: all that are declared.
        lang: the language of the page.
    """
    titles = {report.page: report.title[lang] for report in reports}
    counts: dict[str, int] = {}
    newest: dict[str, list[InRound]] = {}
    before: dict[str, list[tuple[str, str]]] = {}
    for round_id, printed in rounds.items():
        for metric, places in printed.items():
            counts[metric] = counts.get(metric, 0) + 1
            if counts[metric] <= NEWEST:
                newest.setdefault(metric, []).append(InRound(round_id, _reports(round_id, places, titles)))
            elif counts[metric] <= LINKED:
                before.setdefault(metric, []).append((f"rounds/{round_id}/{places[0]}", round_id))
    return {
        metric: PrintedIn(count, tuple(newest[metric]), tuple(before.get(metric, ())))
        for metric, count in counts.items()
    }


def _reports(round_id: str, places: Sequence[str], titles: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    first: dict[str, str] = {}
    for place in places:
        first.setdefault(place.partition("#")[0], place)
    return tuple((f"rounds/{round_id}/{place}", titles[page]) for page, place in first.items())
