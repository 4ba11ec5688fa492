"""The commands that start engines, load them and look at the machine."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Final

import click

from generator.catalogue import load
from generator.collect.campaign import Campaign, pending, starts_pending
from generator.collect.demo.plan import prepare
from generator.collect.describing import told as architecture_told
from generator.collect.host.doctor import examine
from generator.collect.host.probe import probe_machine
from generator.collect.new_round import new_round_toml
from generator.collect.probing import told, usable_cpus
from generator.collect.progress import Progress
from generator.errors import InputError, quote
from generator.store.files import printable, shown, write_atomically
from generator.store.model_files import ARCHITECTURE, as_json, describe_model
from generator.store.round_file import ROUND_FILE, read_round_file
from generator.terminal import FOLDER, INTERRUPTED, UNUSABLE, fail
from generator.text import counted

ENDS: Final = (
    f"Exit code {UNUSABLE}: a series failed, the others are collected; "
    f"{INTERRUPTED}: interrupted, collect again to go on."
)


@click.command(epilog=ENDS)
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
        fail(error)
    except OSError as error:
        why = f"cannot be written ({error.strerror})"
        fail(InputError(shown(round_dir), "", why, "check the permissions of the folder and the room on its disk"))
    for failure in collected.failed:
        click.echo(f"error: {failure}", err=True)
    starts = counted(", {n} {n:start|starts} without load", n=collected.starts) if collected.starts else ""
    told = "{n} {n:run|runs} collected{starts}, {failed} series failed"
    click.echo(counted(told, n=len(collected.done), starts=starts, failed=len(collected.failed)))
    if collected.interrupted:
        click.echo("interrupted; collect again to go on", err=True)
        sys.exit(INTERRUPTED)
    sys.exit(UNUSABLE if collected.failed else 0)


def _say_plan(round_dir: Path) -> None:
    file = read_round_file(round_dir)
    for runs in pending(round_dir, file).values():
        for run in runs:
            load_ = f"C={run.concurrency}" if run.concurrency is not None else f"{run.rate:g} req/s"
            requests = counted("{n} {n:request|requests}", n=run.requests)
            click.echo(
                f"{run.series}  {run.level}  trial {run.trial}: {load_}, {requests}, "
                f"{run.input_tokens} in, {run.output_tokens} out"
            )
    for series, starts in starts_pending(round_dir, file).items():
        click.echo(counted("{series}  {n} {n:start|starts} without load", series=series, n=starts))


def _authorisation(variable: str | None) -> dict[str, str]:
    if variable is None:
        return {}
    key = os.environ.get(variable)
    if not key:
        raise InputError("--key-from", "", f"the variable {quote(variable)} is not set", "export it, or leave it out")
    return {"Authorization": f"Bearer {key}"}


@click.command()
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
        fail(error)
    except OSError as error:
        why = f"cannot be written ({error.strerror})"
        fail(InputError(shown(round_dir), "", why, "check the permissions of the folder"))
    click.echo(f"wrote {path}; complete it, then: rounds collect {round_dir}")


@click.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.option("--into", "home", type=FOLDER, help="Folder of a series, or of a round, for architecture.json.")
def describe(model: Path, home: Path | None) -> None:
    """Read the architecture of the MODEL off its files, and keep it in a folder of a round."""
    try:
        found = describe_model(model)
        if home is not None:
            _refuse_no_home(home)
            write_atomically(home / ARCHITECTURE, as_json(found))
    except InputError as error:
        fail(error)
    except OSError as error:
        why = f"cannot be written ({error.strerror})"
        fail(InputError(shown(home or model), "", why, "check the permissions of the folder"))
    click.echo(f"{printable(architecture_told(found))}")
    if home is not None:
        click.echo(f"wrote {shown(home / ARCHITECTURE)}")


def _refuse_no_home(home: Path) -> None:
    if not home.is_dir():
        raise InputError(shown(home), "", "there is no such folder", "name that of a series, or of a round")


@click.command()
@click.option("--measure", is_flag=True, help="Also measure memory bandwidth and FP32 products of the CPU (seconds).")
def doctor(measure: bool) -> None:
    """Say what this machine can collect, what is missing, and what a report will lack for it."""
    for line in examine():
        mark = "here   " if line.here else "missing"
        click.echo(f"{mark}  {line.name}: {printable(line.found)}")
        if line.lacks:
            click.echo(f"         without it: {line.lacks}{f'; {line.remedy}' if line.remedy else ''}")
    if measure:
        found = probe_machine(usable_cpus())
        click.echo(f"measured  {told(found)}" if found is not None else "measured  nothing: it failed or took too long")


@click.command(epilog=ENDS)
@click.argument("round_dir", type=FOLDER)
def demo(round_dir: Path) -> None:
    """Write the plan of a small round into ROUND_DIR and collect it: on a real engine, where there is one."""
    try:
        if not (round_dir / ROUND_FILE).exists():
            click.echo(f"demo: {prepare(round_dir)}")
    except InputError as error:
        fail(error)
    click.get_current_context().invoke(
        collect, round_dir=round_dir, dry_run=False, restart=False, anyway=False, key_from=None
    )
