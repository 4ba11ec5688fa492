"""What can be declared: metrics, checks, figures, importers and engines. A declaration is one object in one file.

Reports and their sections: ``generator.report_kinds``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from generator.frame import Analysis
from generator.mapping import Mapped
from generator.places import Place, log
from generator.runs.imported import Run
from generator.runs.log_events import EventKind, Events, EventTable, LogFact
from generator.runs.requests import SAMPLES
from generator.runs.server_times import Happening
from generator.text import Text
from generator.themes import Theme
from generator.told.figure_model import FigureModel
from generator.told.findings import Finding
from generator.told.sentence import Sentence, Style
from generator.values import Scope

Column = NDArray[np.float64]
"""A parameter of a lower scope: one number a level, by rising load, all known. A parameter named like a sample
of requests (see ``generator.runs.requests.SAMPLES``): its numbers, in rising order."""

Sparse = Annotated[NDArray[np.float64], "NaN where a row has no such number"]
"""A column that goes beside others: it has their rows, and NaN in those in which it is not known."""

Better = Literal["lower", "higher"]
Over = Literal[
    "usable",
    "all",
    "trials",
    "usable_trials",
    "ladder",
    "whole_ladder",
    "reachable",
    "cold_starts",
    "warm_starts",
    "unknown_starts",
]
Stage = Literal["levels", "conclusions"]


@dataclass(frozen=True, slots=True)
class Unknown:
    """What a metric function returns when its inputs are there but the answer cannot be known."""

    reason: Text


@dataclass(frozen=True, slots=True)
class Picked:
    """An answer that rests on some rows of its columns only; ``rows`` are their positions, in order."""

    value: float
    rows: tuple[int, ...]


Answer = float | Unknown | Picked


@dataclass(frozen=True, slots=True)
class Parameter:
    """One input of a metric function: its name, and whether it takes a column or a sample of requests.

    ``is_sparse`` is a column that need not be known in every row.
    """

    name: str
    is_column: bool
    is_sample: bool = False
    is_sparse: bool = False


@dataclass(frozen=True, slots=True)
class Derivation:
    """One way to compute a metric. ``formula`` says the same as ``compute``; the tests hold them together."""

    compute: Callable[..., Answer]
    formula: str
    parameters: tuple[Parameter, ...]


@dataclass(slots=True)
class Metric:
    """A named number: what it means, where it may be read, and how it is computed otherwise.

    Places are tried first, in their order, then the derivations, in theirs. ``follows`` names bases: with each,
    the metric is computed once more from those of its inputs that have a definition with that basis.
    ``over`` says which levels a column has: the usable ones, all of them, every trial of these or those, or those that
    differ in the load alone (``ladders.rungs``), of the usable ones, of these below the lowest excluded one
    (``excluded.below_excluded``) or of the whole. It may also be over the starts of
    an engine that are alike (``starts.state_of``), of metrics that each start has one of its own of: ``of_start``.
    ``zero`` says of a number that cannot be 0 why it is not known where it is written or computed as exactly that.
    """

    key: str
    scope: Scope
    unit: str
    title: Text
    symbol: str
    meaning: Text
    better: Better | None = None
    basis: str | None = None
    why: Text | None = None
    places: tuple[Place, ...] = ()
    derivations: list[Derivation] = field(default_factory=list)
    follows: tuple[str, ...] = ()
    over: Over = "usable"
    of_start: bool = False
    style: Style = "plain"
    digits: int = 3
    zero: Text | None = None

    def __call__(self, *args: Any, **inputs: Any) -> Answer:
        """Compute the metric by its first derivation."""
        return self.derivations[0].compute(*args, **inputs)

    def otherwise(self, formula: str) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
        """Add a derivation that is tried where the earlier ones lack an input."""

        def add(compute: Callable[..., Answer]) -> Callable[..., Answer]:
            self.derivations.append(derivation(compute, formula))
            return compute

        return add


def derivation(compute: Callable[..., Answer], formula: str) -> Derivation:
    """Read the inputs of a metric function off its signature."""
    signature = inspect.signature(compute, eval_str=True)
    parameters = tuple(_parameter(name, p.annotation) for name, p in signature.parameters.items())
    return Derivation(compute, formula, parameters)


def from_samples(compute: Callable[..., Answer], formula: str, *samples: str) -> Derivation:
    """Describe a function of samples whose names it does not carry itself."""
    return Derivation(compute, formula, tuple(Parameter(name, is_column=False, is_sample=True) for name in samples))


def _parameter(name: str, annotation: object) -> Parameter:
    is_sample = name in SAMPLES
    is_sparse = annotation == Sparse
    return Parameter(name, (annotation is Column or is_sparse) and not is_sample, is_sample, is_sparse)


def metric(formula: str, *, scope: Scope, unit: str, **declared: Any) -> Callable[[Callable[..., Answer]], Metric]:
    """Declare the decorated function as a metric: its name is the key, its parameters are the inputs.

    A name that ends in ``__<basis>`` is the definition of the metric with that basis.

    Args:
        formula: the same computation in words a reader can check, over the parameter names.
        scope: what it is a number of.
        unit: the unit of report.json; inside, everything is in base units.
        declared: the further fields of Metric.
    """

    def declare(compute: Callable[..., Answer]) -> Metric:
        key, _, basis = compute.__name__.partition("__")
        made = Metric(key=key, scope=scope, unit=unit, basis=basis or None, **declared)
        made.derivations.append(derivation(compute, formula))
        return made

    return declare


def observed(key: str, *, scope: Scope, unit: str, places: Iterable[Place], **declared: Any) -> Metric:
    """Declare a metric that is only ever read, never computed."""
    return Metric(key=key, scope=scope, unit=unit, places=tuple(places), **declared)


def logged(fact: str, unit: str, symbol: str, *, scope: Scope = "level", digits: int = 9, **declared: Any) -> Metric:
    """Declare a metric that is only ever told by the log of a server, of a run or of a series."""
    key = f"log_{fact}_of_series" if scope == "series" else f"log_{fact}"
    places = [log(fact, unit, scope)]
    return observed(key, scope=scope, unit=unit, symbol=symbol, digits=digits, places=places, **declared)


@dataclass(frozen=True, slots=True)
class Check:
    """A self-check. At stage ``levels`` it sees level metrics and may spoil levels; later it may only warn.

    Attributes:
        theme: what it is about.
        rule: by what it decides, in a sentence or two, with its thresholds.
        spoils: whether it may make levels unfit for conclusions.
    """

    key: str
    title: Text
    question: Text
    stage: Stage
    examine: Callable[[Analysis], Sequence[Finding]]
    theme: Theme
    rule: Text | None = None
    spoils: bool = False


def check(
    *,
    theme: Theme,
    title: Text,
    question: Text,
    stage: Stage = "levels",
    rule: Text | None = None,
    spoils: bool = False,
) -> Callable[[Callable[[Analysis], Sequence[Finding]]], Check]:
    """Declare the decorated function as a check; its name is the key and the name of its file.

    Thresholds of the rule are filled in from the constants that the check compares with: a rule types no number.

    Raises:
        TypeError: a check of the second stage is to spoil levels.
    """
    if spoils and stage != "levels":
        raise TypeError("a check of the second stage may warn, never spoil")

    def declare(examine: Callable[[Analysis], Sequence[Finding]]) -> Check:
        return Check(examine.__name__, title, question, stage, examine, theme, rule, spoils)

    return declare


@dataclass(frozen=True, slots=True)
class Missing:
    """Why something cannot be drawn, and what would have to be recorded."""

    reason: Sentence


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: one neutral description, from which every rendering is made."""

    key: str
    draw: Callable[[Analysis], FigureModel | Missing]


