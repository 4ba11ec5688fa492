"""The whole site: read every round, gather every page, then write."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from generator import __version__
from generator.catalogue import Catalogue, load
from generator.comparing.neighbours import Neighbours as Related
from generator.comparing.neighbours import neighbours
from generator.errors import InputError
from generator.frame import Analysis
from generator.model import Round
from generator.render.check_views import check_views
from generator.render.data_files import data_files
from generator.render.derivations import derivations_behind
from generator.render.drawn_files import charts, script
from generator.render.environment import environment
from generator.render.finding_groups import tallies
from generator.render.isolation import without_controls
from generator.render.markdown import render_markdown
from generator.render.meanings import meanings_view
from generator.render.numbers import Printer
from generator.render.output import refuse_overlap, write_site
from generator.render.page import Drawn, Location, ReportView, Site, render, render_panels, report_view, tell
from generator.render.published import published, published_view
from generator.render.resources import resource
from generator.render.svg import plot_css
from generator.round_tables import Title
from generator.store.files import printable
from generator.store.reading import list_rounds
from generator.text import LANGS, Lang

Files = dict[str, str | bytes]


@dataclass(frozen=True, slots=True)
class Built:
    """What was built, which rounds could not be read, and folders beside the site that could not be removed."""

    rounds: tuple[str, ...]
    unreadable: tuple[tuple[str, InputError], ...]
    left: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The rounds before and after a round, where there are such."""

    previous: Round | None
    following: Round | None


@dataclass(slots=True)
class Pages:
    """The files of the site, gathered before any of them is written."""

    files: Files = field(default_factory=dict)
    analyses: list[Analysis] = field(default_factory=list)
    unreadable: list[tuple[str, InputError]] = field(default_factory=list)
    against: dict[str, Related] = field(default_factory=dict)
    """Round -> the pair in which it is held against the one before it."""


def build_site(runs: Path, out: Path, base_url: str | None = None) -> Built:
    """Build the site from every round in a folder.

    Raises:
        InputError: the folder of rounds is not there, or the site cannot be written.
    """
    refuse_overlap(runs, out)
    catalogue, site, pages = load(), _site(base_url), Pages()
    for folder in list_rounds(runs):
        try:
            pages.analyses.append(catalogue.analyse(catalogue.read(folder)))
        except InputError as error:
            pages.unreadable.append((printable(folder.name), error))
    for at, analysis in enumerate(pages.analyses):
        before, after = pages.analyses[:at], pages.analyses[at + 1 :]
        beside = Neighbours(before[-1].round if before else None, after[0].round if after else None)
        pages.files.update(_round_files(site, catalogue, analysis, beside))
    pages.files.update(_compared(site, catalogue, pages))
    pages.files.update(_front_pages(site, catalogue, pages))
    pages.files["assets/site.css"] = _style()
    left = write_site(out, {path: _spelt_out(path, text) for path, text in pages.files.items()}, _assets())
    return Built(tuple(one.round.id for one in pages.analyses), tuple(pages.unreadable), left)


def _compared(site: Site, catalogue: Catalogue, pages: Pages) -> Files:
    """Return the pages that hold rounds against each other; a pair that cannot be is named among what is unreadable.

    What compares is imported when there is a pair: its statistics take half a second, and most rounds have no other.
    """
    files = Files()
    for pair in neighbours(pages.analyses):
        diff_files = importlib.import_module("generator.render.diff_pages").diff_files
        try:
            files.update(diff_files(site, catalogue, pair, pages.files))
            pages.against[pair.head.round.id] = pair
        except InputError as error:
            pages.unreadable.append((f"{pair.base.round.id}...{pair.head.round.id}", error))
    if pages.against:
        history = importlib.import_module("generator.render.diff_history")
        files.update(history.history_files(site, catalogue.graph, pages.analyses))
    return files


def _spelt_out(path: str, text: str | bytes) -> str | bytes:
    return without_controls(text, script=path.endswith(".js")) if isinstance(text, str) else text


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
    )


