"""The matrix of scenarios: which series each is for, why in numbers, and how surely; and rules of thumb compared with them."""

from __future__ import annotations

import math
from typing import Final

from generator.across.levels import level_names
from generator.deciding.bounds import TOO_CLOSE
from generator.deciding.gaps import Gap, gaps
from generator.deciding.reasons import CONFLICT, tell_leads
from generator.deciding.records import NAMES, STANDINGS, Advice, Held, Rule
from generator.deciding.telling import tell_bounds, told_without
from generator.deciding.thumbs import held
from generator.deciding.weigh import advise
from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Block, Heading, Paragraph, Row, Subheading, Table
from generator.told.quoting import passage
from generator.told.sentence import Count, Listing, Part, SectionLink, Sentence, SeriesName, say


@section(checks=("same_precision", "failed_requests"))
def guide_matrix(analysis: Analysis) -> Chapter | None:
    """Tell what each rule comes to; nothing where there are not two series to choose between."""
    found = advise(analysis)
    if not found:
        return None
    uncovered = [Paragraph(_uncovered(analysis, gap)) for gap in gaps(analysis)]
    blocks: list[Block] = [Paragraph(_intro()), _table(found), *uncovered, Paragraph(_unmeasured()), *_bounded(found)]
    thumbs = held(analysis)
    if thumbs:
        blocks += [Subheading("guide-thumbs", THUMBS), Paragraph(_about_thumbs()), _held(thumbs)]
    return Chapter(say(zh="场景矩阵", en="Scenarios"), tuple(blocks))


THUMBS: Final = say(zh="常听到的经验法则，对照这一轮的数", en="Common rules of thumb, tested against this round")


def _intro() -> Sentence:
    return say(
        zh="每个场景看一个指标定先后，再看其他指标是否与之矛盾。只用这一轮测过的档位；范围内没有档位、缺数据或差距太小时，不选。在途请求数是同时进行的请求数。",
        en="Each scenario is decided by one quantity, and others are set beside it. Only measured levels count: where none lies in the range, a number is missing, or "
        "the series are too close, none is preferred. The load is the number of requests in flight at once.",
    )


def _table(found: tuple[Advice, ...]) -> Table:
    return Table(
        key="guide-scenarios",
        caption=say(
            zh="各场景选哪个系列，依据与把握", en="Which series each scenario is for, on what grounds and how surely"
        ),
        headings=(
            Heading(say(zh="场景", en="scenario"), is_text=True),
            Heading(say(zh="在途请求", en="in flight"), is_text=True),
            Heading(say(zh="选", en="prefer"), is_text=True),
            Heading(say(zh="依据", en="grounds"), is_text=True),
            Heading(say(zh="把握", en="certainty"), is_text=True),
        ),
        rows=tuple(_row(advice) for advice in found),
    )


def _row(advice: Advice) -> Row:
    cells: tuple[Part, ...] = (
        say(zh="{t}：{about}", en="{t}: {about}", t=advice.rule.title, about=advice.rule.about),
        _range(advice.rule),
        _preferred(advice),
        advice.reason,
        _certainty(advice),
    )
    return Row(cells)


def _preferred(advice: Advice) -> Part:
    if advice.preferred is not None:
        return SeriesName(advice.preferred)
    return told_without(advice)


NO_CERTAINTY: Final = same("—")


def _range(rule: Rule) -> Sentence:
    low = Count(int(rule.low))
    if math.isinf(rule.high):
        return say(zh="{low} 以上", en="{low} or more", low=low)
    return say(zh="{low} 到 {high}", en="{low} to {high}", low=low, high=Count(int(rule.high)))


def _certainty(advice: Advice) -> Part:
    """Name the certainty, and the quantities in which another series leads; of what was not measured there is none."""
    if advice.is_unmeasured:
        return NO_CERTAINTY
    sure = NAMES[advice.certainty]
    if not advice.against:
        return sure
    return say(
        zh="{sure}；但 {what} 是另一方领先",
        en="{sure}; but another leads in {what}",
        sure=sure,
        what=Listing(advice.against),
    )


def _uncovered(analysis: Analysis, gap: Gap) -> Sentence:
    """Say which loads no scenario asks for, and who leads there."""
    told = say(
        zh="在途 {low} 到 {high} 条请求的情形，不属于上面任何一个场景。",
        en="No scenario covers {low} to {high} in flight.",
        low=Count(gap.low),
        high=Count(gap.high),
    )
    if gap.levels:
        return passage(told, *(tell_leads(analysis, found) for found in gap.leads))
    if not gap.beside:
        return told
    nearest = say(
        zh="那里没有共同的可用档位；最近的是 {levels}。",
        en="No usable level there is common to all; the nearest: {levels}.",
        levels=level_names(analysis.round.series[0], gap.beside),
    )
    return passage(told, nearest)


def _unmeasured() -> Sentence:
    """Say how to read the matrix at a load between two measured levels."""
    return say(
        zh="没有测过的并发，看两侧最近的档位：两侧领先的是同一个，中间多半也由它领先，这是内插，不是测量；不是同一个，就还定不下来，先补测再选。领先者在哪些档位之间会变，见“{where}”。",
        en="For a load that was not measured, look at the nearest levels on both sides: where the same one leads at both, it most likely leads "
        "between them, which is interpolation, not measurement; where not, these data do not settle it: measure before choosing. “{where}” says between which levels the lead changes.",
        where=SectionLink("guide_verdict", Text(zh="选哪一个", en="Which to choose")),
    )


def _bounded(found: tuple[Advice, ...]) -> list[Block]:
    """Say once what keeps the preferences from being surer."""
    bounds = [bound for advice in found if advice.preferred is not None for bound in advice.bounds]
    told = [bound for bound in bounds if bound.why.text is not TOO_CLOSE and bound.why.text is not CONFLICT]
    if not told:
        return []
    sentence = say(
        zh="可信程度受限于：{why}（见“{where}”）。",
        en="Certainty is limited by: {why} (see “{where}”).",
        why=tell_bounds(told),
        where=SectionLink("guide_demands", Text(zh="结论有多可靠", en="How far the conclusions reach")),
    )
    return [Paragraph(sentence, "note")]


def _about_thumbs() -> Sentence:
    return say(
        zh="法则说的是引擎，这一轮测的是引擎连同它的精度、参数与机器：“数据不支持”只表示在这一轮的条件下不成立。可信程度的限制同上。",
        en="The rules speak of engines; this round measured engines together with their precision, flags and machine. “Contradicted” means that a rule does not "
        "hold under the conditions of this round, and nothing more. What limits certainty above limits it here, too.",
    )


def _held(found: tuple[Held, ...]) -> Table:
    return Table(
        key="guide-thumbs-table",
        caption=say(zh="经验法则与这一轮的数", en="Rules of thumb and the numbers of this round"),
        headings=(
            Heading(say(zh="法则", en="rule"), is_text=True),
            Heading(say(zh="结果", en="outcome"), is_text=True),
            Heading(say(zh="数据", en="data"), is_text=True),
        ),
        rows=tuple(Row((one.says, STANDINGS[one.standing], one.reason)) for one in found),
    )
