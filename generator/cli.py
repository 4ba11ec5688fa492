"""The command line: parse, call, print."""

from __future__ import annotations

import asyncio
import codecs
import io
import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal, NoReturn

import click
import pandas as pd

from generator import __version__
from generator.catalogue import Catalogue, load
from generator.collect.campaign import Campaign, pending
from generator.collect.demo.plan import prepare
from generator.collect.host.doctor import examine
from generator.collect.new_round import new_round_toml
from generator.collect.progress import Progress
from generator.errors import InputError, nearest, quote
from generator.findings import Status
from generator.frame import Analysis
from generator.intake.bar import Bar
from generator.intake.notes import notes
from generator.intake.taking_in import take_in
from generator.kinds import Importer
from generator.model import ID_PATTERN
from generator.render.numbers import Printer
from generator.render.report import report_json
from generator.render.site import build_site, draw_figures
from generator.store.files import printable, shown, write_atomically
from generator.store.manifest import is_broken, write_manifest
from generator.store.round_file import ROUND_FILE, read_round_file

ADDRESS: Final = re.compile(r"https?://[A-Za-z0-9.\-]+(?::[0-9]+)?(?:/[A-Za-z0-9._~/\-]*)?")
"""A base URL: no user, no query, nothing that would need escaping."""
REACHES: dict[str, frozenset[Status]] = {"fail": frozenset({"fail"}), "warn": frozenset({"fail", "warn"})}
"""The statuses that reach a bar; what could not be checked never does."""


INTERRUPTED: Final = 130
"""What shells report of a program that Ctrl-C ended."""
FOLDER: Final = click.Path(path_type=Path, readable=False)
"""A path that click does not judge: what is wrong with it is said in one line, as of any other input."""


