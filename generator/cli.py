"""The command line: parse, call, print."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Literal, NoReturn

import click
import pandas as pd

from generator import __version__
from generator.catalogue import Catalogue, load
from generator.errors import InputError
from generator.findings import Status
from generator.frame import Analysis
from generator.render.numbers import Printer
from generator.render.report import report_json
from generator.render.site import build_site, draw_figures
from generator.store.manifest import write_manifest

REACHES: dict[str, frozenset[Status]] = {"fail": frozenset({"fail"}), "warn": frozenset({"fail", "warn"})}
"""The statuses that reach a bar; what could not be checked never does."""


@click.group()
@click.version_option(__version__, prog_name="rounds")
def main() -> None:
    """Benchmark reports for LLM serving whose every number can be traced, checked and rebuilt."""


@main.command()
@click.option(
    "--runs", type=click.Path(path_type=Path), default=Path("runs"), show_default=True, help="Where the rounds are."
)
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("site"), show_default=True, help="Where the site goes."
)
@click.option("--base-url", help="Where the site will be published; adds canonical and hreflang links.")
def site(runs: Path, out: Path, base_url: str | None) -> None:
    """Build the site from every round in a folder."""
    try:
        built = build_site(runs, out, base_url)
    except InputError as error:
        _fail(error)
    for _, why in built.unreadable:
        click.echo(f"error: {why}", err=True)
    click.echo(f"{len(built.rounds)} round(s) built; open {out / 'index.html'}")
    sys.exit(1 if built.unreadable else 0)


@main.command()
@click.argument("round_dir", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "shape",
    type=click.Choice(["json", "table"]),
    default="table",
    show_default=True,
    help="report.json, or a table of the values that are known.",
)
def analyse(round_dir: Path, shape: Literal["json", "table"]) -> None:
    """Print every value of the round in ROUND_DIR."""
    catalogue, analysis = _analysis(round_dir)
    report = report_json(analysis, catalogue.graph, draw_figures(catalogue, analysis))
    if shape == "json":
        click.echo(json.dumps(report, ensure_ascii=False, allow_nan=False, indent=1))
    else:
        click.echo(_table(report["values"]))


@main.command()
@click.argument("round_dir", type=click.Path(path_type=Path))
@click.option("--fail-on", type=click.Choice(["fail", "warn"]), help="Exit with 3 where a finding reaches this.")
@click.option(
    "--lang", type=click.Choice(["zh", "en"]), default="en", show_default=True, help="Language of the findings."
)
def check(round_dir: Path, fail_on: str | None, lang: Literal["zh", "en"]) -> None:
    """Run the self-checks of the round in ROUND_DIR and print what they found."""
    catalogue, analysis = _analysis(round_dir)
    printer = Printer(analysis, catalogue.graph, lang)
    for finding in analysis.findings:
        click.echo(f"{finding.status:8} {finding.check:26} {printer.plain_sentence(finding.message)}")
    bar = REACHES.get(fail_on or "", frozenset())
    sys.exit(3 if any(finding.status in bar for finding in analysis.findings) else 0)


@main.command()
@click.argument("round_dir", type=click.Path(path_type=Path))
def seal(round_dir: Path) -> None:
    """Seal the round in ROUND_DIR: write the sha256 of its data to MANIFEST.json, so that a change is found."""
    _analysis(round_dir)
    try:
        write_manifest(round_dir)
    except InputError as error:
        _fail(error)
    except OSError as error:
        why = f"MANIFEST.json cannot be written ({error.strerror})"
        _fail(InputError(str(round_dir), "", why, "check the permissions of the folder and the room on its disk"))
    click.echo(f"sealed {round_dir}")


def _table(values: list[dict[str, object]]) -> str:
    """Return the values that are known as a table for the terminal."""
    columns = ["scope", "series", "level", "metric", "basis", "value", "unit", "origin"]
    known = pd.DataFrame(values).dropna(subset="value")[columns]
    return known.to_string(index=False, na_rep="", float_format="{:.10g}".format)


def _analysis(round_dir: Path) -> tuple[Catalogue, Analysis]:
    catalogue = load()
    try:
        return catalogue, catalogue.analyse(catalogue.read(round_dir))
    except InputError as error:
        _fail(error)


def _fail(error: InputError) -> NoReturn:
    click.echo(f"error: {error}", err=True)
    sys.exit(1)
