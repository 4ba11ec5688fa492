"""The whole site: read every round, gather every page, then write."""

from __future__ import annotations

import hashlib
import importlib
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Final, ParamSpec

from generator.catalogue import Catalogue, load
from generator.comparing.neighbours import neighbours
from generator.comparing.order import day_of, in_order
from generator.declared.table_types import Title
from generator.errors import InputError, fault
from generator.frame import Analysis
from generator.model import Round
from generator.render.archive.citing import licence_of
from generator.render.archive.offered import Offered, offered
from generator.render.environment import environment
from generator.render.files.data import data_files
from generator.render.files.derivations import SCRIPT, facts_script, words_script
from generator.render.files.drawn import as_json, charts
from generator.render.files.glance import NAME as GLANCE
from generator.render.files.glance import glance
from generator.render.files.printed import PRINTED, Printed, printed
from generator.render.files.summary import NAME as SUMMARY
from generator.render.files.summary import Summary, read_summary, summarise, summary_file
from generator.render.front.everything import Losses, front_files
from generator.render.front.gathered import Files, Gathered, Whole
from generator.render.kept.keeping import Keeper, Kept
from generator.render.losing import Pages
from generator.render.output import refuse_overlap, write_site
from generator.render.page import Location, ReportView, Site, picture_of, render, report_view
from generator.render.preview.dataset import dataset
from generator.render.preview.pixels import readable_languages
from generator.render.preview.reports import picture_of_report
from generator.render.resources import resource
from generator.render.search.parts import part_file, round_part
from generator.render.views.derivation_words import groups, words_of
from generator.render.views.derivations import facts_behind
from generator.render.views.published import published, published_view
from generator.render.views.reports import Drawn, tell
from generator.render.wording.isolation import without_controls
from generator.render.wording.numbers import Printer, Printers
from generator.store.files import printable, shown
from generator.store.names import pair_name
from generator.store.reading import list_rounds
from generator.text import LANGS, Lang, Text

P = ParamSpec("P")
TO_ROOT: Final = "../" * 3
"""The way from a page of a round to the site's folder."""
DIFFS: Final = ("data/diff", *(f"{lang}/diff" for lang in LANGS))
"""Where the folders of comparisons lie."""
HISTORY: Final = "history.html"


@dataclass(frozen=True, slots=True)
class Built:
    """What was built, what had to be left out and why, and folders beside the site that could not be removed.

    ``without_pictures`` are the languages of which no font is here, where pages were to have pictures.
    """

    rounds: tuple[str, ...]
    unreadable: tuple[tuple[str, InputError], ...]
    left: tuple[Path, ...] = ()
    without_pictures: tuple[Lang, ...] = ()


