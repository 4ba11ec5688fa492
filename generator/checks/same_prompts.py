"""Were all series sent prompts of the same dataset and seed, and told alike whether to go on to the full length?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from generator.across.levels import Place, all_places, machine_of, shared_places
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Series
from generator.runs.imported import Description
from generator.text import Text, same
from generator.themes import FAIRNESS
from generator.told.findings import Finding
from generator.told.quoting import clipped
from generator.told.sentence import LevelName, Listing, Sentence, SeriesName, say

OF_PROMPTS: Final = re.compile(r"(?:^|[._ -])(?:dataset(?:[_-](?:name|path))?|ignore[_-]eos)$", re.IGNORECASE)
"""Names of entries of results that say what prompts were made of, or whether their answers end of themselves."""

Said = Mapping[Series, str]
"""What each of several series says of one setting."""


@check(
    theme=FAIRNESS,
    title=Text(zh="同样的 prompt", en="Same prompts"),
    question=Text(
        zh="共有的档位上，各系列的数据集、seed 与 ignore_eos 相同吗？",
        en="At the levels they share, had all series the same dataset, seed and ignore_eos?",
    ),
    rule=Text(
        zh="同一工具的结果里，数据集或 ignore_eos 各系列写的不同，就警告；只是 seed 不同，则提示。",
        en="A warning where results of one tool give another dataset or ignore_eos for another series; a note where only the seeds differ.",
    ),
)
def same_prompts(analysis: Analysis) -> Sequence[Finding]:
    """Examine the round as a whole."""
    shared = shared_places(all_places(analysis))
    settings = [(places, name, said) for places in shared for name, said in _settings(analysis, places)]
    seeds = [(places, said) for places in shared if len(said := _seeds(analysis, places)) > 1]
    differing = [one for one in settings if len(set(one[2].values())) > 1]
    drawn = [one for one in seeds if len(set(one[1].values())) > 1]
    findings = [_differ(differing)] if differing else []
    findings += [_other_seeds([places for places, _ in drawn])] if drawn else []
    return findings or [_alike(is_empty=not settings and not seeds)]


def _settings(analysis: Analysis, places: Sequence[Place]) -> Iterator[tuple[str, Said]]:
    """Yield each setting that two series or more give at a level, of those whose runs are of one tool."""
    told = {place[0]: described for place in places if (described := _described(analysis, place))}
    if len({one.get("tool") for one in told.values()}) > 1:
        return
    for name in sorted({name for one in told.values() for name in one if OF_PROMPTS.search(name)}):
        said = {series: text for series, one in told.items() if (text := one.get(name))}
        if len(said) > 1:
            yield name, said


def _described(analysis: Analysis, place: Place) -> Description:
    """Return what the first run of a level says of itself: that its trials agree is for another check."""
    series, level = place
    return analysis.round.described.get((series.id, level.id, level.runs[0]), {})


def _seeds(analysis: Analysis, places: Sequence[Place]) -> Said:
    """Return the seeds with which each series was run at a level."""
    known = {}
    for series, level in places:
        runs = machine_of(analysis.round, series).runs
        seeds = sorted(run.seed for run in runs if run.level == level.id and run.seed is not None)
        if seeds:
            known[series] = " ".join(seeds)
    return known


def _differ(differing: Sequence[tuple[Sequence[Place], str, Said]]) -> Finding:
    _, name, said = differing[0]
    return Finding(
        check="same_prompts",
        status="warn",
        message=say(
            zh="各系列在 {levels} 用的 prompt 不是同样的：{name} 在 {told}。",
            en="At {levels} the series did not have the same prompts: {name} is {told}.",
            levels=_names([one for one, _, _ in differing]),
            name=clipped(name),
            told=Listing(tuple(_says(series, text) for series, text in said.items())),
        ),
        bias=say(
            zh="长短与重复程度不同的 prompt，让 TTFT 与吞吐说的不是同一件事。",
            en="With prompts of other lengths and repetitions, TTFT and throughput are of different work.",
        ),
        remedy=say(
            zh="用同一个数据集、同样的 ignore_eos 重跑这几档。",
            en="Run these levels again with one dataset and one choice of ignore_eos.",
        ),
    )


def _says(series: Series, text: str) -> Sentence:
    return say(zh="{s} 为 {text}", en="{text} on {s}", s=SeriesName(series.id), text=clipped(text))


def _other_seeds(levels: Sequence[Sequence[Place]]) -> Finding:
    return Finding(
        check="same_prompts",
        status="note",
        message=say(
            zh="各系列在 {levels} 的 seed 不同：prompt 是同一种，但不是同一批。",
            en="At {levels} the series had other seeds: the prompts are of one kind, but not the same ones.",
            levels=_names(levels),
        ),
        remedy=say(
            zh="同一档各系列用同一个 seed，不同的档用不同的。",
            en="Give all series one seed at a level, and each level another.",
        ),
    )


def _names(levels: Sequence[Sequence[Place]]) -> Listing:
    """Return the names of levels, each once."""
    first = {places[0][1].id: places[0] for places in levels}
    return Listing(tuple(LevelName(series.id, level) for level, (series, _) in first.items()))


def _alike(*, is_empty: bool) -> Finding:
    if is_empty:
        message = say(
            zh="没有两个系列在共有的档位上记录了数据集、{key} 或 seed，无从比较。",
            en="No two series have dataset, {key} or seed on record at a level that they share, so there is nothing to compare.",
            key=same("ignore_eos"),
        )
        return Finding("same_prompts", "pass", message, is_empty=True)
    message = say(
        zh="凡是有记录的，各系列在共有的档位上用的是同样的 prompt。",
        en="As far as it is on record, all series had the same prompts at the levels that they share.",
    )
    return Finding("same_prompts", "pass", message)
