"""The page of histories: a metric over the rounds of a family, with engine versions and moves marked on the axis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from generator.analysis.graph import Graph
from generator.comparing.change_points import SHORTEST
from generator.comparing.histories import FEWEST, FOLLOWED, Moved, Track, ids_of, tracks, version_of
from generator.comparing.neighbours import families
from generator.frame import Analysis, Frame
from generator.model import Level, Series
from generator.render.diff.figures import figure_views
from generator.render.diff.numbers import percent
from generator.render.diff.words import joined, titles, words
from generator.render.files.drawn import charts, figure_files
from generator.render.page import Location, Site, render
from generator.render.plotting.palette import ACCENTS
from generator.render.views.figure import FigureView
from generator.render.wording.markup import shortened
from generator.render.wording.numbers import Printer
from generator.text import LANGS, Lang, Text, same
from generator.told.figure_model import Axis, FigureModel, Line, LinePlot, Mark, Point
from generator.told.quoting import passage
from generator.told.sentence import Sentence, say
from generator.units import from_base
from generator.values import Address, Value

Files = dict[str, str | bytes]
DATA: Final = "data/diff/history/"
WIDEST_NAME: Final = 90.0
"""Pixels of the name of a round below the axis."""
NO_PAGES: Final[Mapping[str, str]] = {}
OF: Final = "@"
"""Between a series and its level: what is a line of the figure; no id can hold it."""

TITLE: Final = Text(zh="{series} 各轮的 {metric}", en="{metric} of {series} over the rounds")
CAPTION: Final = Text(
    zh="从左到右是列表里的次序，纵轴从零开始。没有通过自检的档位不在其中。",
    en="Rounds in the order of the list; the vertical axis starts at zero. Levels that did not pass the self-checks "
    "are left out.",
)
MARKED: Final = Text(
    zh="带字的竖线标出引擎版本变更，或数值水平变化（变点）。",
    en="Upright lines with words mark another version of the engine, or a shift of the values.",
)
MOVE: Final = Text(
    zh="{level} 从 {round} 起变化了 {change}；同时的改动：{what}。",
    en="{level} shifted by {change} from {round} on; changed there: {what}.",
)
NOTHING_KNOWN: Final = Text(zh="没有已知的设置", en="no setting that is known")
WORDS: Final[Mapping[str, Text]] = {
    "title": Text(zh="各轮走势", en="History"),
    "lead": Text(
        zh="同一个模型的各轮，按列表里的次序。用变点检验判断数值水平何时变化（每段至少三轮）；在变点处列出同时的改动，但不归因。",
        en="The rounds of each model, in the order of the list. A test for change points, over stretches of three "
        "rounds and more, finds where the values shifted; what else changed there is listed, not named as the cause.",
    ),
    "rounds": Text(zh="轮次与引擎版本", en="Rounds and engine versions"),
    "number": Text(zh="次序", en="order"),
    "round": Text(zh="轮次", en="round"),
    "versions": Text(zh="引擎版本", en="engine versions"),
    "no_moves": Text(zh="没有检出变点。", en="No shift detected."),
    "too_short": Text(
        zh="可比的轮次太少：变点检验至少要 {n} 轮可比的，下面只看数值。",
        en="Too few rounds to detect a shift, which takes {n}: the figures show only the values.",
    ),
    "against": Text(zh="与前一轮的对比", en="compared with the one before"),
}
NO_VERSION: Final = Text(zh="{series} 没有记录", en="{series} not recorded")
UNFOLLOWED: Final = Text(
    zh="{series} 没有 {metrics} 的图：没有两轮在同一档位上有这个数，且都通过自检。",
    en="There is no figure of {metrics} for {series}: no two rounds have it at one level that passed the self-checks.",
)


@dataclass(frozen=True, slots=True)
class Told:
    """A figure of one series and metric, and the moves in it; ``is_short`` where none could be seen."""

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
    """The histories of the rounds of one model, in one language; ``absent`` says what has none."""

    number: int
    model: str
    members: tuple[Member, ...]
    told: tuple[Told, ...]
    absent: tuple[str, ...]

    @property
    def is_short(self) -> bool:
        """Say whether no figure has rounds enough for a shift to be seen."""
        return all(one.is_short for one in self.told)


@dataclass(frozen=True)
class LinePrinter(Printer):
    """A printer of lines, each of which is a series of its own in the colour of the series that it is of."""

    lines: Mapping[str, int] = field(default_factory=dict)

    def accent(self, series: str) -> int:
        """Return the number of the colour of a line."""
        return self.lines[series] % ACCENTS


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


def history_files(site: Site, graph: Graph, rounds: Sequence[Analysis], against: Mapping[str, str] = NO_PAGES) -> Files:
    """Return the page of histories in both languages with its data; nothing where no two rounds share a series.

    Args:
        site: what all pages share.
        graph: the metrics.
        rounds: all rounds, in the order of the list.
        against: round -> the folder of the comparison with the one before it, where there is one.
    """
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
            site, "history.html", where[lang], families=told, words=words(lang, WORDS), view=view, against=against,
            fewest=2 * SHORTEST,
        )  # fmt: skip
        files[f"{lang}/charts.js"] = charts(views[lang], lang)
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
    accents = {id_: at for one in found for group in one.groups.values() for id_, at in _accents(one, group).items()}
    return LinePrinter(Analysis(united, Frame(values), ()), graph, lang, lines=accents)


def _as_series(id_: str, track: Track, family: Family) -> Series:
    table = track.seen[-1].analysis.round.series_by_id(track.seen[-1].series).table
    named = f"{_label(track)} {track.level.name}"
    levels = tuple(Level(one.round.id) for one in family.rounds)
    return Series(table.model_copy(update={"id": id_, "engine": named, "precision": None}), levels)


def _values(family: Family) -> Iterator[Value]:
    for group in family.groups.values():
        for track in group:
            for seen in track.seen:
                yield seen.value._replace(address=_address(family, track, seen.analysis), inputs=())


def _address(family: Family, track: Track, analysis: Analysis) -> Address:
    return Address(track.metric, "level", _line_id(family, track), analysis.round.id)


def _key(family: Family, series: str, metric: str) -> str:
    return f"history-{family.number}-{series}-{metric}"


def _figures(family: Family, graph: Graph) -> Iterator[FigureModel]:
    for (series, key), group in family.groups.items():
        metric = graph.metrics[key, None]
        marks = tuple(_marks(family, series, group))
        yield FigureModel(
            key=_key(family, series, key),
            title=Sentence(TITLE, {"series": same(_label(group[-1])), "metric": metric.title}),
            caption=passage(Sentence(CAPTION, {}), *([Sentence(MARKED, {})] if marks else [])),
            plot=LinePlot(
                x=_rounds_axis(family.rounds),
                y=Axis(metric.title, metric.unit, "linear", from_zero=True),
                lines=tuple(_line(family, track, metric.unit) for track in group),
                marks=marks,
            ),
            accents=_accents(family, group),
        )


def _accents(family: Family, group: Sequence[Track]) -> dict[str, int]:
    """Return the number of each line of a figure: the colour of its series, with markers and dashes of its own."""
    last = group[-1].seen[-1]
    colour = last.analysis.round.accents[last.series] % ACCENTS
    return {_line_id(family, track): colour + ACCENTS * at for at, track in enumerate(group)}


def _label(track: Track) -> str:
    """Return the name that a series has in the last round that it is in."""
    return track.seen[-1].analysis.round.label(track.seen[-1].series)


def _rounds_axis(rounds: Sequence[Analysis]) -> Axis:
    """Return the axis of rounds: ten of them at most are named."""
    ticks = range(1, len(rounds) + 1, max(1, len(rounds) // 10))
    names = tuple(shortened(rounds[at - 1].round.id, WIDEST_NAME) for at in ticks)
    return Axis(Text(zh="轮次", en="round"), "", "linear", tuple(map(float, ticks)), names)


def _line(family: Family, track: Track, unit: str) -> Line:
    points = tuple(
        Point(seen.at + 1, from_base(seen.value.value or 0.0, unit), seen.analysis.round.id,
              _address(family, track, seen.analysis))
        for seen in track.seen
    )  # fmt: skip
    name = same(f"{_label(track)} {track.level.name}")
    return Line(name, _line_id(family, track), "measured", points)


def _marks(family: Family, series: str, group: Sequence[Track]) -> Iterator[Mark]:
    """Yield where the engine has another version, and where values moved without one."""
    here = [names.get(series, "") for names in ids_of(family.rounds)]
    versions = [(at, version_of(*one)) for at, one in enumerate(zip(family.rounds, here, strict=True), start=1)]
    known = [(at, version) for at, version in versions if version is not None]
    changed = {at: version for (_, before), (at, version) in pairwise(known) if before != version}
    for at, version in changed.items():
        yield Mark(at, None, say(zh="{v}", en="{v}", v=same(version)))
    for at in sorted({move.seen.at + 1 for track in group for move in track.moves} - set(changed)):
        yield Mark(at, None, say(zh="变点", en="shift"))


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
    return FamilyView(family.number, family.model, members, told, tuple(_absent(family, printer)))


def _absent(family: Family, printer: Printer) -> Iterator[str]:
    """Yield which metrics that are followed have no figure, of each series that two rounds share."""
    ids, lang = ids_of(family.rounds), printer.lang
    for name in dict.fromkeys(name for one in ids for name in one):
        having = [(side, one[name]) for side, one in zip(family.rounds, ids, strict=True) if name in one]
        missing = [key for key in FOLLOWED if (name, key) not in family.groups]
        if len(having) >= FEWEST and missing:
            side, id_ = having[-1]
            called = joined((printer.graph.metrics[key, None].title[lang] for key in missing), lang)
            yield UNFOLLOWED.format(series=side.round.label(id_), metrics=called)[lang]


def _versions(analysis: Analysis, lang: Lang) -> str:
    known = [(analysis.round.label(one.id), version_of(analysis, one.id)) for one in analysis.round.series]
    return joined((f"{label} {version}" if version else NO_VERSION[lang].format(series=label)
                   for label, version in known), lang)  # fmt: skip


def _move(track: Track, move: Moved, lang: Lang) -> str:
    what = titles(move.changed, lang) or NOTHING_KNOWN[lang]
    change = percent(move.change, lang)
    return MOVE.format(level=track.level.name, round=move.seen.analysis.round.id, change=change, what=what)[lang]