def _round_files(site: Site, catalogue: Catalogue, analysis: Analysis, beside: Neighbours) -> Files:
    drawn, story = draw_figures(catalogue, analysis), tell(analysis, catalogue)
    data, page = f"data/{analysis.round.id}/", f"rounds/{analysis.round.id}/index.html"
    where = {lang: Location(lang, page) for lang in LANGS}
    views = {
        lang: report_view(
            story, catalogue.checks, drawn, Printer(analysis, catalogue.graph, lang), where[lang].root + data
        )
        for lang in LANGS
    }
    files: Files = {data + name: text for name, text in data_files(views, drawn).items()}
    for lang, view in views.items():
        files.update(_pages(site, where[lang], view, beside))
    return files


def _pages(site: Site, where: Location, view: ReportView, beside: Neighbours) -> Files:
    """Return the pages of a round in one language, and the scripts that bring them their charts and panels."""
    round_, folder = view.analysis.round, f"rounds/{view.analysis.round.id}"
    page = render(site, "report.html", where, view=view, round=round_, beside=beside, version=__version__)
    checked, behind = (Location(where.lang, f"{folder}/{name}") for name in ("checks.html", "how.html"))
    checks = render(site, "checks.html", checked, view=view, round=round_)
    statements = _statements(site, where, view)
    derivations = derivations_behind([page, checks, *statements.values()], view.printer)
    return {
        **statements,
        where.in_language(where.lang): page,
        checked.in_language(where.lang): checks,
        behind.in_language(where.lang): render(
            site, "how.html", behind, round=round_, derivations=derivations, view=view
        ),
        f"{where.lang}/{folder}/derivations.js": script("derivations", render_panels(site, behind, derivations)),
        f"{where.lang}/{folder}/charts.js": charts(view.shown),
    }


def _statements(site: Site, where: Location, view: ReportView) -> dict[str, str]:
    """Return the page of the statements that were published of a round; none where none was."""
    if not published(view.analysis):
        return {}
    there = Location(where.lang, f"rounds/{view.analysis.round.id}/published.html")
    claims = published_view(view.printer)
    page = render(site, "published.html", there, claims=claims, round=view.analysis.round)
    return {there.in_language(where.lang): page}


def _front_pages(site: Site, catalogue: Catalogue, pages: Pages) -> Files:
    files: Files = {"index.html": site.environment.get_template("pick.html").render(site=site)}
    for lang in LANGS:
        index, about, all_checks, meanings = (
            Location(lang, f"{name}.html") for name in ("index", "about", "checks", "meanings")
        )
        intro, method = (_prose(name, lang) for name in ("index", "about"))
        files[index.in_language(lang)] = render(
            site, "index.html", index, analyses=_newest_first(pages.analyses), unreadable=pages.unreadable, intro=intro,
            tallies=tallies, against=pages.against, has_history=f"{lang}/history.html" in pages.files,
        )  # fmt: skip
        files[about.in_language(lang)] = render(site, "about.html", about, prose=method)
        files[all_checks.in_language(lang)] = render(
            site,
            "all_checks.html",
            all_checks,
            stages=check_views(catalogue.checks, _newest_first(pages.analyses), lang),
        )
        files[meanings.in_language(lang)] = render(
            site, "meanings.html", meanings, view=meanings_view(catalogue.importers, catalogue.graph, lang)
        )
    return files


def _newest_first(analyses: Sequence[Analysis]) -> list[Analysis]:
    return list(reversed(analyses))


def _prose(name: str, lang: Lang) -> str:
    return render_markdown((resource("site_src") / "pages" / f"{name}.{lang}.md").read_text(encoding="utf-8"))


def _style() -> str:
    """Return the style sheet: the site's own, and that of the static drawings in the page's colours."""
    own = (resource("site_src") / "assets" / "site.css").read_text(encoding="utf-8")
    return own + plot_css("var(--ink)", "var(--quiet)", "var(--hair)", "var(--paper)") + "\n"


def _assets() -> dict[str, Path]:
    folder = resource("site_src") / "assets"
    return {
        f"assets/{path.relative_to(folder).as_posix()}": path
        for path in _files_below(folder)
        if path.name != "site.css"
    }


def _files_below(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())
