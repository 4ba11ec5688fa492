"""The page that lays any two rounds side by side."""

from __future__ import annotations

import json
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
    return {
        where.in_language(where.lang): _page(gathered, whole, where) for where in in_each_language("side-by-side.html")
    }


def _page(gathered: Gathered, whole: Whole, where: Location) -> str:
    rounds = [gathered.summaries[one.round.id] for one in gathered.analyses]
    built = [(gathered.against[one.id].base.round.id, one.id) for one in rounds if one.id in gathered.against]
    view = side_by_side(
        rounds, {pair: _is_comparable(pair, whole) for pair in built}, gathered.catalogue.graph, where.lang
    )
    return render(gathered.site, "side_by_side.html", where, beside=view, words=view.words)


def _is_comparable(pair: tuple[str, str], whole: Whole) -> bool:
    told = json.loads(whole[f"data/diff/{pair_name(*pair)}/{DIFF}"])
    return bool(told["comparable"] != NOT_COMPARABLE)
