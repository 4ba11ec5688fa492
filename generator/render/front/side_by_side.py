"""The page that lays any two rounds side by side."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from generator.comparing.records import Standing
from generator.render.front.gathered import Files, Gathered, Whole, in_each_language
from generator.render.page import Location, render
from generator.render.views.side_by_side import side_by_side
from generator.store.names import pair_name

DIFF: Final = "diff.json"
"""What a comparison found, among its data."""
NOT_COMPARABLE: Final[Standing] = "not_comparable"


def files(gathered: Gathered, whole: Whole) -> Files:
    """Return the page in each language; which pairs are comparable is read from the files of the comparisons."""
    heads = [one.round.id for one in gathered.analyses if one.round.id in gathered.against]
    pairs = [(gathered.against[head].base.round.id, head) for head in heads]
    built = {pair: _is_comparable(pair, whole) for pair in pairs}
    return {
        where.in_language(where.lang): _page(gathered, built, where) for where in in_each_language("side-by-side.html")
    }


def _page(gathered: Gathered, built: Mapping[tuple[str, str], bool], where: Location) -> str:
    rounds = [gathered.summaries[one.round.id] for one in gathered.analyses]
    view = side_by_side(rounds, built, gathered.catalogue.graph, where.lang)
    return render(gathered.site, "side_by_side.html", where, beside=view, words=view.words)


def _is_comparable(pair: tuple[str, str], whole: Whole) -> bool:
    told = json.loads(whole[f"data/diff/{pair_name(*pair)}/{DIFF}"])
    return bool(told["comparable"] != NOT_COMPARABLE)
