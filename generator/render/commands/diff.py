"""``rounds diff`` as a command: parse, call, print."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Final, Literal, TypeVar

import click

from generator.catalogue import Catalogue, load
from generator.comparing import telling
from generator.comparing.deciding import Asked, level_metrics
from generator.comparing.estimating import ENOUGH_TRIALS as TRIALS
from generator.comparing.held import Held, hold
from generator.comparing.neighbours import REACH, are_related
from generator.comparing.order import day_of, declared_day, place, place_of
from generator.comparing.pairing import OPTION
from generator.comparing.records import Difference
from generator.comparing.states import state_of
from generator.errors import InputError, nearest, quote
from generator.frame import Analysis
from generator.render.diff.json import diff_json
from generator.render.diff.junit import junit
from generator.render.diff.text import lines, markdown
from generator.render.diff.view import DiffView, diff_view, printer_of
from generator.store.reading import list_rounds
from generator.store.round_file import read_round_file
from generator.terminal import FOLDER, NOT_COMPARABLE, REACHED, fail
from generator.text import LANGS, Lang

T = TypeVar("T")
SHAPES: Final = ("table", "json", "markdown", "junit")
Shape = Literal["table", "json", "markdown", "junit"]
UNDECIDED: Final = frozenset({None, "not_comparable"})
"""What a gate says that had nothing to look at: it did not pass."""
SHARE: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)(%?)", re.ASCII)

TEXTS: Final[dict[str, Callable[[DiffView], str]]] = {
    "table": lambda view: "\n".join(lines(view)),
    "markdown": lambda view: "\n".join(markdown(view)),
    "junit": lambda view: junit(view).rstrip("\n"),
}


@click.command(
    epilog=f"Exit code {REACHED}: something got worse, as --fail-on has it; {NOT_COMPARABLE}: the rounds are not "
    "comparable, or --fail-on was given and nothing could be judged."
)
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
    "--margin", "margins", multiple=True, metavar="[METRIC=]SHARE",
    help="Share that still counts as the same: 2%, or of one metric or quantity itl=2%.  "
    "[default: those of round.toml, else 5%]",
)  # fmt: skip
@click.option(
    "--threshold", "thresholds", multiple=True, metavar="[METRIC=]SHARE",
    help="Share that noise may make of single runs, likewise.  [default: learnt from earlier rounds, else 5%]",
)  # fmt: skip
@click.option(
    "--pair", "pairs", multiple=True, metavar="BASE=HEAD",
    help="A series of BASE_DIR and the one of HEAD_DIR that it is compared with, where their ids differ.",
)  # fmt: skip
@click.option(
    "--intended", multiple=True, help="A setting changed on purpose, as flag.--parallel; several count as one."
)
@click.option(
    "--history",
    type=FOLDER,
    help="Rounds in a folder: what noise is learnt from are those before both, by day and id.",
)
@click.option("--lang", type=click.Choice(["zh", "en"]), default="en", show_default=True, help="Language of the text.")
def diff(  # noqa: PLR0913, PLR0917  # an option each
    base_dir: Path, head_dir: Path, shape: Shape, fail_on: str | None, primary: str | None, margins: tuple[str, ...],
    thresholds: tuple[str, ...], pairs: tuple[str, ...], intended: tuple[str, ...], history: Path | None, lang: Lang,
) -> None:  # fmt: skip
    """Compare the round in HEAD_DIR with that in BASE_DIR: what changed, and what may be concluded from it."""
    catalogue = load()
    try:
        asked = _asked(primary, intended, margins, thresholds, pairs)
        held = _held(catalogue, base_dir, head_dir, asked, history)
        _refuse_unknown(intended, held)
    except InputError as error:
        fail(error)
    click.echo(_text(held, catalogue, shape, lang))
    sys.exit(_status(held, fail_on))


def _asked(
    primary: str | None, intended: tuple[str, ...], margins: Sequence[str], thresholds: Sequence[str],
    pairs: Sequence[str],
) -> Asked:  # fmt: skip
    of_all, of_metrics = _shares(margins, "--margin")
    noise, noises = _shares(thresholds, "--threshold")
    return Asked(primary, of_all, intended, of_metrics, noise, noises, _pairs(pairs))


def _shares(typed: Sequence[str], option: str) -> tuple[float | None, dict[str, float]]:
    """Return the share of all metrics, if one was typed, and those of single ones."""
    found: dict[str, float] = {}
    for text in typed:
        name, _, share = text.rpartition("=")
        if name in found:
            of = quote(name) if name else "all metrics"
            raise InputError(option, "", f"names a share of {of} twice", "keep one of them")
        found[name] = _share(share, option)
    return found.pop("", None), found


def _pairs(typed: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in typed:
        base, equals, head = text.partition("=")
        if not (base and equals and head):
            raise InputError(OPTION, "", f"{quote(text)} is no pair", "write the series of both rounds as BASE=HEAD")
        if base in found:
            raise InputError(OPTION, "", f"{quote(base)} is named twice", "name each series once")
        found[base] = head
    return found


def _share(text: str, option: str) -> float:
    """Return a share that was typed as such, or in hundredths."""
    found = SHARE.fullmatch(text)
    share = -1.0 if found is None else float(found[1]) / (100 if found[2] else 1)
    if not 0 <= share <= 1:
        raise InputError(option, "", f"{quote(text)} is no share", "write it as 0.02, or as 2%")
    return share


def _refuse_unknown(intended: Sequence[str], held: Held) -> None:
    """Refuse settings that neither round knows of: a typing error would leave its change among what confounds."""
    groups = {one.group for pair in held.comparison.pairs for one in pair.settings if one.group is not None}
    for name in intended if groups else ():
        if name not in groups:
            raise InputError("--intended", "", f"there is no setting {quote(name)}", nearest(name, groups))


def _held(catalogue: Catalogue, base_dir: Path, head_dir: Path, asked: Asked, history: Path | None) -> Held:
    base, head = (catalogue.analyse(catalogue.read(folder)) for folder in (base_dir, head_dir))
    metrics = level_metrics(catalogue.graph.metrics.values())
    return hold(base, head, metrics, asked, _earlier(catalogue, base, head, history))


def _earlier(catalogue: Catalogue, base: Analysis, head: Analysis, history: Path | None) -> tuple[Analysis, ...]:
    """Return the rounds of a folder that come before both, and serve the same model with one of the engines."""
    if history is None:
        return ()
    before = min(place_of(side.round) for side in (base, head))
    folders = list_rounds(history)
    placed = _readable(folders, lambda folder: (place(folder.name, _day(catalogue, folder)), folder))
    earlier = [folder for at, folder in sorted(placed, reverse=True) if at < before]
    analysed = _readable(earlier, lambda folder: catalogue.analyse(catalogue.read(folder)))
    related = (one for one in analysed if are_related(one, base))
    return tuple(reversed(list(islice(related, REACH))))


def _day(catalogue: Catalogue, folder: Path) -> date | None:
    """Return the day of a round: its round.toml tells most, and the round is read whole where that does not."""
    return declared_day(read_round_file(folder)) or day_of(catalogue.read(folder))


def _readable(folders: Iterable[Path], read: Callable[[Path], T]) -> Iterator[T]:
    """Yield what is read of folders; of one that cannot be there is a line, and the others tell of the noise."""
    for folder in folders:
        try:
            yield read(folder)
        except InputError as error:
            click.echo(f"note: left out of --history: {error}", err=True)


def _text(held: Held, catalogue: Catalogue, shape: Shape, lang: Lang) -> str:
    if shape != "json":
        return TEXTS[shape](diff_view(held, catalogue.graph, lang))
    printers = {one: printer_of(held, catalogue.graph, one) for one in LANGS}
    return json.dumps(diff_json(held, printers), ensure_ascii=True, allow_nan=False, indent=1)


def _is_broken(row: Difference) -> bool:
    """Say whether trials show a row to be worse at a level that only one of the rounds is unfit for conclusions at."""
    is_tested = row.p_adjusted is not None and row.method == "welch" and min(row.base.trials, row.head.trials) >= TRIALS
    return is_tested and row.suggests == "worse" and telling.SPOILT in row.reasons


def _status(held: Held, fail_on: str | None) -> int:
    if held.comparison.banner.standing == "not_comparable":
        return NOT_COMPARABLE
    if fail_on is None:
        return 0
    rows = [row for row in held.comparison.differences if fail_on == "any-worse" or row.is_primary]
    if any(row.verdict == "worse" or state_of(row) == "failed_head" or _is_broken(row) for row in rows):
        return REACHED
    return NOT_COMPARABLE if held.comparison.gate in UNDECIDED else 0