class Program(click.Group):
    """The commands, with one line for what stops them from outside: Ctrl-C, or an output that takes no more."""

    def main(self, *args: Any, **extra: Any) -> Any:  # noqa: ANN401  # click's own signature
        """Run a command as click does; a broken pipe is click's business."""
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        try:
            return super().main(*args, **extra)
        except OSError as error:
            if error.filename is not None:  # of a file, which is no business of the output
                raise
            _drop_output()
            _fail(InputError("standard output", "", f"cannot be written ({error.strerror})", "send it elsewhere"))

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401  # click's own signature
        """Run a command until it ends or is interrupted."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(INTERRUPTED)


@click.group(cls=Program)
@click.version_option(__version__, prog_name="rounds")
def main() -> None:
    """Benchmark reports for LLM serving whose every number can be traced, checked and rebuilt."""


@main.command()
@click.option("--runs", type=FOLDER, default=Path("runs"), show_default=True, help="Where the rounds are.")
@click.option("--out", type=FOLDER, default=Path("site"), show_default=True, help="Where the site goes.")
@click.option("--base-url", help="Where the site will be published; adds canonical and hreflang links.")
def site(runs: Path, out: Path, base_url: str | None) -> None:
    """Build the site from every round in a folder."""
    if base_url is not None and not ADDRESS.fullmatch(base_url):
        _fail(InputError("--base-url", "", f"{quote(base_url)} is no address", "write it as https://example.org/bench"))
    try:
        built = build_site(runs, out, base_url)
    except InputError as error:
        _fail(error)
    for _, why in built.unreadable:
        click.echo(f"error: {why}", err=True)
    if built.left:
        click.echo(f"note: {shown(built.left[0])} is left of a build and could not be removed; remove it", err=True)
    left_out = f", {len(built.unreadable)} left out" if built.unreadable else ""
    click.echo(f"{len(built.rounds)} round(s) built{left_out}; open {out / 'index.html'}")
    sys.exit(1 if built.unreadable else 0)


@main.command()
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
    catalogue, analysis = _analysis(round_dir)
    report = report_json(analysis, catalogue.graph, draw_figures(catalogue, analysis))
    if shape == "json":
        click.echo(json.dumps(report, ensure_ascii=not _takes_unicode(), allow_nan=False, indent=1))
    else:
        click.echo(_table(report["values"]))


@main.command()
@click.argument("round_dir", type=FOLDER)
@click.option("--fail-on", type=click.Choice(["fail", "warn"]), help="Exit with 3 where a finding reaches this.")
@click.option(
    "--lang", type=click.Choice(["zh", "en"]), default="en", show_default=True, help="Language of the findings."
)
def check(round_dir: Path, fail_on: str | None, lang: Literal["zh", "en"]) -> None:
    """Run the self-checks of the round in ROUND_DIR and print what they found."""
    catalogue, analysis = _analysis(round_dir)
    printer = Printer(analysis, catalogue.graph, lang)
    for finding in analysis.findings:
        said = printable(printer.plain_sentence(finding.message))  # names in it are the round's: no escape codes
        click.echo(f"{finding.status:8} {finding.check:26} {said}")
    bar = REACHES.get(fail_on or "", frozenset())
    sys.exit(3 if any(finding.status in bar for finding in analysis.findings) else 0)


@main.command(name="import")
@click.argument("files", type=FOLDER, nargs=-1, required=True)
@click.option("--into", "round_dir", type=FOLDER, required=True, help="The round's folder; made if it is not there.")
@click.option("--series", help="The series that all runs belong to; else the files tell them apart.")
@click.option("--format", "shape", help="The format of the files; recognised by their content unless named.")
def import_(files: tuple[Path, ...], round_dir: Path, series: str | None, shape: str | None) -> None:
    """Read FILES, results of other tools, into a round."""
    importers = load().importers
    try:
        with Bar() as bar:
            outcome = take_in(list(files), round_dir, _named_format(importers, shape), _id(series), bar.show)
    except InputError as error:
        _fail(error)
    for one in outcome.placed:
        click.echo(f"{one.arrived.name} -> {one.folder}")
    for note in notes(outcome, round_dir):
        click.echo(f"note: {note}", err=True)
    for why in outcome.refused:
        click.echo(f"error: {why}", err=True)
    click.echo(f"{len(outcome.placed)} run(s) imported, {len(outcome.refused)} file(s) refused")
    sys.exit(1 if outcome.refused else 0)


def _named_format(importers: Mapping[str, Importer], shape: str | None) -> Mapping[str, Importer]:
    if shape is None:
        return importers
    if shape not in importers:
        raise InputError("--format", "", f"there is no format {quote(shape)}", nearest(shape, importers))
    return {shape: replace(importers[shape], recognises=lambda _: True)}


def _id(series: str | None) -> str | None:
    if series is not None and not re.fullmatch(ID_PATTERN, series):
        problem = f"{quote(series)} cannot be the id of a series"
        raise InputError("--series", "", problem, "write letters, digits, dots, dashes and underscores")
    return series


@main.command()
@click.argument("round_dir", type=FOLDER)
def seal(round_dir: Path) -> None:
    """Seal the round in ROUND_DIR: write the sha256 of its data to MANIFEST.json, so that a change is found."""
    _, analysis = _analysis(round_dir, resealing=True)
    for name in analysis.round.integrity.changed:
        click.echo(f"note: {name} does not match the manifest that this seal replaces", err=True)
    try:
        if is_broken(round_dir):
            click.echo("note: MANIFEST.json was no manifest that Rounds wrote; this seal replaces it", err=True)
        write_manifest(round_dir)
    except InputError as error:
        _fail(error)
    except OSError as error:
        why = f"MANIFEST.json cannot be written ({error.strerror})"
        _fail(InputError(str(round_dir), "", why, "check the permissions of the folder and the room on its disk"))
    click.echo(f"sealed {round_dir}")


@main.command()
@click.argument("round_dir", type=FOLDER)
@click.option("--dry-run", is_flag=True, help="Say what would be run, and run nothing.")
@click.option("--restart", is_flag=True, help="Throw away what was collected of the round, and begin anew.")
@click.option("--anyway", is_flag=True, help="Start whatever speaks against it.")
@click.option("--key-from", metavar="NAME", help="Environment variable that holds the API key of the server.")
def collect(round_dir: Path, dry_run: bool, restart: bool, anyway: bool, key_from: str | None) -> None:
    """Run the plan of the round in ROUND_DIR; go on where an earlier run stopped."""
    try:
        if dry_run:
            _say_plan(round_dir)
            return
        campaign = Campaign(round_dir, load().engines, Progress(), _authorisation(key_from), anyway=anyway)
        collected = asyncio.run(campaign.collect(restart=restart))
    except InputError as error:
        _fail(error)
    except OSError as error:
        why = f"cannot be written ({error.strerror})"
        _fail(InputError(shown(round_dir), "", why, "check the permissions of the folder and the room on its disk"))
    for failure in collected.failed:
        click.echo(f"error: {failure}", err=True)
    click.echo(f"{len(collected.done)} run(s) collected, {len(collected.failed)} series failed")
    if collected.interrupted:
        click.echo("interrupted; collect again to go on", err=True)
        sys.exit(INTERRUPTED)
    sys.exit(1 if collected.failed else 0)


def _say_plan(round_dir: Path) -> None:
    for runs in pending(round_dir, read_round_file(round_dir)).values():
        for run in runs:
            load_ = f"C={run.concurrency}" if run.concurrency is not None else f"{run.rate:g} req/s"
            click.echo(
                f"{run.series}  {run.level}  trial {run.trial}: {load_}, {run.requests} requests, "
                f"{run.input_tokens} in, {run.output_tokens} out"
            )


def _authorisation(variable: str | None) -> dict[str, str]:
    if variable is None:
        return {}
    key = os.environ.get(variable)
    if not key:
        raise InputError("--key-from", "", f"the variable {quote(variable)} is not set", "export it, or leave it out")
    return {"Authorization": f"Bearer {key}"}


@main.command()
@click.argument("round_dir", type=FOLDER)
def new(round_dir: Path) -> None:
    """Write a round.toml to be completed into ROUND_DIR, with what is known of this machine."""
    path = round_dir / ROUND_FILE
    try:
        if path.exists():
            raise InputError(shown(path), "", "is there already", "name a new folder")
        round_dir.mkdir(parents=True, exist_ok=True)
        write_atomically(path, new_round_toml(round_dir.resolve().name).encode())
    except InputError as error:
        _fail(error)
    except OSError as error:
        why = f"cannot be written ({error.strerror})"
        _fail(InputError(shown(round_dir), "", why, "check the permissions of the folder"))
    click.echo(f"wrote {path}; complete it, then: rounds collect {round_dir}")


@main.command()
def doctor() -> None:
    """Say what this machine can collect, what is missing, and what a report will lack for it."""
    for line in examine():
        mark = "here   " if line.here else "missing"
        click.echo(f"{mark}  {line.name}: {printable(line.found)}")
        if line.lacks:
            click.echo(f"         without it: {line.lacks}{f'; {line.remedy}' if line.remedy else ''}")


@main.command()
@click.argument("round_dir", type=FOLDER)
def demo(round_dir: Path) -> None:
    """Write the plan of a small round into ROUND_DIR and collect it: on a real engine, where there is one."""
    try:
        if not (round_dir / ROUND_FILE).exists():
            click.echo(f"demo: {prepare(round_dir)}")
    except InputError as error:
        _fail(error)
    click.get_current_context().invoke(
        collect, round_dir=round_dir, dry_run=False, restart=False, anyway=False, key_from=None
    )


def _table(values: list[dict[str, object]]) -> str:
    """Return the values that are known as a table for the terminal."""
    columns = ["scope", "series", "level", "metric", "basis", "value", "unit", "origin"]
    known = pd.DataFrame(values).dropna(subset="value")[columns]
    return known.to_string(index=False, na_rep="", float_format="{:.10g}".format)


def _takes_unicode() -> bool:
    """Say whether the output takes every character: a backslash escape would not be JSON."""
    return codecs.lookup(getattr(sys.stdout, "encoding", None) or "ascii").name.startswith("utf")


def _drop_output() -> None:
    """Send what is still buffered nowhere: Python tries once more at its end, and complains."""
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123  # a device
        os.dup2(nowhere.fileno(), 1)


def _analysis(round_dir: Path, *, resealing: bool = False) -> tuple[Catalogue, Analysis]:
    catalogue = load()
    try:
        return catalogue, catalogue.analyse(catalogue.read(round_dir, resealing=resealing))
    except InputError as error:
        _fail(error)


def _fail(error: InputError) -> NoReturn:
    click.echo(f"error: {error}", err=True)
    sys.exit(1)
