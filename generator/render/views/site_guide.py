"""The guide of the whole site: what each round prefers for each scenario, in one matrix, and what nobody measured."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from generator.across.ladders import ladder
from generator.analysis.graph import Graph
from generator.deciding.between_levels import first_place_of
from generator.deciding.gaps import between
from generator.deciding.records import NAMES, Advice
from generator.deciding.rules import RULES
from generator.deciding.telling import UNMEASURED, told_without
from generator.deciding.weigh import advise
from generator.frame import Analysis
from generator.machines.flags import family_of
from generator.model import Series
from generator.render.wording.numbers import Printer
from generator.text import Lang, Text, counted

State = Literal["decided", "undecided", "unmeasured"]
ENGINES: Final = {"vllm": "vLLM", "llamacpp": "llama.cpp", "sglang": "SGLang"}
WORDS: Final[Mapping[str, Text]] = {
    "title": Text(zh="选型指南", en="Selection guide"),
    "lead": Text(
        zh="各轮的选型指南合成一张表：每个场景选哪个系列、有多大把握。点开一格，看那一轮的依据。“不选”是测过但定不下来，“无从得知”是"
        "缺少判断所需的记录，斜线是没有测过。不同的轮次条件不同，不能跨行比较数值。",
        en="The guides of all rounds in one table: which series suits each scenario, and how certain that is. A cell "
        "leads to the grounds in its round. “None”: measured but undecided. “Unknown”: what it takes to tell "
        "is not on record. Hatched: not measured. Rounds differ in their conditions: numbers are not to be compared "
        "between rows.",
    ),
    "matrix": Text(zh="各轮在各场景里选哪个系列", en="Which series each round prefers in each scenario"),
    "coverage": Text(zh="测过什么，没测过什么", en="What was measured, and what was not"),
    "coverage_caption": Text(
        zh="每种模型与显卡上测过的引擎：精度与负载范围",
        en="Engines measured for each model and GPU: precision and loads",
    ),
    "model": Text(zh="模型", en="model"),
    "gpu": Text(zh="显卡", en="GPU"),
    "round": Text(zh="轮次", en="round"),
    "engine": Text(zh="引擎", en="engine"),
    "all": Text(zh="全部", en="all"),
    "filter": Text(zh="只看", en="Show only"),
    "not_measured": UNMEASURED,
    "alone": Text(zh="没有两个可比的系列，不分高下", en="no two series to compare, so nothing is ranked"),
    "unknown_gpu": Text(zh="未写明", en="not stated"),
    "decided": Text(
        zh="所有轮次共 {all} 格：{decided} 格有选择，{undecided} 格测过但定不下来，{unmeasured} 格没有测过。",
        en="Of the {all} {all:cell|cells} of all rounds, {decided} {decided:has|have} a choice, {undecided} "
        "{undecided:was|were} measured but {undecided:is|are} undecided, and {unmeasured} {unmeasured:was|were} not "
        "measured.",
    ),
    "gaps": Text(
        zh="所有轮次里，模型、显卡与引擎共有 {all} 种组合，其中 {empty} 种没有测过。",
        en="{empty} of {all} {all:combination|combinations} of model, GPU and engine {empty:was|were} measured in no "
        "round.",
    ),
    "no_gaps": Text(
        zh="模型、显卡与引擎的 {all} 种组合，各轮合起来都测过。",
        en="All {all} {all:combination|combinations} of model, GPU and engine {all:was|were} measured in some round.",
    ),
    "some_loads": Text(zh="在途 {low} 到 {high} 条请求", en="{low} to {high} requests in flight"),
    "many_loads": Text(zh="在途 {low} 条请求以上", en="{low} or more requests in flight"),
    "between": Text(
        zh="按负载选择的场景没有涵盖{loads}。那里谁领先、哪里还定不下来，见下列各轮的指南：",
        en="The scenarios that are decided by load leave out {loads}. The guides of these rounds say who leads there, "
        "or that it is not settled:",
    ),
    "nothing": Text(zh="没有一行符合。", en="No row matches."),
    "no_rounds": Text(zh="还没有可以发布的轮次。", en="There is no round to publish yet."),
}
"""The words of the page."""


class Advised(NamedTuple):
    """A round, and what the rules come to in it."""

    analysis: Analysis
    advice: Sequence[Advice]
    place: str | None
    """Where its guide tells of the loads that no scenario asks for."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What a round says of a scenario: the name of a series, or why there is none."""

    words: str
    state: State
    certainty: str
    reason: str
    accent: int | None
    """The colour of the series in its round."""


@dataclass(frozen=True, slots=True)
class Row:
    """A round in the matrix; no cells where it compares nothing."""

    model: str
    gpu: str
    engines: tuple[str, ...]
    round_id: str
    title: str
    cells: tuple[Cell, ...]
    place: str | None = None
    """Where its guide tells of the loads that no scenario asks for."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A series of some round on a model and a GPU: its precision and the loads that it was measured at."""

    round_id: str
    words: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """What was measured of a model on a GPU, by engine; an empty cell is a gap."""

    model: str
    gpu: str
    cells: tuple[tuple[Measured, ...], ...]


