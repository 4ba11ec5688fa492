"""The whole site: read every round, gather every page, then write."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from generator.catalogue import Catalogue, load
from generator.errors import InputError
from generator.figure_model import FigureModel
from generator.frame import Analysis
from generator.kinds import Missing
from generator.model import Title
from generator.render.derivations import derivations_behind
from generator.render.environment import environment
from generator.render.figure_files import csv_text
from generator.render.figure_view import FigureView, svg_name
from generator.render.markdown import render_markdown
from generator.render.numbers import Printer
from generator.render.output import write_site
from generator.render.page import Location, Site, render, render_panels, report_view
from generator.render.report import report_json, values_csv
from generator.render.resources import resource
from generator.render.svg import draw, plot_css, standalone
from generator.store.files import printable
from generator.store.reading import list_rounds
from generator.text import LANGS, Lang

BOM: Final = "\ufeff"
"""Without it, spreadsheets read a UTF-8 CSV as if it were in the local encoding."""

Drawn = Mapping[str, FigureModel | Missing]
Files = dict[str, str | bytes]


@dataclass(frozen=True, slots=True)
class Built:
    """What was built, and which rounds could not be read."""

    rounds: tuple[str, ...]
    unreadable: tuple[tuple[str, InputError], ...]


@dataclass(slots=True)
class Pages:
    """The files of the site, gathered before any of them is written."""

    files: Files = field(default_factory=dict)
    analyses: list[Analysis] = field(default_factory=list)
    unreadable: list[tuple[str, InputError]] = field(default_factory=list)


def build_site(runs: Path, out: Path, base_url: str | None = None) -> Built:
    """Build the site from every round in a folder.

    Raises:
        InputError: the folder of rounds is not there, or the site cannot be written.
    """
    catalogue, site, pages = load(), _site(base_url), Pages()
    for folder in list_rounds(runs):
        try:
            analysis = catalogue.analyse(catalogue.read(folder))
        except InputError as error:
            pages.unreadable.append((printable(folder.name), error))
        else:
            pages.analyses.append(analysis)
            pages.files.update(_round_files(site, catalogue, analysis))
    pages.files.update(_front_pages(site, pages))
    pages.files["assets/site.css"] = _style()
    write_site(out, pages.files, _assets())
    return Built(tuple(one.round.id for one in pages.analyses), tuple(pages.unreadable))


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


def _round_files(site: Site, catalogue: Catalogue, analysis: Analysis) -> Files:
    drawn = draw_figures(catalogue, analysis)
    files = _data_files(catalogue, analysis, drawn)
    for lang in LANGS:
        files.update(_pages(site, catalogue, analysis, drawn, lang))
    return files


def _data_files(catalogue: Catalogue, analysis: Analysis, drawn: Drawn) -> Files:
    """Return the round's data: language-neutral, but for the words inside the SVGs."""
    folder = f"data/{analysis.round.id}"
    report = report_json(analysis, catalogue.graph, drawn)
    files: Files = {
        f"{folder}/report.json": json.dumps(report, ensure_ascii=False, allow_nan=False, indent=1) + "\n",
        f"{folder}/values.csv": BOM + values_csv(report),
    }
    printers = {lang: Printer(analysis, catalogue.graph, lang) for lang in LANGS}
    for key, model in drawn.items():
        if isinstance(model, FigureModel):
            files[f"{folder}/figures/{key}.csv"] = BOM + csv_text(model, printers["en"])
            for lang, printer in printers.items():
                files[f"{folder}/figures/{svg_name(key, lang)}"] = standalone(draw(model, printer, "wide"))
    return files


def _pages(site: Site, catalogue: Catalogue, analysis: Analysis, drawn: Drawn, lang: Lang) -> Files:
    folder = f"rounds/{analysis.round.id}"
    where, behind = Location(lang, f"{folder}/index.html"), Location(lang, f"{folder}/derivations.html")
    view = report_view(analysis, catalogue, drawn, lang, f"{where.root}data/{analysis.round.id}/")
    page = render(site, "report.html", where, view=view, round=analysis.round)
    derivations = derivations_behind([page], view.printer)
    charts = {key: figure.spec for key, figure in view.figures.items() if isinstance(figure, FigureView)}
    return {
        where.in_language(lang): page,
        behind.in_language(lang): render(
            site, "derivations.html", behind, round=analysis.round, derivations=derivations, view=view
        ),
        f"{lang}/{folder}/derivations.js": _script("derivations", render_panels(site, behind, derivations)),
        f"{lang}/{folder}/charts.js": _script("charts", charts),
    }


def _script(receiver: str, data: object) -> str:
    """Return data as a classic script: a page opened from a disk may load that, and nothing else."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return f"Rounds.{receiver}({text});\n"


def _front_pages(site: Site, pages: Pages) -> Files:
    files: Files = {"index.html": site.environment.get_template("pick.html").render(site=site)}
    for lang in LANGS:
        index, about = Location(lang, "index.html"), Location(lang, "about.html")
        intro, method = (_prose(name, lang) for name in ("index", "about"))
        files[index.in_language(lang)] = render(
            site, "index.html", index, analyses=_newest_first(pages.analyses), unreadable=pages.unreadable, intro=intro
        )
        files[about.in_language(lang)] = render(site, "about.html", about, prose=method)
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
