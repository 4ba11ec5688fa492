"""What a headline may not leave out of a series: from which load on it answered nothing, how many requests failed."""

from __future__ import annotations

from typing import Final

from generator.across.cliffs import failed_from, with_cliff
from generator.frame import Analysis
from generator.model import Series
from generator.text import Text, same
from generator.told.quoting import series_value
from generator.told.sentence import LevelName, SectionLink, Sentence, SeriesName, say

MANY_FAILED: Final = 0.01
"""Share of a series' requests that must fail for the headline to speak of it."""


def ended(analysis: Analysis, series: Series) -> list[Sentence]:
    """Say from which level on a series answered nothing at all: before that, who is faster is a small question."""
    level = failed_from(analysis, series)
    if level is None:
        return []
    return [
        say(
            zh="从 {l} 起，{s} 一条请求也没有回答{see}。",
            en="From {l} on {s} answered no request at all{see}.",
            s=SeriesName(series.id),
            l=LevelName(series.id, level.id),
            see=SEE_CLIFF if series in with_cliff(analysis) else same(""),
        )
    ]


SEE_CLIFF: Final = say(
    zh="（见“{cliff}”）", en=" (see {cliff})", cliff=SectionLink("cliff", Text(zh="悬崖", en="Cliff"))
)


def failed(analysis: Analysis, series: Series) -> list[Sentence]:
    """Say that a share of the requests failed that a headline may not leave out; tables have their checks."""
    told = [
        say(
            zh="发给 {s} 的 {of} 条请求里有 {n} 条失败。",
            en="{n} of {of} {of:request|requests} to {s} failed.",
            s=SeriesName(series.id),
            n=series_value("failed_total", series.id),
            of=series_value("requests_total", series.id),
        )
    ]
    many = (analysis.frame.of_series("failure_ratio_total", series.id).value or 0.0) >= MANY_FAILED
    return told if many and any(level.from_runs for level in series.levels) else []