@dataclass(frozen=True, slots=True)
class SiteGuide:
    """The page: scenarios, a row for each round, and what was measured of each engine."""

    words: Mapping[str, str]
    scenarios: tuple[tuple[str, str, str], ...]
    """Of each its name, what matters in it, and the loads that it speaks of."""
    between: str
    """Which loads no scenario speaks of; nothing where there are none."""
    rows: tuple[Row, ...]
    engines: tuple[str, ...]
    coverage: tuple[Coverage, ...]

    @property
    def models(self) -> tuple[str, ...]:
        """Return the models, each once, in order."""
        return tuple(sorted({row.model for row in self.rows}))

    @property
    def gpus(self) -> tuple[str, ...]:
        """Return the GPUs, each once, in order."""
        return tuple(sorted({row.gpu for row in self.rows}))

    @property
    def decided(self) -> str:
        """Say how many cells of the matrix are decided, and how many are not."""
        states = Counter(cell.state for row in self.rows for cell in row.cells)
        told = {state: states[state] for state in ("decided", "undecided", "unmeasured")}
        return counted(self.words["decided"], all=states.total(), **told)

    @property
    def gaps(self) -> str:
        """Say how many combinations of model, GPU and engine were never measured."""
        cells = [cell for row in self.coverage for cell in row.cells]
        empty = cells.count(())
        return counted(self.words["gaps" if empty else "no_gaps"], all=len(cells), empty=empty)

    @property
    def telling(self) -> tuple[Row, ...]:
        """Return the rounds whose guides tell of the loads that no scenario asks for."""
        return tuple(row for row in self.rows if row.place is not None)


def site_guide(rounds: Sequence[Advised], graph: Graph, lang: Lang) -> SiteGuide:
    """Return the guide of all rounds in one language, its rows in the order of the rounds, as the home page has it."""
    rows = [_row(one, graph, lang) for one in rounds]
    engines = tuple(sorted({engine for row in rows for engine in row.engines}))
    return SiteGuide(
        words={key: text[lang] for key, text in WORDS.items()},
        scenarios=tuple((rule.title[lang], rule.about[lang], _loads(rule.low, rule.high, lang)) for rule in RULES),
        between=_between(lang),
        rows=tuple(rows),
        engines=engines,
        coverage=_coverage([one.analysis for one in rounds], engines, lang),
    )


def _loads(low: float, high: float, lang: Lang) -> str:
    if math.isinf(high):
        return WORDS["many_loads"][lang].format(low=int(low))
    return WORDS["some_loads"][lang].format(low=int(low), high=int(high))


def _between(lang: Lang) -> str:
    """Say of which loads no scenario speaks."""
    told = [_loads(low, high, lang) for low, high in between(RULES)]
    joint = {"zh": "、", "en": ", "}[lang]
    return WORDS["between"][lang].format(loads=joint.join(told)) if told else ""


def advised(analyses: Iterable[Analysis]) -> list[Advised]:
    """Return what the rules come to in each round: the same in each language."""
    return [Advised(one, advise(one), _place(one)) for one in analyses]


def _place(analysis: Analysis) -> str | None:
    places = (first_place_of(analysis, *gap) for gap in between(RULES))
    return next((place for place in places if place is not None), None)


def _row(one: Advised, graph: Graph, lang: Lang) -> Row:
    analysis, advice, place = one
    round_, printer = analysis.round, Printer(analysis, graph, lang)
    return Row(
        model=round_.file.model.name,
        gpu=gpu_of(analysis, None, lang),
        engines=tuple(dict.fromkeys(engine_of(series) for series in round_.series)),
        round_id=round_.id,
        title=round_.title[lang],
        cells=tuple(_cell(each, printer) for each in advice),
        place=place,
    )


def _cell(advice: Advice, printer: Printer) -> Cell:
    lang, preferred = printer.lang, advice.preferred
    return Cell(
        words=told_without(advice)[lang] if preferred is None else printer.analysis.round.label(preferred),
        state=_state(advice),
        certainty="" if preferred is None else NAMES[advice.certainty][lang],
        reason=printer.plain_sentence(advice.reason),
        accent=None if preferred is None else printer.accent(preferred),
    )


def _state(advice: Advice) -> State:
    if advice.preferred is not None:
        return "decided"
    return "unmeasured" if advice.is_unmeasured else "undecided"


def engine_of(series: Series) -> str:
    """Return the name of an engine by which series of several rounds belong together."""
    table = series.table
    family = family_of(table.kind, table.engine)
    return ENGINES[family] if family is not None else table.engine or table.kind or table.id


def gpu_of(analysis: Analysis, series: Series | None, lang: Lang) -> str:
    """Return the GPU of a series, else of the round."""
    gpu = series.table.gpu if series is not None and series.table.gpu is not None else None
    gpu = gpu or analysis.round.file.hardware.gpu
    return gpu.text()[lang] if gpu is not None else WORDS["unknown_gpu"][lang]


def _coverage(analyses: Sequence[Analysis], engines: Sequence[str], lang: Lang) -> tuple[Coverage, ...]:
    found: dict[tuple[str, str], dict[str, list[Measured]]] = {}
    for analysis in analyses:
        for series in analysis.round.series:
            place = analysis.round.file.model.name, gpu_of(analysis, series, lang)
            by_engine = found.setdefault(place, {})
            by_engine.setdefault(engine_of(series), []).append(_measured(analysis, series))
    return tuple(
        Coverage(*place, tuple(tuple(by_engine.get(engine, ())) for engine in engines))
        for place, by_engine in sorted(found.items())
    )


def _measured(analysis: Analysis, series: Series) -> Measured:
    levels = ladder(analysis, series) or analysis.usable(series.id)
    names = list(dict.fromkeys(level.name for level in (*levels[:1], *levels[-1:])))
    told = (series.table.precision or "", " – ".join(names))
    return Measured(analysis.round.id, " · ".join(one for one in told if one) or "—")
