"""The picture of a report: its first figure beside what it says, else its key numbers below."""

from __future__ import annotations

from collections.abc import Iterator

from generator.render.page import ReportView, Site
from generator.render.preview.card import MOST_NUMBERS, Card, KeyNumber, picture
from generator.told.blocks import Cards


def picture_of_report(site: Site, view: ReportView) -> bytes:
    """Return the picture of a report in the language of its view, as PNG."""
    lang, round_ = view.printer.lang, view.analysis.round
    is_front = view.report.is_front
    title = round_.title[lang]
    drawing = next((figure.narrow_drawing for figure in view.shown.values()), None)
    return picture(
        Card(
            kicker=round_.id if is_front else title,
            title=title if is_front else view.report.title[lang],
            lead=view.description or view.report.question[lang],
            site=site.title[lang],
            figure=drawing,
            numbers=() if drawing is not None else tuple(_numbers(view))[:MOST_NUMBERS],
        )
    )


def _numbers(view: ReportView) -> Iterator[KeyNumber]:
    blocks = (block for section in view.sections for block in section.blocks if isinstance(block, Cards))
    for block in blocks:
        for card in block.cards:
            yield KeyNumber(view.printer.plain(card.number), view.printer.plain_sentence(card.label))
