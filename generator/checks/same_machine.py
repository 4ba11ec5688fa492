"""Did all series run on the same machine, with the same software below the engine?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.frame import Analysis
from generator.kinds import check
from generator.machines.comparing import Compared, compare, facts_of
from generator.machines.fact_kinds import Kind
from generator.machines.telling import differences, listed
from generator.text import Text
from generator.themes import FAIRNESS
from generator.told.findings import Finding
from generator.told.sentence import Listing, Sentence, say

KINDS: Final[tuple[Kind, ...]] = ("machine", "software")
ENGINE: Final = ("engine.version", "engine.build", "engine.commit")


@check(
    theme=FAIRNESS,
    title=Text(zh="机器与软件", en="Machine and software"),
    question=Text(
        zh="各系列的 GPU、驱动、内核与 Python 包相同吗？",
        en="Do all series share GPU, driver, kernel and Python packages?",
    ),
    rule=Text(
        zh="机器或软件有一项不同就警告；只有一部分系列有记录的，提示；没有一项能比较的，算无从检查。未记录的一律不视为相同。",
        en="A warning where any fact of the machine or its software differs; a note where only some series have one on record; unchecked where none can be compared. What is not on record is never taken for the same.",
    ),
)
def same_machine(analysis: Analysis) -> Sequence[Finding]:
    """Compare what is known of the machine of each series."""
    machines = analysis.round.machines
    if len(analysis.round.series) == 1:
        return [_alone()]
    known = compare(facts_of(machines), KINDS)
    comparable = [fact for fact in known if len(fact.texts) > 1]
    if not comparable:
        return [_unknown()]
    differing = [fact for fact in comparable if fact.differs]
    if differing:
        return [_differ(analysis, differing)]
    partly = [fact for fact in known if len(fact.texts) < len(analysis.round.series)]
    return [_partly(comparable, partly) if partly else _same(comparable)]


def _differ(analysis: Analysis, differing: Sequence[Compared]) -> Finding:
    engine = _changed_engine(analysis)
    return Finding(
        check="same_machine",
        status="warn",
        message=say(
            zh="各系列的运行环境不同：{facts}。{affects}可能因此不同。",
            en="The series did not run on the same machine and software: {facts}. That can change {affects}.",
            facts=differences(differing),
            affects=Listing(tuple(dict.fromkeys(fact.kind.affects for fact in differing))),
        ),
        bias=_two_changes(differing, engine) if engine else _either(),
        remedy=say(
            zh="在同一台机器、同一驱动上重测；或者把基线在另一台上也测一遍，分离出机器的影响。",
            en="Measure again on one machine with one driver, or measure the baseline on the other one as well, to tell the "
            "machine's share apart.",
        ),
    )


def _changed_engine(analysis: Analysis) -> list[Compared]:
    """Return in what series of one engine differ as engines: version, build, commit."""
    facts = facts_of(analysis.round.machines)
    names = {series: known["engine.name"].text for series, known in facts.items() if "engine.name" in known}
    if len(set(names.values())) != 1:
        return []
    return [fact for fact in compare(facts, ["engine"]) if fact.differs and fact.path in ENGINE]


def _two_changes(differing: Sequence[Compared], engine: Sequence[Compared]) -> Sentence:
    return say(
        zh="两样东西同时变了：{machine}，还有{engine}。差别不能归到引擎头上。",
        en="Two things changed: {machine}, and {engine}. The change cannot be put down to the engine.",
        machine=listed([fact.title for fact in differing]),
        engine=listed([fact.title for fact in engine]),
    )


def _either() -> Sentence:
    return say(
        zh="领先可能来自机器，而不是引擎；偏向哪一方无从得知。",
        en="A lead may come from the machine and not from the engine; which series that favours cannot be said.",
    )


def _same(comparable: Sequence[Compared]) -> Finding:
    return Finding(
        check="same_machine",
        status="pass",
        message=say(
            zh="凡是有记录的，各系列都相同：{facts}。",
            en="As far as it is on record, all series share the same: {facts}.",
            facts=listed([fact.title for fact in comparable]),
        ),
    )


def _partly(comparable: Sequence[Compared], partly: Sequence[Compared]) -> Finding:
    return Finding(
        check="same_machine",
        status="note",
        message=say(
            zh="能比较的都相同（{same}），但只有一部分系列记录了 {facts}：没有记录不等于相同。",
            en="What can be compared is the same ({same}), but only some series have these on record: {facts}. Not on record is "
            "not the same.",
            same=listed([fact.title for fact in comparable]),
            facts=listed([fact.title for fact in partly]),
        ),
        remedy=_remedy(),
    )


def _unknown() -> Finding:
    return Finding(
        check="same_machine",
        status="unknown",
        message=say(
            zh="各系列是否跑在同一台机器上无从得知：没有一项事实是几个系列都有记录的。",
            en="Whether the series ran on the same machine cannot be known: no fact of it is on record for several of them.",
        ),
        remedy=_remedy(),
    )


def _remedy() -> Sentence:
    return say(
        zh="用 rounds collect 采集，或者把 GPU、驱动写进 round.toml，其余写进各系列的 fingerprint.json。",
        en="Collect with rounds collect, or put GPU and driver into round.toml and the rest into a fingerprint.json of each series.",
    )


def _alone() -> Finding:
    return Finding(
        check="same_machine",
        status="pass",
        is_empty=True,
        message=say(
            zh="这一轮只有一个系列，没有别的机器可比。", en="This round has a single series: there is no other machine."
        ),
    )
