"""Every self-check: what it asks, by which rule it decides, and what its findings may do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from generator.catalogue import Catalogue
from generator.kinds import Check, Stage
from generator.reference.markdown import BREAK, anchored, code, table
from generator.text import Lang, Text

HEADS: Final = (
    Text(zh="自检", en="check"),
    Text(zh="问的是", en="asks"),
    Text(zh="规则", en="rule"),
    Text(zh="后果", en="what comes of it"),
)
STAGES: Final[Mapping[Stage, Text]] = {
    "levels": Text(zh="看档位的", en="Of the levels"),
    "conclusions": Text(zh="看结论的", en="Of the conclusions"),
}
SPOILS: Final = Text(zh="不通过的档位不参与结论", en="levels that fail are left out of conclusions")
TELLS: Final = Text(zh="写进报告", en="the report tells it")


def tables_of_checks(catalogue: Catalogue, lang: Lang) -> str:
    """Return a table of the checks for each stage, in the order in which they examine a round."""
    checks = catalogue.checks.values()
    return "\n\n".join(
        f"## {title[lang]}\n\n{_table((one for one in checks if one.stage == stage), lang)}"
        for stage, title in STAGES.items()
    )


def _table(checks: Iterable[Check], lang: Lang) -> str:
    return table(HEADS, (_row(check, lang) for check in checks), lang)


def _row(check: Check, lang: Lang) -> tuple[str, ...]:
    return (
        anchored(check.key, code(check.key)) + BREAK + check.title[lang],
        check.question[lang],
        check.rule[lang] if check.rule is not None else "",
        (SPOILS if check.spoils else TELLS)[lang],
    )
