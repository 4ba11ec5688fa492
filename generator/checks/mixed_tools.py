"""Were all series measured by the same tool? Tools give different quantities the same name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations

from generator.frame import Analysis
from generator.kinds import Importer, check
from generator.meanings import importers_by_tool, same_names
from generator.model import Round
from generator.text import Text, same
from generator.themes import FAIRNESS
from generator.told.findings import Finding
from generator.told.quoting import clipped, passage, series_names
from generator.told.sentence import Listing, Sentence, SeriesName, say

Tools = Mapping[str, tuple[str, ...]]
"""Series -> the tools that its runs name; none for a table of results."""


@check(
    theme=FAIRNESS,
    title=Text(zh="压测工具", en="Load clients"),
    question=Text(
        zh="各系列是不是同一个工具测的？各工具的同名指标是不是同一个量？",
        en="Were all series measured by one tool, and do the tools mean the same by the same names?",
    ),
    rule=Text(
        zh="各系列的运行写明的工具不同就警告，并列出同名不同义的量；这样的量留在原名下，从不参与比较。有的系列没写工具就提示。",
        en="A warning where runs of the series name different tools, with the quantities that share a name and are not the same; such a number stays under its own name and is never compared. A note where only some series name their tool.",
    ),
)
def mixed_tools(analysis: Analysis) -> Sequence[Finding]:
    """Compare the tools that the runs of each series name."""
    tools = _tools(analysis.round)
    named = {tool for of_series in tools.values() for tool in of_series}
    if not named:
        return [_nothing()]
    if len(named) > 1:
        return [_several(tools)]
    silent = [series for series, of_series in tools.items() if not of_series]
    return [_partly(tools, silent) if silent else _one(*named)]


def _tools(round_: Round) -> Tools:
    found: dict[str, dict[str, None]] = {series.id: {} for series in round_.series}
    for (series, _, _), told in round_.described.items():
        if (tool := told.get("tool")) and series in found:
            found[series][tool] = None
    return {series: tuple(tools) for series, tools in found.items()}


def _several(tools: Tools) -> Finding:
    known = importers_by_tool()
    involved = [known[tool] for tool in dict.fromkeys(sum(tools.values(), ())) if tool in known]
    told = [
        say(
            zh="各系列不是同一个工具测的：{who}。",
            en="The series were not measured by one tool: {who}.",
            who=Listing(tuple(_who(series, of_series) for series, of_series in tools.items() if of_series)),
        ),
        *_differences(involved),
        *_conduct(involved),
    ]
    return Finding(
        check="mixed_tools",
        status="warn",
        message=passage(*told),
        bias=say(
            zh="差别可能来自工具，不是来自引擎；偏向哪一方无从得知。",
            en="A difference may be the tools' and not the engines'; which series that favours cannot be said.",
        ),
        remedy=say(
            zh="用同一个工具、同一个版本、同样的参数重测各系列。",
            en="Measure all series again with one tool, in one version, with the same options.",
        ),
    )


def _who(series: str, tools: Sequence[str]) -> Sentence:
    return say(
        zh="{s} 用 {tool}",
        en="{s} by {tool}",
        s=SeriesName(series),
        tool=Listing(tuple(clipped(tool) for tool in tools)),
    )


def _differences(involved: Sequence[Importer]) -> Iterator[Sentence]:
    """Yield what one of the tools calls by the name of a quantity that another one gives, and why it is not the same."""
    for one, other in permutations(involved, 2):
        for mapped in same_names(one, other):
            yield say(
                zh="{tool} 的 {field} 不是 {ours}：{why}",
                en="{field} of {tool} is not {ours}: {why}",
                tool=one.title,
                field=same(mapped.field),
                ours=same(mapped.quantity.upper()),
                why=mapped.why or same(""),
            )


def _conduct(involved: Sequence[Importer]) -> Iterator[Sentence]:
    for one in involved:
        if one.conduct is not None:
            yield say(zh="{tool}：{conduct}", en="{tool}: {conduct}", tool=one.title, conduct=one.conduct)


def _one(tool: str) -> Finding:
    return Finding(
        check="mixed_tools",
        status="pass",
        message=say(zh="全部运行都是 {tool} 测的。", en="All runs were measured by {tool}.", tool=clipped(tool)),
    )


def _partly(tools: Tools, silent: Sequence[str]) -> Finding:
    [tool] = {tool for of_series in tools.values() for tool in of_series}
    return Finding(
        check="mixed_tools",
        status="note",
        message=say(
            zh="写明工具的系列都是 {tool} 测的；{silent} 没有写明。",
            en="The series that name their tool were measured by {tool}; {silent} do not name it.",
            tool=clipped(tool),
            silent=series_names(silent),
        ),
        remedy=say(
            zh="把工具写出的结果文件用 rounds import 导入，不要只抄一张表。",
            en="Import the files that the tool wrote with rounds import, not a table that was copied from them.",
        ),
    )


def _nothing() -> Finding:
    return Finding(
        check="mixed_tools",
        status="pass",
        is_empty=True,
        message=say(
            zh="没有系列保留运行本身：转录的表不写是哪个工具测的。",
            en="No series keeps its runs: a table that was copied does not say which tool it is from.",
        ),
    )
