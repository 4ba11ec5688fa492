"""What an importer makes of another tool's file: runs, each one load driven once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from generator.requests import Requests


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
        place: where in the file the run stands: ``object 2``; empty where the file is the run.
        started: when it began, as the file says it, local time without a zone; None where it does not.
        model: the model asked for.
        engine: what served it, as far as the file tells.
        label: the name that its author gave it.
        concurrency: the most requests allowed in flight; None where there was no limit.
        rate: requests a second that were to be sent; None where all were sent as soon as allowed.
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
