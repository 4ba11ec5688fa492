"""``rounds export`` as a command: parse, call, print."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

import click

from generator.catalogue import load
from generator.errors import InputError
from generator.export.benchmark_report import report_files
from generator.export.tables import csv_files, parquet_files
from generator.render.files.report_json import report_json
from generator.store.files import shown, write_atomically
from generator.terminal import FOLDER, fail
from generator.text import counted

SHAPES: Final = ("csv", "parquet", "benchmark-report")
Shape = Literal["csv", "parquet", "benchmark-report"]


@click.command()
@click.argument("round_dir", type=FOLDER)
@click.option(
    "--format",
    "shape",
    type=click.Choice(SHAPES),
    required=True,
    help="The values as CSV; values and requests as Parquet; or each level as a Benchmark Report of llm-d, v0.2.1.",
)
@click.option("--out", type=FOLDER, help="Where the files go.  [default: export/<round>]")
def export(round_dir: Path, shape: Shape, out: Path | None) -> None:
    """Take the data of the round in ROUND_DIR out, for other programs."""
    try:
        files = _files(round_dir, shape)
        where = out if out is not None else Path("export") / round_dir.resolve().name
        _write(where, round_dir, files)
    except InputError as error:
        fail(error)
    click.echo(counted("{n} {n:file|files} written to {where}", n=len(files), where=shown(where)))


def _files(round_dir: Path, shape: Shape) -> dict[str, bytes]:
    catalogue = load()
    analysis = catalogue.analyse(catalogue.read(round_dir))
    if shape == "benchmark-report":
        return report_files(analysis)
    report = report_json(analysis, catalogue.graph, {})
    return csv_files(report) if shape == "csv" else parquet_files(report, analysis.round.requests)


def _write(out: Path, round_dir: Path, files: dict[str, bytes]) -> None:
    """Write the files, those of an earlier export anew.

    Raises:
        InputError: the folder lies in the round itself, or cannot be written.
    """
    if out.resolve().is_relative_to(round_dir.resolve()):
        raise InputError(shown(out), "", "lies in the folder of the round itself", "choose another folder with --out")
    try:
        for name, data in files.items():
            target = out / name
            target.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(target, data)
    except OSError as error:
        problem = f"cannot be written ({error.strerror})"
        raise InputError(shown(out), "", problem, "check its permissions and the room on its disk") from error
