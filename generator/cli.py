"""The command line: parse, call, print."""

from __future__ import annotations

import importlib
import io
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal

import click

from generator import __version__
from generator.catalogue import load
from generator.declared.table_types import ID_PATTERN
from generator.errors import InputError, nearest, quote
from generator.intake.bar import Bar
from generator.intake.companions import companions_among, put_beside
from generator.intake.notes import notes
from generator.intake.taking_in import Outcome, take_in
from generator.kinds import Importer
from generator.render.commands.parts import analysis_of, print_json
from generator.render.files.report_json import report_json
from generator.render.views.finding_lines import finding_lines
from generator.render.wording.numbers import Printer
from generator.store.manifest import is_broken, write_manifest
from generator.terminal import FOLDER, INTERRUPTED, REACHED, UNUSABLE, fail
from generator.text import counted
from generator.told.findings import Status

REACHES: dict[str, frozenset[Status]] = {"fail": frozenset({"fail"}), "warn": frozenset({"fail", "warn"})}
"""The statuses that reach a bar; what could not be checked never does."""


LATER: Final = {
    **dict.fromkeys(("collect", "demo", "describe", "doctor", "new"), "generator.collect.commands"),
    "analyse": "generator.render.commands.analyse",
    "diff": "generator.render.commands.diff",
    "export": "generator.export.commands",
    "profile": "generator.render.commands.profile",
    "site": "generator.render.commands.site",
}
"""Commands of a module that is imported when one of them is asked for: what drives and watches engines takes a third
of a second to import, and statistics, tables and charts each half a second."""
SAID: Final = {
    "analyse": "Print every value of the round in ROUND_DIR.",
    "collect": "Run the plan of the round in ROUND_DIR; go on where an earlier run stopped.",
    "demo": "Write the plan of a small round into ROUND_DIR and collect it: on a real engine, where there is one.",
    "describe": "Read the architecture of the MODEL off its files, and keep it in a folder of a round.",
    "diff": "Compare the round in HEAD_DIR with that in BASE_DIR: what changed, and what may be concluded from it.",
    "doctor": "Say what this machine can collect, what is missing, and what a report will lack for it.",
    "export": "Take the data of the round in ROUND_DIR out, for other programs.",
    "new": "Write a round.toml to be completed into ROUND_DIR, with what is known of this machine.",
    "profile": "Describe the traffic in FILES: how long requests are, when they come, how many are under way at once.",
    "site": "Build the site from every round in a folder.",
}
"""What those commands say of themselves, so that the list of all commands imports none of them."""


class Program(click.Group):
    """The commands, with one line for what stops them from outside: Ctrl-C, or an output that takes no more."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, imported or not."""
        return sorted({*super().list_commands(ctx), *LATER})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name, imported now where it has not been."""
        if cmd_name not in LATER:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(importlib.import_module(LATER[cmd_name]), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of all commands."""
        names = self.list_commands(ctx)
        width = formatter.width - 6 - max(map(len, names))
        with formatter.section("Commands"):
            formatter.write_dl([(name, self._listed(name).get_short_help_str(width)) for name in names])

    def _listed(self, name: str) -> click.Command:
        """Return a command, or what stands for it in the list where it is not imported."""
        return click.Command(name, help=SAID[name]) if name in SAID else self.commands[name]

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
            fail(InputError("standard output", "", f"cannot be written ({error.strerror})", "send it elsewhere"))

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


@main.command(epilog=f"Exit code {REACHED}: a finding reaches --fail-on; what could not be checked never does.")
@click.argument("round_dir", type=FOLDER)
@click.option("--fail-on", type=click.Choice(["fail", "warn"]), help="Exit with 3 where a finding reaches this.")
@click.option(
    "--lang", type=click.Choice(["zh", "en"]), default="en", show_default=True, help="Language of the findings."
)
@click.option("--all", "whole", is_flag=True, help="List what passed, too; else it is counted.")
@click.option(
    "--format",
    "shape",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Text by status, or the findings of report.json, all of them.",
)
def check(
    round_dir: Path, fail_on: str | None, lang: Literal["zh", "en"], *, whole: bool, shape: Literal["text", "json"]
) -> None:
    """Run the self-checks of the round in ROUND_DIR and print what they found."""
    catalogue, analysis = analysis_of(round_dir)
    if shape == "json":
        print_json(report_json(analysis, catalogue.graph, {})["findings"])
    else:
        for line in finding_lines(Printer(analysis, catalogue.graph, lang), whole=whole):
            click.echo(line)
    bar = REACHES.get(fail_on or "", frozenset())
    sys.exit(REACHED if any(finding.status in bar for finding in analysis.findings) else 0)


@main.command(
    name="import",
    epilog=f"Exit code {UNUSABLE}: a file was refused, for the reason that is printed; the others are there.",
)
@click.argument("files", type=FOLDER, nargs=-1, required=True)
@click.option("--into", "round_dir", type=FOLDER, required=True, help="The round's folder; made if it is not there.")
@click.option("--series", help="The series that all runs belong to; else the files tell them apart.")
@click.option("--format", "shape", help="The format of the files; recognised by their content unless named.")
def import_(files: tuple[Path, ...], round_dir: Path, series: str | None, shape: str | None) -> None:
    """Read FILES into a round: results of other tools as runs, what was recorded beside them into their series."""
    catalogue = load()
    try:
        importers = _named_format(catalogue.importers, shape)
        beside, results = companions_among(files, importers, {} if shape else catalogue.engines)
        with Bar() as bar:
            outcome = take_in(results, round_dir, importers, _id(series), bar.show) if results else Outcome()
        kept = put_beside(beside, round_dir, _id(series))
    except InputError as error:
        fail(error)
    for line in [*(f"{one.arrived.name} -> {one.folder}" for one in outcome.placed), *kept.put]:
        click.echo(line)
    for note in notes(outcome, round_dir):
        click.echo(f"note: {note}", err=True)
    refused = [*outcome.refused, *kept.refused]
    for why in refused:
        click.echo(f"error: {why}", err=True)
    put = counted("{n} {n:file|files} put beside a series, ", n=len(kept.put)) if kept.put else ""
    told = "{n} {n:run|runs} imported, {put}{refused} {refused:file|files} refused"
    click.echo(counted(told, n=len(outcome.placed), put=put, refused=len(refused)))
    sys.exit(UNUSABLE if refused else 0)


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
    _, analysis = analysis_of(round_dir, resealing=True)
    for name in analysis.round.integrity.changed:
        click.echo(f"note: {name} does not match the manifest that this seal replaces", err=True)
    try:
        if is_broken(round_dir):
            click.echo("note: MANIFEST.json was no manifest that Rounds wrote; this seal replaces it", err=True)
        write_manifest(round_dir)
    except InputError as error:
        fail(error)
    except OSError as error:
        why = f"MANIFEST.json cannot be written ({error.strerror})"
        fail(InputError(str(round_dir), "", why, "check the permissions of the folder and the room on its disk"))
    click.echo(f"sealed {round_dir}")


def _drop_output() -> None:
    """Send what is still buffered nowhere: Python tries once more at its end, and complains."""
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123  # a device
        os.dup2(nowhere.fileno(), 1)
