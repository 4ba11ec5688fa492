"""What was compared: model, machine, load, engines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from generator.across.levels import all_places, arrival
from generator.declared.floor_words import BANDWIDTH_SOURCES
from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Facts
from generator.told.quoting import round_value, series_value
from generator.told.sentence import LevelName, Listing, Part, Quantity, Sentence, SeriesName, say

UNNAMED: Final = Text(zh="按到达率，过程未写明", en="at a rate, the process not on record")
YEAR: Final = re.compile(r"(?<!\d)\d{4}(?!\d)")
Fact = tuple[Sentence, Sentence]


@section(
    checks=(
        "same_work",
        "same_prompts",
        "arrivals_named",
        "reporting_demands",
        "asked_vs_input",
        "mixed_tools",
        "other_model",
    ),
)
def overview(analysis: Analysis) -> Chapter:
    """List what the round declares."""
    facts = (*_setting(analysis), *(_engine(series) for series in analysis.round.series), *_load(analysis))
    return Chapter(say(zh="比的是什么", en="What was compared"), (Facts(facts),))


def _setting(analysis: Analysis) -> Iterator[Fact]:
    file = analysis.round.file
    yield say(zh="模型", en="Model"), _words(same(file.model.name))
    if file.hardware.gpu is not None:
        yield say(zh="GPU", en="GPU"), _words(file.hardware.gpu.text())
    if file.hardware.memory_bandwidth_gb_s is not None:
        yield say(zh="显存带宽", en="Memory bandwidth"), _bandwidth(analysis)
    driver = [part for part in (file.hardware.driver, file.hardware.cuda and f"CUDA {file.hardware.cuda}") if part]
    if driver:
        yield say(zh="驱动", en="Driver"), _words(same(" · ".join(driver)))
    if file.round.when is not None:
        yield say(zh="日期", en="Date"), _dated(file.round.when)


def _dated(when: Text) -> Sentence:
    """Return a date as declared; where it tells no year, that none is on record."""
    if YEAR.search(when.en):
        return _words(when)
    return say(zh="{when}（年份没有记录）", en="{when} (year not recorded)", when=when)


def _bandwidth(analysis: Analysis) -> Sentence:
    basis = BANDWIDTH_SOURCES[analysis.round.file.hardware.bandwidth_source]
    return say(
        zh="{bandwidth}（{basis}）",
        en="{bandwidth} ({basis})",
        bandwidth=round_value("memory_bandwidth"),
        basis=basis,
    )


def _engine(series: Series) -> Fact:
    table = series.table
    known = [part for part in (table.version, table.precision) if part]
    return say(zh="{s}", en="{s}", s=SeriesName(series.id)), _words(same(" · ".join(known) or series.id))


def _load(analysis: Analysis) -> Iterator[Fact]:
    lengths = _lengths(analysis)
    if lengths is not None:
        yield say(zh="输入 / 输出", en="Input / output"), lengths
    if levels := _levels(analysis):
        yield say(zh="负载档位", en="Load levels"), say(zh="{all}", en="{all}", all=Listing(levels))
    if arrivals := _arrivals(analysis):
        yield say(zh="到达方式", en="Arrivals"), say(zh="{all}", en="{all}", all=Listing(arrivals))
    for series in analysis.round.series:
        if analysis.frame.of_series("failed_total", series.id).value is not None:
            yield (
                say(zh="{s} 失败 / 请求", en="{s} failed / sent", s=SeriesName(series.id)),
                say(
                    zh="{failed} / {sent}",
                    en="{failed} / {sent}",
                    failed=series_value("failed_total", series.id),
                    sent=series_value("requests_total", series.id),
                ),
            )
    if analysis.round.file.workload.dataset is not None:
        yield say(zh="数据集", en="Dataset"), _words(analysis.round.file.workload.dataset.text())


def _lengths(analysis: Analysis) -> Sentence | None:
    """Return the lengths asked for, if they are the same at every level."""
    keys = ("asked_input_tokens", "asked_output_tokens")
    values = [
        tuple(analysis.frame.of_level(key, series.id, level.id) for key in keys)
        for series in analysis.round.series
        for level in series.levels
    ]
    asked = {tuple(value.value for value in pair) for pair in values}
    if len(asked) != 1 or None in next(iter(asked)):
        return None
    first, second = values[0]
    return say(zh="{i} / {o}", en="{i} / {o}", i=Quantity(first.address, bare=True), o=Quantity(second.address))


def _levels(analysis: Analysis) -> tuple[Part, ...]:
    """Return one level of each load; those without any, or that differ in their lengths, are told apart by their names."""
    levels = [(s, level) for s in analysis.round.series for level in s.levels]
    named = _lengths(analysis) is None
    by_load = {
        (level.order, level.id if named or not level.load else ""): LevelName(s.id, level.id) for s, level in levels
    }
    return tuple(by_load[load] for load in sorted(by_load, key=lambda load: (load[0], len(load[1]), load[1])))


def _arrivals(analysis: Analysis) -> tuple[Part, ...]:
    """Return each way in which requests arrive; where nobody names that of a rate, so much is said."""
    named = [(arrival(analysis, place), place[1].rate) for place in all_places(analysis)]
    told = [UNNAMED if text is None else text for text, rate in named if text is not None or rate is not None]
    return tuple(dict.fromkeys(told))


def _words(text: Text) -> Sentence:
    return say(zh="{words}", en="{words}", words=text)
