"""What an importer makes of another tool's file: runs, each one load driven once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from generator.runs.requests import Requests

Description = Mapping[str, str]
"""What a run says of itself that is no result: name -> text; empty for a number, which counts by its name alone."""

ATTRIBUTES: Final = frozenset({"model", "model_id", "engine", "framework", "label"})
"""Entries of a summary that the attributes of a run give already."""
RECORDS_BESIDE: Final = "records_beside"
"""Entry of a summary: how many requests lie beside a result that counts another number of them, and were left out."""
REQUESTS_IN_A_SAMPLE: Final = "requests_in_a_sample"
"""Entry of a summary: how many requests a result holds, where it holds some of them only."""
IMPOSSIBLE_TIMES: Final = "requests_with_impossible_times"
"""Entry of a summary: of how many requests a time cannot be, and is taken for unknown."""
ENTRIES_LEFT_OUT: Final = "entries_left_out"
"""Entry of a summary: how many plain entries of a result were not kept, because it has too many."""
BATCHES_TOGETHER: Final = "batches_taken_together"
"""Entry of a summary: how many batches are one run, because they are too many for a run each."""
OF_ONE_RUN: Final = re.compile(
    r"(?:^|[_. -])(?:date|time|timestamp|uuid|run_?id|run_?number|seed|ns|detail)$", re.IGNORECASE
)
"""Names of entries that differ between two runs of the very same configuration."""
MEASURED: Final = re.compile(
    r"^(?:mean|median|std|min|max|p[0-9.]+|server|client)_"
    r"|[._ ](?:mean|median|avg|std|std_?dev|stddev|min|max|sum|count|p[0-9.]+)$",
    re.IGNORECASE,
)
"""How names of results begin or end: which of them a client writes depends on what it was asked to print."""


@dataclass(frozen=True, slots=True)
class Reported:
    """A number that the tool gives itself: which metric it is of, and the name and unit it stands under."""

    metric: str
    key: str
    unit: str
    value: float


@dataclass(frozen=True, slots=True)
class Run:
    """One run of one load as a file describes it.

    Attributes:
        tool: the program that wrote the file, as its users call it.
        tool_version: its version, as far as the file tells.
        place: where in the file the run stands: ``object 2``; empty where the file is the run.
        started: when it began, as the file says it, local time without a zone; None where it does not.
        model: the model asked for.
        engine: what served it, as far as the file tells.
        label: the name that its author gave it.
        concurrency: the most requests allowed in flight; None where there was no limit.
        rate: requests a second that were to be sent; None where all were sent as soon as allowed.
        test: what was run where no server was put under a load: ``pp512``; the place of a run whose table has several
            and does not tell its load. None otherwise.
        swept: settings of the server or of the load that a sweep varies, as the file gives them.
        summary: every plain entry of the file, unchanged but for what must not be published.
        struck_out: names of entries that were left out, because they hold texts of users.
        damaged_texts: answers that are not valid UTF-8.
        reported: the numbers of the summary that have a meaning here. What stands for "no data" is not among them.
        requests: the requests themselves, where the file has them.
    """

    tool: str
    place: str = ""
    started: str | None = None
    model: str | None = None
    engine: str | None = None
    label: str | None = None
    concurrency: float | None = None
    rate: float | None = None
    swept: Mapping[str, str] = field(default_factory=dict)
    summary: Mapping[str, str | float | bool | None] = field(default_factory=dict)
    struck_out: tuple[str, ...] = ()
    damaged_texts: int = 0
    reported: tuple[Reported, ...] = ()
    requests: Requests | None = None
    tool_version: str | None = None
    test: str | None = None


def description(run: Run) -> Description:
    """Return what a run says of itself that is no result."""
    reported = {one.key for one in run.reported}
    entries = {
        name: _as_text(value)
        for name, value in run.summary.items()
        if value is not None and name not in reported | ATTRIBUTES and not OF_ONE_RUN.search(name)
    }
    attempted = next((f"{one.value:.10g}" for one in run.reported if one.metric == "requests"), None)
    told = {
        "tool": run.tool,
        "tool version": run.tool_version,
        "engine": run.engine,
        "model": run.model,
        "label": run.label,
        "requests": attempted,
    }
    settings = {name: text for name, text in run.swept.items() if not OF_ONE_RUN.search(name)}
    return entries | settings | {name: text for name, text in told.items() if text}


def _as_text(value: str | float | bool) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else ""


def differences(descriptions: Sequence[Description]) -> dict[str, tuple[str, ...]]:
    """Return what runs do not share: name -> the texts that they give it.

    Where one run has all entries of another and more, as a client has that was asked about speculative decoding,
    the further ones differ too; of numbers there are no texts. Files that share no form are not compared so.
    """
    texts = {
        name: tuple(sorted({one[name] for one in descriptions if one.get(name)}))
        for name in sorted({name for one in descriptions for name in one})
    }
    further = _further({frozenset(one) for one in descriptions})
    return {name: said for name, said in texts.items() if len(said) > 1 or name in further}


def _further(names: set[frozenset[str]]) -> frozenset[str]:
    more = frozenset(name for few in names for many in names if few < many for name in many - few)
    return frozenset(name for name in more if not MEASURED.search(name) and name not in ATTRIBUTES | {"requests"})
