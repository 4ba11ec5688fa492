"""The home page: what each round found, the newest in full, the others in rows by model and GPU."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from generator.deciding.records import NAMES, Certainty
from generator.render.files.summary import Summary, SummedReport
from generator.render.views.finding_groups import Tally
from generator.text import Lang, Text

NEWEST: Final = 5
"""Rounds that are told in full; older ones have a row."""
SHOWN_AS: Final[Mapping[Certainty | None, str]] = {
    "firm": "pass", "leaning": "note", "qualitative": "warn", "open": "unknown", None: "empty",
}  # fmt: skip
"""How a certainty looks beside its word."""
WORDS: Final[Mapping[str, Text]] = {
    "newest": Text(zh="最新各轮的发现", en="What the newest rounds found"),
    "all_told": Text(zh="各轮的发现", en="What the rounds found"),
    "earlier": Text(zh="更早的轮次", en="Earlier rounds"),
    "filter": Text(zh="筛选轮次", en="Find rounds"),
    "model": Text(zh="模型", en="Model"),
    "gpu": Text(zh="显卡", en="GPU"),
    "engine": Text(zh="引擎", en="Engine"),
    "report": Text(zh="报告", en="Report"),
    "from": Text(zh="从", en="From"),
    "to": Text(zh="到", en="To"),
    "text": Text(zh="文字", en="Words"),
    "all": Text(zh="全部", en="all"),
    "clear": Text(zh="清除筛选", en="Clear"),
    "count": Text(zh="共 {all} 轮，显示 {n} 轮。", en="Showing {n} of {all} {all:round|rounds}."),
    "nothing": Text(zh="没有一轮符合。", en="No round fits."),
    "elsewhere": Text(zh="在全站搜索", en="Search all pages"),
    "undated": Text(
        zh="限定日期时，没有确切日期的轮次不显示。", en="When a date is set, rounds without a known date are hidden."
    ),
    "no_date": Text(zh="没有记录日期", en="date not recorded"),
    "certainty": Text(zh="把握：{}", en="certainty: {}"),
    "unranked": Text(zh="不分高下", en="nothing ranked"),
    "unknown_gpu": Text(zh="显卡未写明", en="GPU not stated"),
    "flaw": Text(zh="最严重的问题", en="The gravest finding"),
    "flawless": Text(zh="没有不通过，也没有警告。", en="Nothing failed, and nothing gave a warning."),
    "reports": Text(zh="报告", en="Reports"),
    "more": Text(zh="报告与问题", en="Reports and findings"),
    "beside": Text(zh="任选两轮并排看", en="Any two rounds side by side"),
}
"""The words of the page."""


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round on the page; ``against`` is the round before it that it is compared with, if any."""

    found: Summary
    against: str | None

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """Return how many findings there are of each kind."""
        return tuple(Tally(shown, number) for shown, number in self.found.findings.items())

    @property
    def looks(self) -> str:
        """Return how its certainty looks."""
        return SHOWN_AS[self.found.certainty]

    def certainty(self, lang: Lang) -> str:
        """Say how sure it is who leads."""
        known = self.found.certainty
        return WORDS["unranked"][lang] if known is None else WORDS["certainty"][lang].format(NAMES[known][lang])

    def gpu(self, lang: Lang) -> str:
        """Return its GPU."""
        return (self.found.gpu or WORDS["unknown_gpu"])[lang]


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rounds of one model and GPU, the newest first."""

    model: str
    gpu: str
    rows: tuple[RoundRow, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """A way to choose among rounds: its options by what the address of the page holds, the same in both languages."""

    name: str
    options: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Home:
    """The page: the newest rounds, the older ones by model and GPU, and what can be chosen among."""

    words: Mapping[str, str]
    rows: tuple[RoundRow, ...]
    lang: Lang

    @property
    def newest(self) -> tuple[RoundRow, ...]:
        """Return the rounds that are told in full."""
        return self.rows[:NEWEST]

    @property
    def earlier(self) -> tuple[RowGroup, ...]:
        """Return the other rounds, in the order of the newest of each group."""
        found: dict[tuple[str, str], list[RoundRow]] = {}
        for row in self.rows[NEWEST:]:
            found.setdefault((row.found.model, row.gpu(self.lang)), []).append(row)
        return tuple(RowGroup(model, gpu, tuple(rows)) for (model, gpu), rows in found.items())

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Return what the rounds can be chosen by: whatever tells one of them from another."""
        offered = (
            Choice("model", _same(row.found.model for row in self.rows)),
            Choice("gpu", {one.en: one[self.lang] for row in self.rows if (one := row.found.gpu) is not None}),
            Choice("engine", _same(engine for row in self.rows for engine in row.found.engines)),
            Choice("report", {one.key: one.title[self.lang] for one in self._reports}),
        )
        return tuple(one for one in offered if len(one.options) > 1 or (one.name == "report" and one.options))

    @property
    def _reports(self) -> tuple[SummedReport, ...]:
        """Return the kinds of report that some round has and another lacks."""
        kinds = {report.key: report for row in self.rows for report in row.found.reports}
        everywhere = set(kinds).intersection(*({one.key for one in row.found.reports} for row in self.rows))
        return tuple(report for key, report in kinds.items() if key not in everywhere)

    @property
    def has_days(self) -> bool:
        """Say whether any round can be found by its day."""
        return any(row.found.day is not None for row in self.rows)

    @property
    def has_undated(self) -> bool:
        """Say whether some round cannot."""
        return any(row.found.day is None for row in self.rows)


def _same(names: Iterable[str]) -> dict[str, str]:
    return {name: name for name in sorted(set(names))}


def home(summaries: Sequence[Summary], against: Mapping[str, str], lang: Lang) -> Home:
    """Return the page in one language.

    Args:
        summaries: the rounds, the newest first.
        against: round -> the round before it that it is compared with.
        lang: the language.
    """
    rows = tuple(RoundRow(one, against.get(one.id)) for one in summaries)
    return Home({key: text[lang] for key, text in WORDS.items()}, rows, lang)
