"""Were prompts sent more than once? A cache that knows them makes TTFT and throughput better than new ones would."""

from __future__ import annotations

from collections.abc import Sequence

from generator.across.levels import at_runs, machine_of
from generator.frame import Analysis
from generator.kinds import check
from generator.machines.records import RunTime
from generator.model import Series
from generator.text import Text
from generator.themes import CACHING
from generator.told.findings import Finding
from generator.told.quoting import MOST_OF_ALL, listed_levels, worst_of
from generator.told.sentence import LevelName, Quantity, Sentence, SeriesName, say
from generator.values import Address, Value

REMEDY = say(
    zh="每次运行换一个 seed，数据集要够大；或关掉服务端的 prompt cache，并写进 argv。",
    en="Take another seed for each run, and a dataset that is large enough; or switch the server's prompt cache off, and say so "
    "in argv.",
)


@check(
    theme=CACHING,
    title=Text(zh="重复的 prompt", en="Repeated prompts"),
    question=Text(
        zh="同一个服务有没有不止一次收到同样的 prompt？", en="Was any prompt sent to the same server more than once?"
    ),
    rule=Text(
        zh="一次运行里有重复的 prompt 就警告；一个系列里有两次运行用同一个 seed 也警告，不论是两档还是同一档的两次。",
        en="A warning where a run has repeated prompts, and where two runs of a series, at one level or at two, have the same seed.",
    ),
)
def repeated_prompts(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series of which prompts were counted, or seeds are on record."""
    found = [finding for series in analysis.round.series for finding in _examine(analysis, series)]
    return found or [_nothing()]


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    counted = analysis.frame.known(at_runs("prompts_repeated", series))
    runs = [run for run in machine_of(analysis.round, series).runs if run.seed is not None]
    again = [value for value in counted if value.value]
    alike = _of_one_seed(runs)
    found = [_repeated(series, again)] if again else []
    found += [_same_seed(series, alike)] if alike else []
    return found or ([_all_new(series, counted)] if counted or runs[1:] else [])


def _of_one_seed(runs: Sequence[RunTime]) -> list[RunTime]:
    """Return the runs whose seed another one has as well."""
    seeds = [run.seed for run in runs]
    return [run for run in runs if seeds.count(run.seed) > 1]


def _repeated(series: Series, again: Sequence[Value]) -> Finding:
    worst = max(again, key=lambda value: value.value or 0.0).address
    levels = tuple(dict.fromkeys(value.address.level or "" for value in again))
    return Finding(
        check="repeated_prompts",
        status="warn",
        series=series.id,
        levels=levels,
        evidence=tuple(value.address for value in again),
        message=say(
            zh="{series} 在 {levels} 有重复的 prompt：{worst}。",
            en="At {levels} prompts of {series} were sent again: {worst}.",
            series=SeriesName(series.id),
            levels=listed_levels(series.id, levels),
            worst=_worst(worst, one_of_several=len(again) > 1),
        ),
        bias=_bias(series),
        looks="better",
        remedy=REMEDY,
    )


def _worst(worst: Address, *, one_of_several: bool) -> Sentence:
    told = say(zh="{n} 条", en="{n} of them", n=Quantity(worst))
    return worst_of(told, MOST_OF_ALL, LevelName(worst.series or "", worst.level or ""), one_of_several=one_of_several)


def _same_seed(series: Series, runs: Sequence[RunTime]) -> Finding:
    levels = tuple(dict.fromkeys(run.level for run in runs))
    return Finding(
        check="repeated_prompts",
        status="warn",
        series=series.id,
        levels=levels,
        message=say(
            zh="{series} 在 {levels} 的几次运行用了同一个 seed：后跑的一次，prompt 从先跑过的那些开始。",
            en="Runs of {series} at {levels} had the same seed: the later one begins with the prompts of the earlier.",
            series=SeriesName(series.id),
            levels=listed_levels(series.id, levels),
        ),
        bias=_bias(series),
        looks="better",
        remedy=REMEDY,
    )


def _bias(series: Series) -> Sentence:
    return say(
        zh="服务端若开着 prompt cache，{series} 的 TTFT 与吞吐显得更好。",
        en="With a prompt cache on the server, TTFT and throughput of {series} look better.",
        series=SeriesName(series.id),
    )


def _all_new(series: Series, counted: Sequence[Value]) -> Finding:
    return Finding(
        check="repeated_prompts",
        status="pass",
        series=series.id,
        evidence=tuple(value.address for value in counted),
        message=say(
            zh="{series} 的各次运行没有重复的 prompt，也没有共用的 seed，凡是有记录的。",
            en="As far as it is on record, no run of {series} has repeated prompts or the seed of another.",
            series=SeriesName(series.id),
        ),
    )


def _nothing() -> Finding:
    message = say(
        zh="没有哪次运行数过重复的 prompt，也没有记下 seed，无从比较。",
        en="No run has its repeated prompts counted or its seed on record, so there is nothing to compare.",
    )
    return Finding("repeated_prompts", "pass", message, is_empty=True)
