"""Did a series stay on one machine with one configuration, from its first session to its last?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.levels import machine_of
from generator.frame import Analysis
from generator.kinds import check
from generator.machines.comparing import Compared, compare
from generator.machines.fact_kinds import Kind
from generator.machines.flags import ENVIRONMENT, FLAG, NOT_COMPARED
from generator.machines.records import Session
from generator.machines.telling import difference, differences, listed
from generator.model import Series
from generator.text import Text, same
from generator.themes import FAIRNESS
from generator.told.findings import Finding
from generator.told.quoting import clipped
from generator.told.sentence import Count, Part, SeriesName, say

KINDS: Final[tuple[Kind, ...]] = ("machine", "software", "engine", "model", "workload")


@check(
    theme=FAIRNESS,
    title=Text(zh="会话之间没有变化", en="Unchanged between sessions"),
    question=Text(
        zh="一个系列的几次会话，机器、驱动、引擎与启动参数相同吗？",
        en="Do the sessions of a series share machine, driver, engine and flags?",
    ),
    rule=Text(
        zh="同一系列的两次会话，指纹里有一项不同就警告；都相同但服务端重启过，只提示。",
        en="A warning where the fingerprints of two sessions of one series differ in anything that is compared; a note where they agree but the server was started again in between.",
    ),
)
def changed_fingerprint(analysis: Analysis) -> Sequence[Finding]:
    """Compare the sessions of each series that has several."""
    sessions = {one: machine_of(analysis.round, one).sessions for one in analysis.round.series}
    several = [_examine(series, found) for series, found in sessions.items() if len(found) > 1]
    return several or [_single() if any(sessions.values()) else _none()]


def _examine(series: Series, sessions: Sequence[Session]) -> Finding:
    facts = [one for one in compare({one.name: one.facts for one in sessions}, KINDS) if one.differs]
    flags = _flags(sessions)
    return _changed(series, facts, flags) if facts or flags else _restarted(series, len(sessions))


def _flags(sessions: Sequence[Session]) -> dict[str, dict[str, str | None]]:
    """Return flags and variables that sessions do not share: path -> session -> what it is there."""
    paths = sorted({path for one in sessions for path in one.facts if path.startswith((FLAG, ENVIRONMENT))})
    told = {path: {one.name: one.text(path) for one in sessions} for path in paths if _counts(path)}
    return {path: texts for path, texts in told.items() if len(set(texts.values())) > 1}


def _counts(path: str) -> bool:
    return path.removeprefix(FLAG) not in NOT_COMPARED


def _changed(series: Series, facts: Sequence[Compared], flags: dict[str, dict[str, str | None]]) -> Finding:
    told: list[Part] = [*differences(facts, _name).parts] if facts else []
    told += [difference(_title(path), _texts(texts), _name) for path, texts in flags.items()]
    return Finding(
        check="changed_fingerprint",
        status="warn",
        series=series.id,
        message=say(
            zh="{series} 的几次会话不在同一环境里：{told}。",
            en="The sessions of {series} were not alike: {told}.",
            series=SeriesName(series.id),
            told=listed(told),
        ),
        bias=say(
            zh="各档出自不同的会话：档与档之间的差别里有一部分是环境的。",
            en="Levels are of different sessions: part of what they differ by is owed to the change.",
        ),
        remedy=say(
            zh="在一个会话里把 {series} 重测一遍，或者把变化前后拆成两个系列。",
            en="Measure {series} again in one session, or make what was before and after the change two series.",
            series=SeriesName(series.id),
        ),
    )


def _name(session: str) -> Part:
    return say(zh="会话 {n}", en="session {n}", n=clipped(session))


def _title(path: str) -> Text:
    return same(path.removeprefix(FLAG).removeprefix(ENVIRONMENT))


NOT_GIVEN: Final = Text(zh="没有", en="not given")


def _texts(texts: dict[str, str | None]) -> dict[str, Text]:
    return {name: NOT_GIVEN if text is None else clipped(text) for name, text in texts.items()}


def _restarted(series: Series, count: int) -> Finding:
    return Finding(
        check="changed_fingerprint",
        status="note",
        series=series.id,
        message=say(
            zh="{series} 是在 {n} 次会话里测的，指纹相同，但其间服务端重启过：缓存与编译的状态从头来过。",
            en="{series} was measured in {n} sessions. Their fingerprints agree, but the server was started again in between: "
            "caches and compiled code began anew.",
            series=SeriesName(series.id),
            n=Count(count),
        ),
    )


def _single() -> Finding:
    return Finding(
        check="changed_fingerprint",
        status="pass",
        message=say(
            zh="每个有记录的系列都是在一次会话里测完的。", en="Each series on record was measured in a single session."
        ),
    )


def _none() -> Finding:
    return Finding(
        check="changed_fingerprint",
        status="unknown",
        message=say(
            zh="一个系列的各次运行之间，机器或服务端有没有变过，无从得知：没有会话的指纹。",
            en="Whether machine or server changed between the runs of a series cannot be known: no session left a fingerprint.",
        ),
        remedy=say(
            zh="用 rounds collect 采集：它给每次会话留一份指纹。",
            en="Collect with rounds collect, which leaves a fingerprint of each session.",
        ),
    )