def figure(draw: Callable[[Analysis], FigureModel | Missing]) -> Figure:
    """Declare the decorated function as a figure; its name is the key and the name of its file."""
    return Figure(draw.__name__, draw)


@dataclass(frozen=True, slots=True)
class Importer:
    """A reader of files that another tool writes; ``key`` is what ``--format`` calls it.

    Attributes:
        title: the tool, as its runs name it.
        recognises: says from the first bytes of a file, unpacked, how many marks of this kind it has; 0 where it is
            none. Whoever finds most of its own takes the file. It never raises for odd bytes.
        read: returns the runs in a file and calls ``progress`` with the bytes read since it last did. It raises
            InputError where the file is not what it looked like, or holds no run: with the true reason.
        mapping: what the numbers of its files mean.
        beside: names of files that belong to a file of this kind in the same folder, and are no results of their own.
        tools: further names that its runs may give the tool.
        conduct: what of the way in which the tool drives a server bears on its numbers: connections, warm-up, streams.
    """

    key: str
    title: Text
    recognises: Callable[[bytes], int]
    read: Callable[[Path, Callable[[int], object]], Sequence[Run]]
    mapping: tuple[Mapped, ...] = ()
    beside: frozenset[str] = frozenset()
    tools: tuple[str, ...] = ()
    conduct: Text | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Return every name that its runs may give the tool."""
        return self.title.en, *self.tools


Api = Literal["completions", "chat"]


@dataclass(frozen=True, slots=True)
class Launching:
    """What has to be known of a kind of server to start one, or to find one; the defaults are those of most.

    Attributes:
        port: where it listens unless told otherwise.
        port_flags: the arguments that tell otherwise.
        host_flags: those that say at which address.
        model_flags: those that name the model's file or folder.
        model_follows: the argument behind which it may stand without a flag; empty where it may not.
        health: the path that answers 200 once it is ready.
        loading: whether it listens before that, and answers 503; otherwise connections are refused.
        version: the path that tells its version; None where none does.
        api: what of the OpenAI API a load uses unless told otherwise.
    """

    port: int = 8000
    port_flags: tuple[str, ...] = ("--port",)
    host_flags: tuple[str, ...] = ("--host",)
    model_flags: tuple[str, ...] = ("--model",)
    model_follows: str = ""
    health: str = "/health"
    loading: bool = False
    version: str | None = None
    api: Api = "completions"


@dataclass(frozen=True, slots=True)
class Engine:
    """A server whose log tells what it did.

    Attributes:
        key: the name of the file that declares it.
        title: what its users call it.
        launching: how one is started and found.
        events: what its log tells of. A ``launch`` is a request taken up: of several servers, the one with most of
            them is whose log it is.
        facts: the numbers that can be taken from them; each may be read by metrics with a place of that name.
        happenings: which of the events happened at a moment of a run that a timeline can show.
    """

    key: str
    title: Text
    launching: Launching = Launching()
    events: tuple[EventKind, ...] = ()
    facts: tuple[LogFact, ...] = ()
    happenings: Callable[[Events], Mapping[Happening, Sequence[EventTable]]] = lambda _: {}


AS_PUBLISHED: Final = "as_published"
WITHOUT_EMBEDDING: Final = "without_embedding"
"""The basis of what is computed from weights without the input embedding, for all series alike."""
REPORTED: Final = "reported"
"""The basis of what the client says itself, beside the same statistic taken from its requests."""
STEADY: Final = "steady"
"""The basis of what is taken from the steady part of a run: no filling up, no running empty."""
