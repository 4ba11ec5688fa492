"""``rounds analyse`` as a command: parse, call, print."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from generator.render.commands.parts import analysis_of, print_json
from generator.render.files.report_json import report_json
from generator.render.files.value_tables import claims_text, values_text
from generator.render.site import draw_figures
from generator.terminal import FOLDER


@click.command()
@click.argument("round_dir", type=FOLDER)
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
    catalogue, analysis = analysis_of(round_dir)
    report = report_json(analysis, catalogue.graph, draw_figures(catalogue, analysis))
    if shape == "json":
        print_json(report)
    else:
        click.echo(values_text(report["values"]))
        if report["claims"]:
            click.echo(f"\n{claims_text(report['claims'])}")
