"""Which metrics each check looks at: those that its code names, and those that its findings rest on."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import CodeType, FunctionType

from generator.frame import Analysis
from generator.kinds import Check

LookedAt = Mapping[str, Sequence[str]]
"""Check -> keys of metrics, in the order of their declaration."""


def looked_at(checks: Mapping[str, Check], analyses: Iterable[Analysis], metrics: Iterable[str]) -> LookedAt:
    """Return the metrics that each check looks at.

    Args:
        checks: all that are declared.
        analyses: the rounds, whose findings give evidence.
        metrics: the keys of all metrics, in the order of their declaration.
    """
    declared = list(dict.fromkeys(metrics))
    rests_on: dict[str, set[str]] = {key: _named(check) for key, check in checks.items()}
    for analysis in analyses:
        for finding in analysis.findings:
            rests_on.setdefault(finding.check, set()).update(address.metric for address in finding.evidence)
    return {key: [metric for metric in declared if metric in rests_on[key]] for key in checks}


def looked_at_by(looked: LookedAt) -> dict[str, list[str]]:
    """Return the checks that look at each metric."""
    found: dict[str, list[str]] = {}
    for check, metrics in looked.items():
        for metric in metrics:
            found.setdefault(metric, []).append(check)
    return found


def _named(check: Check) -> set[str]:
    """Return the words in the code of a check; a word alone, such as ``rate``, may be more than a metric's key."""
    module = sys.modules[check.examine.__module__]
    own = [thing for thing in vars(module).values() if getattr(thing, "__module__", None) == module.__name__]
    in_code = (word for thing in own if isinstance(thing, FunctionType) for word in _words(thing.__code__))
    listed = (word for thing in vars(module).values() for word in _strings(thing))
    return {word for word in (*in_code, *listed, *_words_of(check)) if "_" in word}


def _words_of(check: Check) -> Iterator[str]:
    code = getattr(check.examine, "__code__", None)
    return _words(code) if isinstance(code, CodeType) else iter(())


def _words(code: CodeType) -> Iterator[str]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _words(constant)
        else:
            yield from _strings(constant)


def _strings(thing: object) -> Iterator[str]:
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, (tuple, list, frozenset, dict)):
        yield from (one for one in thing if isinstance(one, str))
