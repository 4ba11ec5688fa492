"""``rounds profile`` as a command: parse, call, print."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import click

from generator.catalogue import load
from generator.declared.profiles import ProfileFile
from generator.errors import InputError
from generator.intake.bar import Bar
from generator.render.wording.numbers import Printer
from generator.store.files import printable, shown
from generator.store.manifest import check_integrity, is_broken, write_manifest
from generator.store.profile import with_profile
from generator.store.round_file import ROUND_FILE
from generator.terminal import FOLDER, Amount, fail
from generator.told.blocks import Block, Paragraph, Row, Steps, Table
from generator.traffic.describing import profile_of
from generator.traffic.gathering import Traffic, gather
from generator.traffic.keeping import keep_beside, keep_plan, keep_profile, profile_json, trace_name
from generator.traffic.mapped import mapping_of
from generator.traffic.plan import Plan, plan_of
from generator.traffic.table import lines_of

GUIDE = "guide_traffic"


@click.command()
@click.argument("files", type=FOLDER, nargs=-1, required=True)
@click.option("--map", "mapped", help="Columns of other files: input=COL,output=COL,time=COL[:ms],duration=COL[:ms].")
@click.option("--window", type=Amount(0.001, 1e7), default=60.0, show_default=True, help="Seconds of a window.")
@click.option("--into", type=FOLDER, help="A round's folder, which gets profile.json and a page.")
@click.option("--against", type=FOLDER, help="A round whose levels the load is compared with.")
@click.option("--plan", type=FOLDER, help="A round.toml to be written: the load replayed by rounds collect.")
@click.option("--fitted", is_flag=True, help="Plan with fitted distributions instead of a replay.")
@click.option("--out", type=FOLDER, help="A folder that gets profile.json.")
@click.option(
    "--format",
    "shape",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="What is printed: a table, or profile.json.",
)
def profile(  # noqa: PLR0913  # an option each
    files: tuple[Path, ...],
    mapped: str | None,
    window: float,
    into: Path | None,
    against: Path | None,
    plan: Path | None,
    out: Path | None,
    *,
    fitted: bool,
    shape: Literal["table", "json"],
) -> None:
    """Describe the traffic in FILES: how long requests are, when they come, how many are under way at once.

    FILES are traces (Azure LLM, BurstGPT, Mooncake), ShareGPT, logs of vLLM or llama-server, access logs, or any JSON
    Lines and CSV whose columns --map names; they are recognised by their content.
    """
    try:
        with Bar() as bar:
            traffic = gather(files, mapping_of(mapped) if mapped is not None else None, bar.show)
        made = profile_of(traffic, window)
        held = list(_held_against(against, made)) if against is not None else []
        for line in _kept(traffic, made, into, plan, out, fitted=fitted):  # each as it is written: the next may fail
            click.echo(line, err=True)
    except InputError as error:
        fail(error)
    if shape == "json":
        click.echo(profile_json(made), nl=False)
    else:
        for line in (*lines_of(made), *held):
            click.echo(line)


def _kept(
    traffic: Traffic, made: ProfileFile, into: Path | None, plan: Path | None, out: Path | None, *, fitted: bool
) -> Iterator[str]:
    """Write what is to be written, and yield a line for each."""
    if plan is not None:
        planned = plan_of(traffic, made, trace_name(plan), fitted=fitted)
        yield from (f"wrote {shown(plan.parent / name)}" for name in keep_plan(plan, planned))
    if into is not None:
        toml = into / ROUND_FILE
        new = None if toml.exists() else _plan_or_none(traffic, made, trace_name(toml), fitted=fitted)
        seal = _seal_of(into)
        yield from (f"wrote {shown(into / name)}" for name in keep_profile(into, made, new))
        if seal == "intact":
            write_manifest(into)
            yield f"sealed {shown(into)} again"
        elif seal == "changed":
            yield f"note: {shown(into)} did not match its seal before; see rounds check, then rounds seal"
    if out is not None:
        keep_beside(out, made)
        yield f"wrote {shown(out / 'profile.json')}"


def _seal_of(into: Path) -> str:
    """Say whether a round is sealed, and still as it was: only then may it be sealed again without a look."""
    if not into.is_dir():
        return "absent"
    return "changed" if is_broken(into) else check_integrity(into).status


def _plan_or_none(traffic: Traffic, made: ProfileFile, name: str, *, fitted: bool) -> Plan | None:
    try:
        return plan_of(traffic, made, name, fitted=fitted)
    except InputError:
        return None


def _held_against(folder: Path, made: ProfileFile) -> Iterator[str]:
    """Yield what the guide of a round says of the load."""
    catalogue = load()
    round_ = with_profile(catalogue.read(folder), made, catalogue.graph.places())
    analysis = catalogue.analyse(round_)
    chapter = catalogue.sections[GUIDE].tell(analysis)
    if chapter is None:
        raise InputError(shown(folder), "", "has no level that the load could be compared with", "name another round")
    printer = Printer(analysis, catalogue.graph, "en")
    yield ""
    yield printable(printer.plain_sentence(chapter.heading))
    for block in chapter.blocks:
        yield from (printable(line) for line in _block(block, printer))


def _block(block: Block, printer: Printer) -> Iterator[str]:
    match block:
        case Paragraph():
            yield printer.plain_sentence(block.sentence)
        case Steps():
            yield printer.plain_sentence(block.heading) + ":"
            yield from (f"  - {printer.plain_sentence(step)}" for step in block.steps)
        case Table():
            yield from _table(block, printer)
        case _:
            pass


def _table(table: Table, printer: Printer) -> Iterator[str]:
    heads = [
        f"{printer.plain_sentence(one.label)} ({one.unit})" if one.unit else printer.plain_sentence(one.label)
        for one in table.headings
    ]
    rows = [heads, *(_cells(row, printer) for row in table.rows)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _cells(row: Row, printer: Printer) -> list[str]:
    return [printer.plain(cell) for cell in row.cells]
