"""summary.json: what a round found, in a few lines; the home page reads it, and so may other programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import TypeAdapter

from generator.comparing.order import day_of
from generator.deciding.overall import certainty_of
from generator.deciding.records import Certainty
from generator.frame import Analysis
from generator.model import Series
from generator.render.commands.brief import first_clause
from generator.render.files.json_text import in_lines
from generator.render.page import END_OF_SENTENCE, opening
from generator.render.plotting.palette import ACCENTS
from generator.render.views.finding_groups import PAGE, finding_id, gravest_first, tallies
from generator.render.views.reports import Reports
from generator.render.views.site_guide import engine_of
from generator.render.wording.numbers import Printers, both
from generator.report_kinds import Report
from generator.text import LANGS, Text
from generator.told.findings import Finding, Shown

NAME: Final = "summary.json"
"""Its name among the data of a round."""
MOST_SENTENCES: Final = 3
"""Of the verdict that is told in full; authors may have written pages."""


@dataclass(frozen=True, slots=True)
class SummedSeries:
    """A series of the round, and the number of its colour; by ``engine`` series of several rounds belong together."""

    id: str
    name: str
    engine: str
    accent: int


@dataclass(frozen=True, slots=True)
class SummedReport:
    """A report that can be read of the round."""

    key: str
    page: str
    title: Text


@dataclass(frozen=True, slots=True)
class SummedFinding:
    """A finding: its check, what it says first, and where it is told whole."""

    check: str
    status: Shown
    title: Text
    said: Text
    page: str


@dataclass(frozen=True, slots=True)
class Summary:
    """A round in a few lines.

    Attributes:
        day: by which rounds follow each other, as ``2026-11-30``; None where it is not known.
        when: when it was measured, as a reader is told it.
        is_simulated: whether a server of our own stood in for an engine.
        verdict: the first sentence of its report.
        further: the sentences behind that, a few of them.
        certainty: of who leads; None where nothing is ranked.
        gravest: what is wrong with it most; None where nothing failed or warned.
        findings: how many findings are shown as what, the gravest first.
    """

    id: str
    title: Text
    data_sha256: str
    model: str
    gpu: Text | None
    day: str | None
    when: Text | None
    is_simulated: bool
    series: tuple[SummedSeries, ...]
    verdict: Text
    further: Text
    certainty: Certainty | None
    gravest: SummedFinding | None
    findings: dict[Shown, int]
    reports: tuple[SummedReport, ...]

    @property
    def engines(self) -> tuple[str, ...]:
        """Return the engines, each once."""
        return tuple(dict.fromkeys(one.engine for one in self.series))


FORM: Final = TypeAdapter(Summary)


def summary_file(summary: Summary) -> str:
    """Return a summary as the text of its file."""
    return in_lines({"schema": 1, **FORM.dump_python(summary, mode="json")}, "\n")


def read_summary(file: bytes | str) -> Summary:
    """Return the summary in such a file."""
    return FORM.validate_json(file)


def summarise(analysis: Analysis, reports: Reports, printers: Printers) -> Summary:
    """Return what a round found.

    Args:
        analysis: the round.
        reports: all of its reports, its front page first.
        printers: of the round, in each language.
    """
    round_, (verdict, further) = analysis.round, _told(reports, printers)
    gpu, day = round_.file.hardware.gpu, day_of(round_)
    return Summary(
        id=round_.id,
        title=round_.title,
        data_sha256=round_.data_sha256,
        model=round_.file.model.name,
        gpu=None if gpu is None else gpu.text(),
        day=None if day is None else day.isoformat(),
        when=round_.file.round.when,
        is_simulated=any(one.table.kind == "reference" for one in round_.series),
        series=tuple(_series(analysis, one) for one in round_.series),
        verdict=verdict,
        further=further,
        certainty=certainty_of(analysis),
        gravest=next((_finding(one, printers) for one in gravest_first(analysis.findings)), None),
        findings={one.shown: one.number for one in tallies(analysis.findings)},
        reports=_reports(told.report for told in reports if told.lacks is None),
    )


def _series(analysis: Analysis, series: Series) -> SummedSeries:
    round_ = analysis.round
    return SummedSeries(series.id, round_.label(series.id), engine_of(series), round_.accents[series.id] % ACCENTS)


def _reports(reports: Iterable[Report]) -> tuple[SummedReport, ...]:
    return tuple(SummedReport(one.key, one.page, one.title) for one in reports)


def _finding(finding: Finding, printers: Printers) -> SummedFinding:
    analysis, said = printers[LANGS[0]].analysis, both(first_clause(finding.message), printers)
    return SummedFinding(
        finding.check,
        finding.shown,
        analysis.titles[finding.check],
        Text(said["zh"], said["en"]),
        f"{PAGE}#{finding_id(analysis, finding)}",
    )


def _told(reports: Reports, printers: Printers) -> tuple[Text, Text]:
    """Return the first sentence of the front page, and those behind it."""
    told = {lang: END_OF_SENTENCE.split(opening(reports[0].story, printers[lang]))[:MOST_SENTENCES] for lang in LANGS}
    return Text(told["zh"][0], told["en"][0]), Text(_joined(told["zh"], ""), _joined(told["en"], " "))


def _joined(sentences: Sequence[str], between: str) -> str:
    return between.join(sentences[1:]).strip()
