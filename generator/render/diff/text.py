"""A comparison as text: for a terminal, and as Markdown for a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from generator.render.diff.rows import RowView
from generator.render.diff.shown import ConclusionView, FlawView, SettingView
from generator.render.diff.view import DiffView
from generator.render.wording.numbers import UNKNOWN
from generator.store.files import printable

TO_ESCAPE: Final = re.compile(r"([\\`*_\[\]<>#|!~])")
"""What Markdown would take for more than a letter."""


def lines(view: DiffView) -> Iterator[str]:
    """Yield a comparison for a terminal; names in it are the rounds': no escape codes."""
    yield from map(printable, _lines(view))


def _lines(view: DiffView) -> Iterator[str]:
    yield f"{view.phrases['title']}: {view.standing}"
    yield f"  {view.summary}"
    yield from (f"  {reason}" for reason in view.reasons)
    yield f"{view.primary}{view.gate}"
    yield view.margin
    yield from view.terms
    for heading, found in (
        ("configuration", view.configuration),
        ("fingerprint", view.fingerprint),
        ("floors", view.floors),
    ):
        yield from _block(view.phrases[heading], _settings((*found["different"], *found["unknown"])))
    yield from _block(view.phrases["rows"], map(_row, view.loud))
    yield from _block(view.phrases["counts"], (tally.said[view.lang] for tally in view.tallies))
    yield from _block(view.phrases["conclusions"], map(_conclusion, view.conclusions))
    yield from _block(view.phrases["flaws"], map(_flaw, view.flaws))


def _block(heading: str, found: Iterable[str]) -> Iterator[str]:
    listed = [f"  {one}" for one in found]
    yield from ("", f"{heading}:", *listed) if listed else ()


def _settings(settings: Sequence[SettingView]) -> Iterator[str]:
    for one in settings:
        of = f" [{one.series}]" if one.series else ""
        name = f"{one.title} ({one.flag})" if one.flag else one.title
        yield f"{one.label}  {name}{of}: {one.base} → {one.head}"


def _row(row: RowView) -> str:
    unit = f" {row.unit}" if row.unit else ""
    change = f" ({row.change})" if row.change != UNKNOWN else ""
    p = f", p = {row.p}" if row.p != UNKNOWN else ""
    why = f"; {'; '.join(row.why)}" if row.why else ""
    return (
        f"{row.label}  {row.series} {row.level} {row.metric}: {row.base.text} → {row.head.text}{unit}{change}{p}{why}"
    )


def _conclusion(one: ConclusionView) -> str:
    return f"{one.series}  {one.title}: {one.base.text} → {one.head.text}"


def _flaw(flaw: FlawView) -> str:
    of = f" ({flaw.series})" if flaw.series else ""
    said = next(one.message for one in (flaw.head, flaw.base) if one is not None)
    return f"{flaw.fate}  {flaw.title}{of}: {said}"


def markdown(view: DiffView) -> Iterator[str]:
    """Yield a comparison as Markdown, as short as a pull request wants it: what stands out is a table."""
    words = view.phrases
    yield f"## {_safe(words['title'])}: {_safe(view.standing)}"
    yield ""
    yield _safe(view.summary)
    yield ""
    yield from (f"- {_safe(reason)}" for reason in view.reasons)
    yield f"- {_safe(view.primary)} **{_safe(view.gate)}**"
    yield from (f"- {_safe(term)}" for term in (view.margin, *view.terms))
    yield ""
    yield " · ".join(_safe(tally.said[view.lang]) for tally in view.tallies)
    yield from _markdown_rows(view)
    yield from _markdown_flaws(view)


def _markdown_rows(view: DiffView) -> Iterator[str]:
    if not view.loud:
        return
    words = view.phrases
    heads = (words["quantity"], "base", "head", "Δ %", words["verdict"], words["threshold"], words["interval"])
    yield from ("", _cells((*heads, "p", "n", words["why"])), _cells("---" for _ in range(len(heads) + 3)))
    for row in view.loud:
        what = f"{row.series} {row.level} {row.metric}" + (f" ({row.unit})" if row.unit else "")
        label = f"{row.label} ({row.grade})" if row.grade else row.label
        numbers = (row.base.text, row.head.text, row.change, label, row.threshold, row.interval, row.p, row.n)
        yield _cells((what, *numbers, "; ".join((row.method, *row.why))))


def _markdown_flaws(view: DiffView) -> Iterator[str]:
    if view.flaws:
        yield from ("", f"### {_safe(view.phrases['flaws'])}", "")
        yield from (f"- {_safe(_flaw(flaw))}" for flaw in view.flaws)


def _cells(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(_safe, cells))} |"


def _safe(text: str) -> str:
    """Return a text that Markdown shows as it is, in one line."""
    return TO_ESCAPE.sub(r"\\\1", " ".join(printable(text).split()))
