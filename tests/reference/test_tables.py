"""The tables of metrics, checks, places and commands, by a few rows of each that are worked out by hand."""

from __future__ import annotations

from typing import Final

import click
import pytest

import generator.metrics
from generator.catalogue import load
from generator.reference.checks import tables_of_checks
from generator.reference.commands import commands_of, table_of_exits
from generator.reference.documents import language_of, made, parts_in
from generator.reference.metrics import name_of, tables_of_metrics
from generator.reference.places import table_of_places
from generator.registry import discover_metrics
from generator.terminal import EXITS
from generator.text import Lang
from tests.support.markdown import ROOT, anchors

CATALOGUE: Final = load()


def row(table: str, key: str) -> list[str]:
    (found,) = [line for line in table.splitlines() if f'<a id="{key}"></a>' in line]
    return [cell.strip() for cell in found.strip("|").split(" | ")]


def test_a_metric_has_its_meaning_unit_scope_and_ways() -> None:
    _, words, unit, scope, better, ways = row(tables_of_metrics(CATALOGUE, "en"), "request_throughput")

    assert words == "**request throughput**: Requests completed each second."
    assert (unit, scope, better) == ("req/s", "level", "higher")
    assert ways.split("<br>")[:2] == ["published.csv: `request_throughput`", "`= completed ÷ duration`"]
    assert "`reported`" in ways


def test_a_second_definition_has_a_row_and_says_why_there_are_two() -> None:
    key, words, *_ = row(tables_of_metrics(CATALOGUE, "zh"), "scenario_lifetime__conservative")

    assert key.endswith("`scenario_lifetime__conservative`")
    assert words.endswith("<br>*一轮讲三种情景：服务器怎样使用，决定启动与成本占多少。*")


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_metric_and_every_check_can_be_pointed_at(lang: Lang) -> None:
    metrics = {name_of(metric) for metric in discover_metrics(generator.metrics)}

    assert metrics <= anchors(tables_of_metrics(CATALOGUE, lang))
    assert set(CATALOGUE.checks) <= anchors(tables_of_checks(CATALOGUE, lang))


def test_a_check_says_whether_it_may_leave_levels_out() -> None:
    table = tables_of_checks(CATALOGUE, "en")
    spoiling = {key for key, check in CATALOGUE.checks.items() if check.spoils}

    assert {key for key in CATALOGUE.checks if row(table, key)[-1].startswith("levels that fail")} == spoiling
    assert "throttling" in spoiling
    assert table.index("## Of the levels") < table.index('id="throttling"') < table.index("## Of the conclusions")


def test_a_column_has_its_unit_and_what_it_is() -> None:
    rows = table_of_places("column", CATALOGUE, "zh").splitlines()

    assert "| `itl_p50_ms` | ms | ITL p50 | 相邻两次输出之间的间隔；所有请求的间隔放在一起统计。 |" in rows
    assert "| `requests` |  |" in "\n".join(rows)


@click.group()
def program() -> None:
    """Return nothing."""


@program.command(epilog="Exit code 3: a bar was reached.")
@click.argument("folder")
@click.option("--shape", type=click.Choice(["a", "b"]), default="a", envvar="TOY_SHAPE", help="What shape.")
@click.option("--margin", multiple=True, required=True, metavar="[METRIC=]SHARE")
@click.option("--whole", is_flag=True, help="All of it.")
def toy(folder: str, shape: str, margin: tuple[str, ...], *, whole: bool) -> None:
    """Do something
    with FOLDER.

    \b
    And more.
    """


OPTIONS: Final = (
    "| option | takes | default | meaning |",
    "| --- | --- | --- | --- |",
    "| `--shape` (`TOY_SHAPE`) | `a`, `b` | `a` | What shape. |",
    "| `--margin` | `[METRIC=]SHARE`; may be repeated; required |  |  |",
    "| `--whole` |  |  | All of it. |",
)


def test_a_command_is_told_as_click_has_it() -> None:
    assert commands_of(program, "en").split("\n\n") == [
        "## rounds toy",
        "    rounds toy [OPTIONS] FOLDER",
        "Do something with FOLDER.",
        "And more.",
        "\n".join(OPTIONS),
        "Exit code 3: a bar was reached.",
    ]


def test_every_exit_code_is_told() -> None:
    assert [line.split("`")[1] for line in table_of_exits("en").splitlines()[2:]] == [str(code) for code in EXITS]
    assert list(EXITS) == [0, 1, 2, 3, 4, 130]


def test_parts_are_made_and_all_else_is_left() -> None:
    document = "Before.\n<!-- a -->\nold\n<!-- /a -->\nBetween.\n<!-- b c -->\n<!-- /b c -->\nAfter.\n"
    makes = {"a": lambda lang: f"new {lang}", "b c": lambda lang: "more"}

    assert parts_in(document) == ["a", "b c"]
    assert made(document, "zh", makes) == (
        "Before.\n<!-- a -->\nnew zh\n<!-- /a -->\nBetween.\n<!-- b c -->\nmore\n<!-- /b c -->\nAfter.\n"
    )
    assert made(made(document, "zh", makes), "zh", makes) == made(document, "zh", makes)
    with pytest.raises(KeyError):
        made(document, "en", {})


def test_the_language_of_a_document_is_in_its_name() -> None:
    assert language_of(ROOT / "docs" / "plan.zh.md") == "zh"
    assert language_of(ROOT / "docs" / "plan.md") == "en"
