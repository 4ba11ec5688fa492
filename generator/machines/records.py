"""What is known of the machine, the software and the start of a series: facts by path, each with its source."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from generator.values import Source

Family = Literal["llamacpp", "vllm", "sglang"]
"""Engines whose flags are known by their meaning."""
NO_GPU: Final = re.compile(r"(?:none|no gpu|cpu)\b", re.IGNORECASE)
"""How a round says that it ran without a GPU, at the beginning of its name."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is known: as text, because it is compared and printed, not calculated with.

    Numbers are in base units (B, s, Hz, W); what is on or off is ``true`` or ``false``. ``chinese`` is what a Chinese
    page prints instead, where an author gave words of its own for it; it is never compared.
    """

    text: str
    source: Source
    chinese: str | None = None


Facts = Mapping[str, Fact]
"""Path -> fact: ``gpu.driver``, ``gpu.gpus.vbios``, ``flag.--ctx-size``. What is not known has no entry."""


@dataclass(frozen=True, slots=True)
class Session:
    """One start of the server, as the collector described it; ``name`` is its folder."""

    name: str
    facts: Facts

    def text(self, path: str) -> str | None:
        """Return a fact as text; None where it is not known."""
        return _text(self.facts, path)


@dataclass(frozen=True, slots=True)
class RunTime:
    """When a run was, by the wall clock of its client; and the seed of its prompts.

    Attributes:
        level: the level that was run.
        trial: the number of the trial; None where the level was run once.
        started: as its file says it; None where it does not.
        ended: the same of its end.
        clock_steps: how often the wall clock was set meanwhile; None where nobody watched it.
        source: the file.
        seed: of its prompts, as digits, since it may be longer than a number holds; None where the file does not say.
    """

    level: str
    trial: int | None
    started: str | None
    ended: str | None
    clock_steps: float | None
    source: Source
    seed: str | None = None


@dataclass(frozen=True, slots=True)
class Machine:
    """What a series ran on.

    Attributes:
        facts: the best that is known of each thing: what was measured before what was declared.
        sessions: the same for each start of the server, where there are records of them.
        runs: when its runs were.
        family: whose flags they are; None where the engine is none of those.
        has_flags: whether it is known with which flags its server was started, be they none.
    """

    facts: Facts = field(default_factory=dict)
    sessions: tuple[Session, ...] = ()
    runs: tuple[RunTime, ...] = ()
    family: Family | None = None
    has_flags: bool = False

    @property
    def has_no_gpu(self) -> bool:
        """Say whether it is known that there is none: declared so, or looked for and not found."""
        name = self.text("gpu.gpus.name")
        if name is not None:
            return NO_GPU.match(name) is not None
        return "gpu.source" in self.facts and not any(path.startswith("gpu.gpus.") for path in self.facts)

    def text(self, path: str) -> str | None:
        """Return a fact as text; None where it is not known."""
        return _text(self.facts, path)


def _text(facts: Facts, path: str) -> str | None:
    fact = facts.get(path)
    return fact.text if fact is not None else None


NOTHING_KNOWN = Machine()
