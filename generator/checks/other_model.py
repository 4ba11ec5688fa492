"""Did the runs ask for the model that the report is about? A file in the wrong folder looks like any other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from generator.frame import Analysis
from generator.kinds import check
from generator.model import Round, Series
from generator.text import Text
from generator.themes import FAIRNESS
from generator.told.findings import Finding
from generator.told.quoting import clipped, listed_levels
from generator.told.sentence import Listing, SeriesName, say

PRECISION: Final = re.compile(
    r"[-_.](?:gguf|i?q\d\w*|w\d+a\d+\w*|[bf]{1,2}p?(?:16|32)|fp(?:8|16|32)\w*|int[48]|[48]bit|awq|gptq|dynamic)$"
)
"""What names of models end in that says how the weights are stored: the series says that, not the model."""


@check(
    theme=FAIRNESS,
    title=Text(zh="模型是否相符", en="Requested model"),
    question=Text(
        zh="各次运行请求的模型，是不是 round.toml 里写的那一个？",
        en="Did the runs ask for the model that round.toml names?",
    ),
    rule=Text(
        zh="运行里写的模型名，去掉路径与权重格式后，与 round.toml 的不是同一个，或各次运行互不相同，就警告。",
        en="A warning where the model that a run names is not that of round.toml, or not that of the other runs; folders and formats of the weights do not count.",
    ),
)
def other_model(analysis: Analysis) -> Sequence[Finding]:
    """Compare the models that runs name with the one declared, and with each other."""
    asked = {series.id: _asked(analysis.round, series) for series in analysis.round.series}
    if not any(asked.values()):
        return [_unknown()]
    found = [finding for series in analysis.round.series for finding in _examine(analysis.round, series, asked)]
    return found or [_agree()]


def _asked(round_: Round, series: Series) -> dict[str, list[str]]:
    """Return the models that the runs of a series name, and the levels of each."""
    found: dict[str, list[str]] = {}
    for (of, level, _), told in round_.described.items():
        if of == series.id and (model := told.get("model")):
            levels = found.setdefault(model, [])
            if level not in levels:
                levels.append(level)
    return found


def _examine(round_: Round, series: Series, asked: Mapping[str, Mapping[str, list[str]]]) -> list[Finding]:
    models = asked[series.id]
    findings = [_several(series, models)] if len({_plain(model) for model in models}) > 1 else []
    meant = {_plain(name) for name in (round_.file.model.name, series.table.served_model) if name}
    others = [model for model in models if _plain(model) not in meant]
    return [*findings, _other(round_, series, others, models)] if others else findings


def _plain(model: str) -> str:
    """Return what two names of one model share: no folder or owner, no case, nothing of the weights' format."""
    name = re.split(r"[/\\]", model.strip().rstrip("/\\"))[-1].lower()
    while (shorter := PRECISION.sub("", name)) != name and shorter:
        name = shorter
    return name


def _several(series: Series, models: Mapping[str, list[str]]) -> Finding:
    told = (
        say(zh="{levels} 是 {model}", en="{model} at {levels}", model=clipped(model), levels=_levels(series, levels))
        for model, levels in models.items()
    )
    return Finding(
        check="other_model",
        status="warn",
        series=series.id,
        levels=tuple(dict.fromkeys(level for levels in models.values() for level in levels)),
        message=say(
            zh="{series} 的各次运行请求的模型不同：{told}。",
            en="The runs of {series} did not ask for the same model: {told}.",
            series=SeriesName(series.id),
            told=Listing(tuple(told)),
        ),
        bias=say(zh="小的模型总是更快。", en="The smaller model is always the faster one."),
        remedy=say(zh="每个模型放进各自的一轮。", en="Make each model a round of its own."),
    )


def _other(round_: Round, series: Series, others: Sequence[str], models: Mapping[str, list[str]]) -> Finding:
    levels = list(dict.fromkeys(level for model in others for level in models[model]))
    return Finding(
        check="other_model",
        status="warn",
        series=series.id,
        levels=tuple(levels),
        message=say(
            zh="{series} 在 {levels} 请求的模型是 {asked}，round.toml 写的是 {meant}。",
            en="The runs of {series} at {levels} asked for {asked}, and round.toml names {meant}.",
            series=SeriesName(series.id),
            levels=_levels(series, levels),
            asked=Listing(tuple(clipped(model) for model in others)),
            meant=clipped(round_.file.model.name),
        ),
        bias=say(
            zh="下限按 round.toml 的模型计算：换了模型，实测与下限的距离就不作数。",
            en="Floors are computed for the model of round.toml: for another one, the distance to them means nothing.",
        ),
        remedy=say(
            zh="改正 [model] 的 name 与形状；若服务端只是用了另一个名字，把它写进该系列的 served_model。",
            en="Correct the name and the shape in [model]; where the server merely goes by another name for it, give that as "
            "served_model of the series.",
        ),
    )


def _levels(series: Series, levels: Iterable[str]) -> Listing:
    return listed_levels(series.id, levels)


def _agree() -> Finding:
    return Finding(
        check="other_model",
        status="pass",
        message=say(
            zh="凡是说明了模型的运行，请求的都是 round.toml 写的那一个。",
            en="All runs that say which model they asked for asked for the one that round.toml names.",
        ),
    )


def _unknown() -> Finding:
    return Finding(
        check="other_model",
        status="unknown",
        message=say(zh="没有运行说明自己请求的是哪个模型。", en="No run on record says which model it asked for."),
        remedy=say(
            zh="保留压测工具写出的结果文件，用 rounds import 导入。",
            en="Keep the result files of the client, and bring them in with rounds import.",
        ),
    )
