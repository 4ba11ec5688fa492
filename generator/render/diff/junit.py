"""A comparison as JUnit XML: a case for each row, so that a CI lists what got worse beside its failed tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from generator.comparing.records import Verdict
from generator.comparing.states import State
from generator.render.diff.rows import RowView
from generator.render.diff.view import DiffView
from generator.render.page import NOT_IN_HTML, REPLACEMENT

Outcome = Literal["passed", "failure", "skipped"]

OF_STATE: Final[Mapping[State, Outcome]] = {
    "worse": "failure", "failed_head": "failure",
    "better": "passed", "same": "passed", "identical": "passed", "noise": "passed",
}  # fmt: skip
"""State of a row -> its outcome; of all others nothing could be concluded, and they are skipped."""
OF_GATE: Final[Mapping[Verdict | None, Outcome]] = {"worse": "failure", "better": "passed", "same": "passed"}


def junit(view: DiffView) -> str:
    """Return a comparison as JUnit XML: worse rows fail, rows without a conclusion are skipped, with the reason."""
    suite = Element("testsuite", name=_clean(f"rounds diff {view.phrases['title']}"))
    compared = view.held.comparison
    failed = any(row.is_primary and row.state == "failed_head" for row in view.rows)
    outcome = "failure" if failed else OF_GATE.get(compared.gate, "skipped")
    _case(suite, "gate", compared.primary, outcome, view.gate)
    for row in view.rows:
        place = f"{row.address.series}.{row.address.level}"
        _case(suite, place, row.address.metric, OF_STATE.get(row.state, "skipped"), _told(row))
    _count(suite)
    indent(suite)
    told: bytes = tostring(suite, encoding="us-ascii")  # well-formed in whatever encoding it is redirected
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + told.decode("ascii") + "\n"


def _case(suite: Element, place: str, name: str, outcome: Outcome, message: str) -> None:
    case = SubElement(suite, "testcase", classname=_clean(place), name=name)
    if outcome != "passed":
        SubElement(case, outcome, message=_clean(message))


def _told(row: RowView) -> str:
    head = f"{row.label}: {row.base.text} → {row.head.text} {row.unit} ({row.change}), {row.threshold}, {row.interval}"
    return "; ".join((head, row.method, *row.why))


def _count(suite: Element) -> None:
    suite.set("tests", str(len(suite.findall("testcase"))))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("skipped", str(len(suite.findall("testcase/skipped"))))


def _clean(text: str) -> str:
    """Return a text without characters that no XML may hold."""
    return NOT_IN_HTML.sub(REPLACEMENT, text)
