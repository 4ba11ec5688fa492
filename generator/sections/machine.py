"""What it ran on: the machine, the software and the start of each series; what does not differ unfolds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from generator.across.levels import places_with
from generator.frame import Analysis
from generator.machines.comparing import Compared, compare, facts_of
from generator.machines.fact_kinds import ON_OFF
from generator.machines.flags import SETTINGS, Setting, alike, setting_of
from generator.machines.records import Machine
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Block, Folded, Heading, Paragraph, Row, Table
from generator.told.quoting import clipped, passage, series_names
from generator.told.sentence import Part, Sentence, SeriesName, say

TOLD_ELSEWHERE: Final = frozenset({"engine.name", "model.precision"})
"""What the names of the series say."""
NOT_KNOWN: Final = Text(zh="没有记录", en="not on record")
CHECKS: Final = ("same_machine", "same_time", "same_precision", "same_flags", "slot_context", "clock_steps",
                 "changed_fingerprint", "mig_unified", "throttling", "power_state")  # fmt: skip
Line = tuple[bool, Row]
"""A row, and whether series differ in it."""


@section(checks=CHECKS)
def machine(analysis: Analysis) -> Chapter | None:
    """Show what each series ran on, as far as it is known; rounds without a fact have no such chapter."""
    machines = {one.id: known for one in analysis.round.series if (known := analysis.round.machines.get(one.id))}
    lines = _lines(machines) if machines else []
    if not lines:
        return None
    heading = say(zh="运行环境", en="What it ran on")
    if len(machines) == 1:
        unknown = [Paragraph(sentence, "note") for sentence in _unknown(analysis, machines)]
        return Chapter(heading, (_table("machine-table", WHAT, machines, lines), *unknown))
    differing, shared = ([line for line in lines if line[0] == differs] for differs in (True, False))
    blocks: list[Block] = [
        Paragraph(passage(RECORDED if differing else _alike(machines), *_unknown(analysis, machines)))
    ]
    if differing:
        blocks.append(_table("machine-table", DIFFERING, machines, differing))
    if shared:
        blocks.append(Folded(SHARED, _table("machine-shared", SHARED, machines, shared)))
    return Chapter(heading, tuple(blocks))


WHAT: Final = say(zh="运行环境，有记录的各项", en="What it ran on, as far as it is on record")
DIFFERING: Final = say(zh="各系列的运行环境：不同的各项", en="What each series ran on, where it differs")
SHARED: Final = say(
    zh="相同的，或只有部分系列有记录的各项", en="Facts that are the same, or on record for some of the series only"
)
RECORDED: Final = say(
    zh="标着 {mark} 的各项不同；没有记录的，也可能不同。",
    en="Facts marked {mark} differ. One that is not on record may differ as well.",
    mark=same("≠"),
)
REST: Final = Text(
    zh="{what}不同；各系列都有记录的其余各项相同，没有记录的也可能不同。",
    en="{what} differ. All else that is on record for every series is the same; what is not on record may differ as well.",
)
ALIKE: Final = say(
    zh="各系列都有记录的各项均相同，没有记录的也可能不同。",
    en="All that is on record for every series is the same; what is not on record may differ.",
)
BOTH: Final = Text(zh="引擎与精度", en="Engine and precision")
ENGINES: Final = Text(zh="引擎", en="The engines")
PRECISIONS: Final = Text(zh="精度", en="The precisions")
NO_CLIENT: Final = say(zh="施加负载的压测工具没有记录。", en="The load client is not on record.")


def _alike(machines: Mapping[str, Machine]) -> Sentence:
    """Say that no fact below differs, and what of the series does all the same: it stands in their names."""
    engines, precisions = (
        len({told for one in machines.values() if (told := known(one))}) > 1
        for known in (_engine, lambda one: one.text("model.precision"))
    )
    if not engines and not precisions:
        return ALIKE
    return Sentence(REST, {"what": BOTH if engines and precisions else ENGINES if engines else PRECISIONS})


def _unknown(analysis: Analysis, machines: Mapping[str, Machine]) -> list[Sentence]:
    """Say what readers ask for first and is on record of no run: flags beside those of others, and the load client."""
    flagless = [series for series, known in machines.items() if not known.has_flags]
    told = []
    if 0 < len(flagless) < len(machines):
        names = series_names(flagless)
        told.append(say(zh="{s} 的启动参数没有记录。", en="The flags of {s} are not on record.", s=names))
    if not any("tool" in run for run in analysis.round.described.values()) and not places_with(
        analysis, "client_cpu_share"
    ):
        told.append(NO_CLIENT)
    return told


def _table(key: str, caption: Sentence, machines: Mapping[str, Machine], lines: Sequence[Line]) -> Table:
    headings = (Heading(say(zh="事实", en="fact"), is_text=True), *(_heading(one) for one in machines))
    return Table(key, caption, headings, tuple(row for _, row in lines))


def _heading(series: str) -> Heading:
    return Heading(say("{s}", "{s}", s=SeriesName(series)), is_text=True)


def _lines(machines: Mapping[str, Machine]) -> list[Line]:
    other_engines = len({_engine(one) for one in machines.values()}) > 1
    lines = []
    for one in compare(facts_of(machines)):
        differs = one.differs and not (other_engines and _is_of_engine(one))
        if _is_shown(one):
            lines.append(_fact(one, machines, differs=differs))
    return lines + [line for one in SETTINGS if (line := _setting(one, machines)) is not None]


def _is_shown(fact: Compared) -> bool:
    return fact.path not in TOLD_ELSEWHERE and (fact.differs or not fact.kind.only_differing)


def _engine(known: Machine) -> str | None:
    return known.family or known.text("engine.name")


def _is_of_engine(fact: Compared) -> bool:
    """Say whether a fact cannot but differ between two engines."""
    return fact.kind.kind == "engine"


def _fact(fact: Compared, machines: Mapping[str, Machine], *, differs: bool) -> Line:
    cells = tuple(fact.shown(series) or NOT_KNOWN for series in machines)
    return differs, Row((_title(fact.title, differs=differs), *cells))


def _title(title: Text, *, differs: bool) -> Part:
    return say(zh="≠ {title}", en="≠ {title}", title=title) if differs else title


DEFAULT: Final = Text(zh="{text}（默认）", en="{text} (default)")


def _setting(setting: Setting, machines: Mapping[str, Machine]) -> Line | None:
    """Return the row of a setting; None where no flag speaks of it, or the engines themselves have said it."""
    if setting.fact is not None and all(known.text(setting.fact) for known in machines.values()):
        return None
    found = {series: setting_of(known, setting) for series, known in machines.items()}
    told = [one for one in found.values() if one is not None]
    if not any(not one.is_default for one in told):
        return None
    differs = any(not alike(setting, told[0].text, one.text) for one in told)
    texts = [_value(one.text, is_default=one.is_default) if one else NOT_KNOWN for one in found.values()]
    return differs, Row((_title(setting.title, differs=differs), *texts))


def _value(text: str, *, is_default: bool) -> Text:
    shown = ON_OFF.get(text) or clipped(text)
    return DEFAULT.format(text=shown) if is_default else shown
