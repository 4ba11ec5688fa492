"""``rounds diff`` as a command: parse, call, print."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

import click

from generator.catalogue import Catalogue, load
from generator.comparing.deciding import Asked, level_metrics
from generator.comparing.held import Held, hold
from generator.comparing.neighbours import REACH, are_related
from generator.errors import InputError, quote
from generator.frame import Analysis
from generator.render.diff_json import diff_json
from generator.render.diff_junit import junit
from generator.render.diff_printer import diff_printer
from generator.render.diff_text import lines, markdown
from generator.render.diff_view import DiffView, diff_view
from generator.store.reading import list_rounds
from generator.terminal import FOLDER, fail
from generator.text import LANGS, Lang

SHAPES: Final = ("table", "json", "markdown", "junit")
Shape = Literal["table", "json", "markdown", "junit"]
WORSE: Final = 3
NOT_COMPARABLE: Final = 4
PERCENT: Final = "%"

TEXTS: Final[dict[str, Callable[[DiffView], str]]] = {
    "table": lambda view: "\n".join(lines(view)),
    "markdown": lambda view: "\n".join(markdown(view)),
    "junit": lambda view: junit(view).rstrip("\n"),
}


@click.command()
@click.argument("base_dir", type=FOLDER)
@click.argument("head_dir", type=FOLDER)
@click.option(
    "--format", "shape", type=click.Choice(SHAPES), default="table", show_default=True,
    help="Text; diff.json; a summary for a pull request; or JUnit XML, a case a row.",
)  # fmt: skip
@click.option(
    "--fail-on", type=click.Choice(["worse", "any-worse"]),
    help="Exit with 3 where the primary metric got worse beyond noise; any-worse: where any row did.",
)  # fmt: skip
@click.option("--primary", help="The metric that decides.  [default: that of round.toml, else output_throughput]")
@click.option(
    "--margin", help="Share that still counts as the same: 0.02, or 2%.  [default: that of round.toml, else 5%]"
)
@click.option(
    "--intended", multiple=True, help="A setting changed on purpose, as flag.--parallel; several count as one."
)
@click.option(
    "--history", type=FOLDER, help="Rounds in a folder: those listed before both are what noise is learnt from."
)
@click.option("--lang", type=click.Choice(["zh", "en"]), default="en", show_default=True, help="Language of the text.")
def diff(  # noqa: PLR0913, PLR0917  # an option each
    base_dir: Path, head_dir: Path, shape: Shape, fail_on: str | None, primary: str | None, margin: str | None,
    intended: tuple[str, ...], history: Path | None, lang: Lang,
) -> None:  # fmt: skip
    """Compare the round in HEAD_DIR with that in BASE_DIR: what changed, and what may be concluded from it."""
    catalogue = load()
    try:
        asked = Asked(primary, _share(margin), intended)
        held = _held(catalogue, base_dir, head_dir, asked, history)
    except InputError as error:
        fail(error)
    click.echo(_text(held, catalogue, shape, lang))
    sys.exit(_status(held, fail_on))


def _share(text: str | None) -> float | None:
    """Return a share that was typed as such, or in hundredths."""
    if text is None:
        return None
    try:
        share = float(text.removesuffix(PERCENT)) / (100 if text.endswith(PERCENT) else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise InputError("--margin", "", f"{quote(text)} is no share", "write it as 0.02, or as 2%")
    return share


def _held(catalogue: Catalogue, base_dir: Path, head_dir: Path, asked: Asked, history: Path | None) -> Held:
    base, head = (catalogue.analyse(catalogue.read(folder)) for folder in (base_dir, head_dir))
    metrics = level_metrics(catalogue.graph.metrics.values())
    return hold(base, head, metrics, asked, _earlier(catalogue, base, head, history))


def _earlier(catalogue: Catalogue, base: Analysis, head: Analysis, history: Path | None) -> tuple[Analysis, ...]:
    """Return the rounds of a folder that are listed before both, and serve the same model with one of the engines."""
    if history is None:
        return ()
    folders = [one for one in list_rounds(history) if one.name < min(base.round.id, head.round.id)]
    rounds = (catalogue.analyse(catalogue.read(folder)) for folder in folders[-REACH:])
    return tuple(one for one in rounds if are_related(one, base))


def _text(held: Held, catalogue: Catalogue, shape: Shape, lang: Lang) -> str:
    if shape != "json":
        return TEXTS[shape](diff_view(held, catalogue.graph, lang))
    printers = {one: diff_printer(held.base, held.head, catalogue.graph, one) for one in LANGS}
    return json.dumps(diff_json(held, printers), ensure_ascii=True, allow_nan=False, indent=1)


def _status(held: Held, fail_on: str | None) -> int:
    if held.comparison.banner.standing == "not_comparable":
        return NOT_COMPARABLE
    any_worse = fail_on == "any-worse" and any(row.verdict == "worse" for row in held.comparison.differences)
    return WORSE if any_worse or (fail_on is not None and held.comparison.gate == "worse") else 0
