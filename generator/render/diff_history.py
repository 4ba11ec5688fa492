"""The page of histories: a metric over the rounds of a family, with engine versions and moves marked on the axis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from generator.analysis.graph import Graph
from generator.comparing.change_points import SHORTEST
from generator.comparing.histories import Moved, Track, tracks, version_of
from generator.comparing.neighbours import families
from generator.figure_model import Axis, FigureModel, Line, LinePlot, Mark, Point
from generator.frame import Analysis, Frame
from generator.model import Level, Series
from generator.render.diff_figures import figure_views
from generator.render.diff_numbers import percent
from generator.render.diff_words import joined, titles, words
from generator.render.drawn_files import charts, figure_files
from generator.render.figure_view import FigureView
from generator.render.numbers import Printer
from generator.render.page import Location, Site, render
from generator.sentence import Sentence, say
from generator.text import LANGS, Lang, Text, same
from generator.units import from_base
from generator.values import Address, Value

Files = dict[str, str | bytes]
DATA: Final = "data/diff/history/"
OF: Final = "@"
"""Between a series and its level: what is a line of the figure; no id can hold it."""

TITLE: Final = Text(zh="{series} 历轮的{metric}", en="{metric} of {series} over the rounds")
CAPTION: Final = Text(
    zh="横轴是轮次在列表里的次序；竖线处引擎版本变了，或数值移到了另一水平。没有通过自检的档位不在其中。",
    en="Rounds in the order of the list. Upright lines mark another version of the engine, or a move to another level "
    "of the values. Levels that did not pass the self-checks are left out.",
)
MOVE: Final = Text(
    zh="{level} 从 {round} 起移了 {change}；同时变了：{what}。",
    en="{level} moved by {change} from {round} on; changed: {what}.",
)
NOTHING_KNOWN: Final = Text(zh="没有已知的设置", en="no setting that is known")
WORDS: Final[Mapping[str, Text]] = {
    "title": Text(zh="历史", en="History"),
    "lead": Text(
        zh="同一个模型的各轮，按列表里的次序。数值何时移到另一水平，由变点检验判断（最少三轮一段）；移动处列出当时变了什么，"
        "但不归因。",
        en="The rounds of each model, in the order of the list. Where values moved to another level is decided by a "
        "test for change points, over stretches of three rounds and more; what was changed there is listed, and not "
        "blamed.",
    ),
    "rounds": Text(zh="轮次与引擎版本", en="Rounds and versions of the engines"),
    "number": Text(zh="次序", en="order"),
    "round": Text(zh="轮次", en="round"),
    "versions": Text(zh="引擎版本", en="versions"),
    "no_moves": Text(zh="没有看到移动。", en="No move was seen."),
    "too_short": Text(zh="轮次太少，看不出移动。", en="There are too few rounds for a move to be seen."),
}


@dataclass(frozen=True, slots=True)
class Told:
    """A figure of one series and metric, and the moves in it; ``is_short`` where no move could be seen."""

    figure: FigureView
    moves: tuple[str, ...]
    is_short: bool


@dataclass(frozen=True, slots=True)
class Member:
    """A round of a family: its place in the order, and the versions of its engines."""

    number: int
    analysis: Analysis
    versions: str


@dataclass(frozen=True, slots=True)
class FamilyView:
    """The histories of the rounds of one model, in one language."""

    number: int
    model: str
    members: tuple[Member, ...]
    told: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class HistoryView:
    """What the figures of the page are printed with."""

    printer: Printer


@dataclass(frozen=True, slots=True)
class Family:
    """The rounds of one model, and their histories by series and metric."""

    number: int
    model: str
    rounds: tuple[Analysis, ...]
    groups: Mapping[tuple[str, str], tuple[Track, ...]]


def history_files(site: Site, graph: Graph, rounds: Sequence[Analysis]) -> Files:
    """Return the page of histories in both languages with its data; nothing where no two rounds share a series."""
    found = [family for family in _families(rounds) if family.groups]
    if not found:
        return {}
    printers = {lang: _printer(found, graph, lang) for lang in LANGS}
    models = {model.key: model for family in found for model in _figures(family, graph)}
    where = {lang: Location(lang, "history.html") for lang in LANGS}
    views = {lang: figure_views(models, printers[lang], where[lang].root + DATA) for lang in LANGS}
    files: Files = {DATA + name: text for name, text in figure_files(models, views, printers).items()}
    for lang in LANGS:
        told = [_family_view(family, views[lang], printers[lang]) for family in found]
        view = HistoryView(printers[lang])
        files[f"{lang}/history.html"] = render(
            site, "history.html", where[lang], families=told, words=words(lang, WORDS), view=view
        )
        files[f"{lang}/charts.js"] = charts(views[lang])
    return files


def _families(rounds: Sequence[Analysis]) -> Iterator[Family]:
    for number, (model, members) in enumerate(families(rounds).items(), start=1):
        groups: dict[tuple[str, str], list[Track]] = {}
        for track in tracks(members):
            groups.setdefault((track.series, track.metric), []).append(track)
        yield Family(number, model, members, {key: tuple(found) for key, found in groups.items()})


def _line_id(family: Family, track: Track) -> str:
    return f"{family.number}{OF}{track.series}{OF}{track.level.id}"


def _printer(found: Sequence[Family], graph: Graph, lang: Lang) -> Printer:
    """Return the printer of all lines: each is a series of its own, whose levels are the rounds."""
    lines = {_line_id(one, track): (track, one) for one in found for group in one.groups.values() for track in group}
    series = tuple(_as_series(id_, track, family) for id_, (track, family) in lines.items())
    values = {value.address: value for one in found for value in _values(one)}
    first = found[0].rounds[0]
    united = replace(first.round, series=series, claims=(), observations=(), requests={}, machines={})
    return Printer(Analysis(united, Frame(values), ()), graph, lang)


def _as_series(id_: str, track: Track, family: Family) -> Series:
    last = track.seen[-1].analysis.round
    table = last.series_by_id(track.series).table
    named = f"{last.label(track.series)} {track.level.name}"
    levels = tuple(Level(one.round.id) for one in family.rounds)
    return Series(table.model_copy(update={"id": id_, "engine": named, "precision": None}), levels)


def _values(family: Family) -> Iterator[Value]:
    for group in family.groups.values():
        for track in group:
            for seen in track.seen:
                yield replace(seen.value, address=_address(family, track, seen.analysis), inputs=())


def _address(family: Family, track: Track, analysis: Analysis) -> Address:
    return Address(track.metric, "level", _line_id(family, track), analysis.round.id)


def _key(family: Family, series: str, metric: str) -> str:
    return f"history-{family.number}-{series}-{metric}"


def _figures(family: Family, graph: Graph) -> Iterator[FigureModel]:
    for (series, key), group in family.groups.items():
        metric = graph.metrics[key, None]
        label = group[-1].seen[-1].analysis.round.label(series)
        ticks = tuple(float(at) for at in _ticks(len(family.rounds)))
        yield FigureModel(
            key=_key(family, series, key),
            title=Sentence(TITLE, {"series": same(label), "metric": metric.title}),
            caption=Sentence(CAPTION, {}),
            plot=LinePlot(
                x=Axis(Text(zh="轮次", en="round"), "", "linear", ticks),
                y=Axis(metric.title, metric.unit, "linear"),
                lines=tuple(_line(family, track, metric.unit) for track in group),
                marks=tuple(_marks(family, series, group)),
            ),
            accents={_line_id(family, track): at for at, track in enumerate(group)},
        )


def _ticks(count: int) -> range:
    """Return the places that get a number: ten at most."""
    return range(1, count + 1, max(1, count // 10))


def _line(family: Family, track: Track, unit: str) -> Line:
    points = tuple(
        Point(seen.at + 1, from_base(seen.value.value or 0.0, unit), seen.analysis.round.id,
              _address(family, track, seen.analysis))
        for seen in track.seen
    )  # fmt: skip
    name = same(f"{track.seen[-1].analysis.round.label(track.series)} {track.level.name}")
    return Line(name, _line_id(family, track), "measured", points)


def _marks(family: Family, series: str, group: Sequence[Track]) -> Iterator[Mark]:
    """Yield where the engine has another version, and where values moved without one."""
    versions = [(at, version_of(one, series)) for at, one in enumerate(family.rounds, start=1)]
    known = [(at, version) for at, version in versions if version is not None]
    changed = {at: version for (_, before), (at, version) in pairwise(known) if before != version}
    for at, version in changed.items():
        yield Mark(at, None, say(zh="{v}", en="{v}", v=same(version)))
    for at in sorted({move.seen.at + 1 for track in group for move in track.moves} - set(changed)):
        yield Mark(at, None, say(zh="移动", en="move"))


def _family_view(family: Family, views: Mapping[str, FigureView], printer: Printer) -> FamilyView:
    told = tuple(
        Told(
            views[_key(family, series, metric)],
            tuple(_move(track, move, printer.lang) for track in group for move in track.moves),
            max(len(track.seen) for track in group) < 2 * SHORTEST,
        )
        for (series, metric), group in family.groups.items()
    )
    members = tuple(Member(at, one, _versions(one, printer.lang)) for at, one in enumerate(family.rounds, start=1))
    return FamilyView(family.number, family.model, members, told)


def _versions(analysis: Analysis, lang: Lang) -> str:
    known = [(one, version_of(analysis, one.id)) for one in analysis.round.series]
    named = [f"{analysis.round.label(one.id)} {version}" for one, version in known if version is not None]
    return joined(named, lang)


def _move(track: Track, move: Moved, lang: Lang) -> str:
    what = titles(move.changed, lang) or NOTHING_KNOWN[lang]
    change = percent(move.change, lang)
    return MOVE[lang].format(level=track.level.name, round=move.seen.analysis.round.id, change=change, what=what)
