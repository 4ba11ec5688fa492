"""Findings for the terminal: grouped by status, what passed or does not apply as a count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from generator.render.wording.numbers import Printer
from generator.render.wording.phrases import FOUND
from generator.store.files import printable
from generator.text import Text
from generator.told.findings import SHOWN, Finding, Shown

HEAD: Final = Text(zh="{status}：{n} 条", en="{status}: {n}")
LISTED_BY: Final = Text(zh="；--all 逐条列出", en="; --all lists them")
COUNTED: Final[frozenset[Shown]] = frozenset({"pass", "empty"})


def finding_lines(printer: Printer, *, whole: bool) -> Iterator[str]:
    """Yield the findings of a round under the heading of their status, the gravest first.

    Args:
        printer: of the round and the language.
        whole: list also what passed, or had nothing to examine; else it is counted.
    """
    of = {shown: [f for f in printer.analysis.findings if f.shown == shown] for shown in SHOWN}
    for shown, findings in of.items():
        if findings:
            counted = shown in COUNTED and not whole
            head = HEAD[printer.lang].format(status=FOUND[shown][printer.lang], n=len(findings))
            yield head + (LISTED_BY[printer.lang] if counted else "")
            yield from () if counted else _listed(findings, printer)


def _listed(findings: Sequence[Finding], printer: Printer) -> Iterator[str]:
    """Yield a line a finding, its check in a column of its own; names in it are the round's: no escape codes."""
    width = max(len(finding.check) for finding in findings)
    return (f"  {finding.check:{width}}  {printable(printer.plain_sentence(finding.message))}" for finding in findings)