@dataclass(frozen=True, slots=True)
class Other:
    """As much of another round as the pages of a round show: they are kept while this stays as it is."""

    id: str
    title: Text


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The rounds before and after a round, where there are such, and where it is compared with others.

    ``compared`` has an entry for each of them: the other round, and the folder of the comparison.
    """

    previous: Other | None
    following: Other | None
    compared: Sequence[tuple[Other, str]] = ()
    has_history: bool = False


def build_site(runs: Path, out: Path, base_url: str | None = None, keeper: Keeper | None = None) -> Built:
    """Build the site from every round in a folder; ``keeper`` has the pages of earlier builds.

    A round, a comparison or a page that cannot be made is left out.

    Raises:
        InputError: the folder of rounds is not there, the site cannot be written, or the program fails over what there
            is no site without; nothing is written then.
    """
    try:
        return _build(runs, out, base_url, keeper or Keeper(None))
    except InputError:
        raise
    except Exception as error:
        raise fault(shown(out), error) from error


def _build(runs: Path, out: Path, base_url: str | None, keeper: Keeper) -> Built:
    refuse_overlap(runs, out)
    catalogue, site, pages = load(), _site(base_url), Pages()
    for folder in list_rounds(runs):
        with pages.leaving_out(printable(folder.name), shown(folder)):
            pages.analyses.append(keeper.analysis(folder, lambda it: catalogue.analyse(catalogue.read(it))))
    pages.analyses = in_order(pages.analyses)
    site = _with_pages(site, runs, catalogue, pages, keeper)
    gathered = _gathered(_of_all(site, pages), catalogue, pages, keeper)
    for made in front_files(gathered, pages.files, Losses(pages.leaving_out, pages.lost)):
        pages.files.update(_as_written(made))
    left = write_site(out, pages.files, _assets())
    keeper.keep()
    without = tuple(lang for lang in LANGS if site.base_url is not None and lang not in site.pictures)
    return Built(tuple(one.round.id for one in pages.analyses), tuple(pages.lost.items()), left, without)


def _with_pages(site: Site, runs: Path, catalogue: Catalogue, pages: Pages, keeper: Keeper) -> Site:
    """Make the pages of all rounds and of all pairs, and return what they share.

    Where those of one cannot be made, all are made again without it: the others show its title, and lead there.
    """
    while True:
        pages.files, pages.against = {}, {}
        _hold(catalogue, pages)
        before = len(pages.lost)
        made = _make_pages(site, runs, catalogue, pages, keeper)
        if len(pages.lost) == before:
            return made
        pages.analyses = [one for one in pages.analyses if one.round.id not in pages.lost]


def _make_pages(site: Site, runs: Path, catalogue: Catalogue, pages: Pages, keeper: Keeper) -> Site:
    site = replace(site, has_feed=site.base_url is not None and any(day_of(one.round) for one in pages.analyses))
    history = _history(_of_all(replace(site, has_history=True), pages), catalogue, pages, keeper)
    site = replace(site, has_history=bool(history))
    pages.files.update(history)
    compared = _compared_with(pages)
    printers = {one.round.id: Printer(one, catalogue.graph, LANGS[0]) for one in pages.analyses}
    for at, analysis in enumerate(pages.analyses):
        before, after = pages.analyses[:at], pages.analyses[at + 1 :]
        beside = Neighbours(
            _other(before[-1].round) if before else None, _other(after[0].round) if after else None,
            compared.get(analysis.round.id, ()), site.has_history,
        )  # fmt: skip
        round_id = analysis.round.id
        source = keeper.sources.get(round_id)
        kept = keeper.of_rounds([round_id], _folders(round_id), site=_told(site), beside=beside, source=source)
        make = partial(_whole, _round_files, site, catalogue, printers[round_id], runs / round_id, beside, keeper)
        with pages.leaving_out(round_id, shown(runs / round_id)):
            pages.files.update(keeper.files(kept, make))
    pages.files.update(_compared(site, catalogue, pages, printers, keeper))
    return site


def _of_all(site: Site, pages: Pages) -> Site:
    """Return what the pages share that are made of all rounds."""
    return replace(site, data_sha256=_data_sha256(pages.analyses))


def _gathered(site: Site, catalogue: Catalogue, pages: Pages, keeper: Keeper) -> Gathered:
    summaries = {one.round.id: _summary(one.round.id, pages) for one in pages.analyses}
    newest = list(reversed(pages.analyses))
    return Gathered(site, catalogue, newest, list(pages.lost.items()), pages.against, summaries, keeper)


def _data_sha256(analyses: Sequence[Analysis]) -> str:
    """Return a hash over the data of rounds, whatever order they are in."""
    lines = sorted(f"{one.round.id} {one.round.data_sha256}\n" for one in analyses)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _summary(round_id: str, pages: Pages) -> Summary:
    return read_summary(pages.files[f"data/{round_id}/{SUMMARY}"])


def _folders(round_id: str) -> tuple[str, ...]:
    """Return where the files of a round lie on the site."""
    return f"data/{round_id}/", *(f"{lang}/rounds/{round_id}/" for lang in LANGS)


def _told(site: Site) -> dict[str, object]:
    """Return what pages show of what they share: all but the environment, which is of the program."""
    return {one.name: getattr(site, one.name) for one in fields(site) if one.name != "environment"}


def _other(round_: Round) -> Other:
    return Other(round_.id, round_.title)


def _hold(catalogue: Catalogue, pages: Pages) -> None:
    """Find the pairs that are compared with each other; one that cannot be is named among what is left out.

    What compares is imported when there is a pair: its statistics take half a second, and most rounds have no other.
    """
    for pair in neighbours(pages.analyses):
        name = pair_name(pair.base.round.id, pair.head.round.id)
        if name not in pages.lost:
            with pages.leaving_out(name, name):
                importlib.import_module("generator.render.diff.pages").refuse(catalogue, pair)
                pages.against[pair.head.round.id] = pair


def _history(site: Site, catalogue: Catalogue, pages: Pages, keeper: Keeper) -> Whole:
    if not pages.against or HISTORY in pages.lost:
        return {}
    against = {head: pair_name(pair.base.round.id, head) for head, pair in pages.against.items()}
    within = ("data/diff/history/", *(f"{lang}/{name}" for lang in LANGS for name in ("history.html", "charts.js")))
    rounds = [one.round.id for one in pages.analyses]
    kept = keeper.of_rounds(rounds, within, site=_told(site), against=against)
    make = importlib.import_module("generator.render.diff.history").history_files
    found = Whole()
    with pages.leaving_out(HISTORY, HISTORY):
        found.update(keeper.files(kept, partial(_whole, make, site, catalogue.graph, pages.analyses, against)))
    return found


def _compared_with(pages: Pages) -> dict[str, list[tuple[Other, str]]]:
    """Return for each round the others that it is compared with, with the folder of each comparison."""
    found: dict[str, list[tuple[Other, str]]] = {}
    for pair in pages.against.values():
        base, head = pair.base.round, pair.head.round
        folder = pair_name(base.id, head.id)
        found.setdefault(head.id, []).append((_other(base), folder))
        found.setdefault(base.id, []).append((_other(head), folder))
    return found


def _compared(site: Site, catalogue: Catalogue, pages: Pages, printers: Mapping[str, Printer], keeper: Keeper) -> Whole:
    """Return the pages that hold rounds against each other."""
    files = Whole()
    for pair in pages.against.values():
        base, head, *earlier = (one.round.id for one in (pair.base, pair.head, *pair.earlier))
        folders = [f"{way}/{at}/" for at in (pair_name(base, head), pair_name(head, base)) for way in DIFFS]
        kept = keeper.of_rounds([base, head, *earlier], folders, site=_told(site))
        make = importlib.import_module("generator.render.diff.pages").diff_files
        if not {base, head, *earlier} & pages.lost.keys():  # else all pages are made once more
            with pages.leaving_out(pair_name(base, head), pair_name(base, head)):
                files.update(keeper.files(kept, partial(_whole, make, site, catalogue, pair, printers, pages.files)))
    return files


def _whole(make: Callable[P, Files], *given: P.args, **named: P.kwargs) -> Whole:
    """Make files, and return them as they are written."""
    return _as_written(make(*given, **named))


def _as_written(files: Files) -> Whole:
    """Return files as they are written: no control of direction is left in a text."""
    return {path: _written(path, content) for path, content in files.items()}


def _written(path: str, content: str | bytes) -> bytes:
    if isinstance(content, bytes):
        return content
    return without_controls(content, script=path.endswith(".js")).encode()


def draw_figures(catalogue: Catalogue, analysis: Analysis) -> Drawn:
    """Draw every figure of a round, as a description."""
    return {key: figure.draw(analysis) for key, figure in catalogue.figures.items()}


def _site(base_url: str | None) -> Site:
    table = tomllib.loads((resource("site_src") / "site.toml").read_text(encoding="utf-8"))["site"]
    return Site(
        title=Title.model_validate(table["title"]).text(),
        default=table["default_language"],
        base_url=base_url.rstrip("/") if base_url else None,
        environment=environment(),
        pictures=readable_languages() if base_url else (),
    )


def _round_files(
    site: Site, catalogue: Catalogue, printer: Printer, folder: Path, beside: Neighbours, keeper: Keeper
) -> Files:
    analysis = printer.analysis
    drawn = draw_figures(catalogue, analysis)
    reports = tell(analysis, catalogue, drawn)
    data, made = f"data/{analysis.round.id}/", [told for told in reports if told.lacks is None]
    printers = {lang: printer.in_language(lang) for lang in LANGS}
    views = {
        lang: [report_view(told, reports, catalogue.checks, drawn, printer, TO_ROOT + data) for told in made]
        for lang, printer in printers.items()
    }
    computed = data_files(views, drawn)
    to_take = offered(site, folder, {lang: of_lang[0] for lang, of_lang in views.items()}, computed)
    files: Files = {data + name: content for name, content in {**computed, **to_take.files}.items()}
    files[data + SUMMARY] = summary_file(summarise(analysis, reports, printers))
    files[data + GLANCE] = glance(printer)
    pages: dict[str, str] = {}
    for lang, of_lang in views.items():
        read = _pages(site, lang, of_lang, to_take, beside)
        files |= {**_charts(lang, of_lang, keeper), **_pictures(site, lang, of_lang)}
        files[part_file(analysis.round.id, lang)] = round_part(analysis.round, lang, read)
        pages.update(read)
    files |= {**pages, **_derivations(site, data, pages, printers)}
    files[data + PRINTED] = as_json(_printed(views[LANGS[0]], pages))
    return files


def _printed(views: Sequence[ReportView], pages: Mapping[str, str]) -> Printed:
    """Return where the reports of a round, whose pages are given, print each metric."""
    printer, names = views[0].printer, [view.report.page for view in views]
    places = {name: _place(printer.lang, printer.analysis.round, name).in_language(printer.lang) for name in names}
    return printed(views, {name: pages[place] for name, place in places.items()})


def _pages(site: Site, lang: Lang, views: Sequence[ReportView], to_take: Offered, beside: Neighbours) -> dict[str, str]:
    """Return the pages of a round in one language, without that of the derivations."""
    front, round_ = views[0], views[0].analysis.round
    checked = _place(lang, round_, "checks.html")
    reports = {_place(lang, round_, view.report.page): _report(site, lang, view, to_take, beside) for view in views}
    return {
        **{where.in_language(lang): page for where, page in reports.items()},
        checked.in_language(lang): render(site, "checks.html", checked, view=front, round=round_),
        **_statements(site, lang, front),
    }


def _pictures(site: Site, lang: Lang, views: Sequence[ReportView]) -> dict[str, bytes]:
    if lang not in site.pictures:
        return {}
    places = ((view, _place(lang, view.analysis.round, view.report.page)) for view in views)
    return {picture_of(where): picture_of_report(site, view) for view, where in places}


def _charts(lang: Lang, views: Sequence[ReportView], keeper: Keeper) -> Whole:
    """Return the scripts that bring the reports their charts, kept by what they draw: few changes alter all of it."""
    files = Whole()
    for view in views:
        path = _place(lang, view.analysis.round, view.report.charts).in_language(lang)
        drawn = Kept({"charts": {key: [figure.spec, figure.csv] for key, figure in view.shown.items()}}, (path,))
        files.update(keeper.files(drawn, partial(_whole, _charts_of, path, view)))
    return files


def _charts_of(path: str, view: ReportView) -> Files:
    return {path: charts(view.shown, view.printer.lang)}


def _derivations(site: Site, data: str, pages: Mapping[str, str], printers: Printers) -> dict[str, str]:
    """Return the derivations of all numbers on the pages of a round: a page, and the scripts of the panels."""
    facts = facts_behind(pages.values(), printers[LANGS[0]])
    files = {data + SCRIPT: facts_script(facts)}
    for lang, printer in printers.items():
        words, round_ = words_of(facts, printer), printer.analysis.round
        told = _place(lang, round_, "how.html")
        files[told.in_language(lang)] = render(site, "how.html", told, round=round_, groups=groups(facts, words))
        files[_place(lang, round_, SCRIPT).in_language(lang)] = words_script(facts, words, TO_ROOT + data)
    return files


def _place(lang: Lang, round_: Round, name: str) -> Location:
    return Location(lang, f"rounds/{round_.id}/{name}")


def _report(site: Site, lang: Lang, view: ReportView, to_take: Offered, beside: Neighbours) -> str:
    round_ = view.analysis.round
    where = _place(lang, round_, view.report.page)
    return render(
        site, "report.html", where, view=view, round=round_, beside=beside, to_take=to_take,
        cited=to_take.citation(site, where), licence=licence_of(round_),
        linked_data=dataset(site, view, where, to_take) if view.report.is_front else None,
    )  # fmt: skip


def _statements(site: Site, lang: Lang, view: ReportView) -> dict[str, str]:
    """Return the page of the statements that were published of a round; none where none was."""
    if not published(view.analysis):
        return {}
    there = _place(lang, view.analysis.round, "published.html")
    claims = published_view(view.printer)
    page = render(site, "published.html", there, claims=claims, round=view.analysis.round)
    return {there.in_language(lang): page}


def _assets() -> dict[str, Path]:
    """Return what others made, to be copied as it is; the site's own styles and scripts are written."""
    folder = resource("site_src") / "assets"
    return {f"assets/{path.relative_to(folder).as_posix()}": path for path in _files_below(folder / "vendor")}


def _files_below(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())
