"""The documents hold what the program holds: parts that are made of it, the index, links, and every command."""

from __future__ import annotations

import os
import re
import shlex
from functools import cache
from pathlib import Path
from typing import Final

import click
import pytest

from generator.catalogue import load
from generator.cli import main
from generator.reference.documents import language_of, made, parts, parts_in
from tests.support.markdown import ROOT, Command, anchors, commands, documents, links, parsed

DOCS: Final = ROOT / "docs"
REWRITE: Final = os.environ.get("REWRITE_GOLDEN") == "1"
MADE: Final = {
    "checks.md": ["checks"],
    "checks.zh.md": ["checks"],
    "cli.md": ["exit codes", "commands"],
    "metrics.md": ["metrics"],
    "metrics.zh.md": ["metrics"],
    "plan.md": [f"plan {name}" for name in (
        "engines", "starts", "levels", "requests", "arrivals", "warm-up", "client", "targets",
    )],
    "plan.zh.md": [f"plan {name}" for name in (
        "engines", "starts", "levels", "requests", "arrivals", "warm-up", "client", "targets",
    )],
    "rounds.md": ["keys", "columns", "facts"],
    "rounds.zh.md": ["keys", "columns", "facts"],
}  # fmt: skip


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


# Parts that are made


@pytest.mark.golden
@pytest.mark.parametrize("name", MADE)
def test_documents_hold_what_is_made_of_the_declarations(name: str) -> None:
    path = DOCS / name
    document = text_of(path)
    fresh = made(document, language_of(path), parts(load()))
    if REWRITE:
        path.write_text(fresh, encoding="utf-8")

    assert parts_in(document) == MADE[name]
    assert text_of(path) == fresh, f"docs/{name} lags behind the program: make golden"


def test_no_document_has_a_part_that_no_test_holds() -> None:
    makes = parts(load())
    found = {path.name: [part for part in parts_in(text_of(path)) if part in makes] for path in documents()}

    assert {name: there for name, there in found.items() if there} == MADE


# Both languages


def outline(document: str) -> list[str]:
    """Return what stands in a document whatever its language: headings, lists, blocks of code, and rows of tables."""
    return [token.tag + token.info for token in parsed(document) if token.tag in {"h1", "h2", "h3", "li", "code", "tr"}]


STYLE: Final = "style.zh.md"
"""How Chinese is written: no translation of how English is, which is a sheet of its own."""


@pytest.mark.parametrize("chinese", sorted({*DOCS.glob("*.zh.md")} - {DOCS / STYLE}), ids=lambda path: path.name)
def test_both_languages_have_the_same_chapters_examples_and_rows(chinese: Path) -> None:
    english = chinese.with_name(chinese.name.replace(".zh.md", ".md"))

    assert outline(text_of(chinese)) == outline(text_of(english))
    assert english.name in links(text_of(chinese))
    assert chinese.name in links(text_of(english))


# Lists that are written by hand


def test_the_page_on_prose_lists_the_sections_in_their_order() -> None:
    listed = re.search(r"The sections: ([^.]*)\.", text_of(DOCS / "prose.md"))
    there = list(load().sections)

    assert listed, "docs/prose.md must say: The sections: `…`, `…`."
    assert re.findall(r"`([a-z_]+)`", listed[1]) == there, (
        f"list the sections in docs/prose.md, behind 'The sections:', as {', '.join(f'`{key}`' for key in there)}"
    )


def test_the_architecture_names_every_layer_that_there_is() -> None:
    page = text_of(DOCS / "architecture.md")
    there = {path.stem if path.is_file() else path.name for path in (ROOT / "generator").iterdir()}
    layers = {name for name in there if not name.startswith("_") and name not in {"py", "quoting"}}
    assert {name for name in layers if f"`{name}" not in page} == set()


def test_every_document_is_in_the_index_in_both_languages() -> None:
    english, chinese = (set(links(part)) for part in text_of(DOCS / "README.md").split("\n## 中文\n"))
    there = {path.name for path in DOCS.glob("*.md")} - {"README.md"}
    in_chinese = {name for name in there if name.endswith(".zh.md")}

    assert there - in_chinese <= english, "name each document in docs/README.md, in a line of its own"
    assert (there - in_chinese - {name.replace(".zh.md", ".md") for name in in_chinese}) | in_chinese <= chinese


@pytest.mark.parametrize("readme", ["README.md", "README.zh.md"])
def test_the_readmes_give_both_commands_and_lead_to_the_index(readme: str) -> None:
    text = text_of(ROOT / readme)
    assert "make site" in text
    assert "make test" in text
    assert {link.partition("#")[0] for link in links(text)} >= {"docs/README.md", f"docs/quickstart{readme[6:]}"}


# Links


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    lost = [link for link in links(text_of(path)) if not leads_somewhere(path, link)]

    assert lost == []


def leads_somewhere(path: Path, link: str) -> bool:
    if re.match(r"[a-z]+:", link):
        return True
    file, _, anchor = link.partition("#")
    target = path.parent / file if file else path
    return target.exists() and (not anchor or anchor in anchors(text_of(target)))


def test_a_lost_link_is_found() -> None:
    assert leads_somewhere(DOCS / "rounds.md", "metrics.md#ttft_p50")
    assert not leads_somewhere(DOCS / "rounds.md", "metrics.md#ttft_p51")
    assert not leads_somewhere(DOCS / "rounds.md", "no-such.md")


# Commands


@cache
def targets() -> frozenset[str]:
    return frozenset(re.findall(r"^([a-z]+):", text_of(ROOT / "Makefile"), re.MULTILINE))


@cache
def variables() -> frozenset[str]:
    return frozenset(re.findall(r"\$\(([A-Z_]+)\)", text_of(ROOT / "Makefile")))


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_is_one(path: Path) -> None:
    wrong = {command.text: why for command in commands(text_of(path)) if (why := fault(command))}

    assert wrong == {}


def fault(command: Command) -> str:
    """Say what is wrong with a command; nothing where it is right. Brackets hold what may be left out."""
    plain = re.sub(r"\[[^]]*\]|…", "", re.split(r" (?:&&|>|\|) ", command.text)[0])
    words = shlex.split(re.sub(r"(?<=\w)\|[\w|-]+", "", plain))
    if words[0] == "make":
        return fault_of_make(words[1:])
    return fault_of_rounds(words[1], words[2:], is_typed=command.is_typed and "[OPTIONS]" not in command.text)


def fault_of_make(words: list[str]) -> str:
    set_, named = ([word for word in words if ("=" in word) is wanted] for wanted in (True, False))
    unknown = {*named} - targets() | {word.partition("=")[0] for word in set_} - variables()
    return f"make knows no {', '.join(sorted(unknown))}" if unknown else ""


def fault_of_rounds(name: str, words: list[str], *, is_typed: bool) -> str:
    """Have click take the words, and run nothing; what is only named in a sentence may lack its arguments."""
    context = click.Context(main, info_name="rounds")
    command = main.get_command(context, name)
    if command is None:
        return f"there is no command {name}"
    try:
        command.make_context(name, words, parent=context)
    except (click.MissingParameter, click.BadOptionUsage) as error:
        return error.format_message() if is_typed else ""
    except click.UsageError as error:
        return error.format_message()
    return ""


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (Command("rounds check runs/round-2 --fail-on warn", True), ""),
        (Command("rounds diff BASE_DIR HEAD_DIR --format json|table [--fail-on worse]", True), ""),
        (Command("rounds check --fail-on warn", False), ""),
        (Command("rounds check --fail-on", False), ""),
        (Command("rounds check --fail-on warn", True), "Missing argument 'ROUND_DIR'"),
        (Command("rounds check runs/round-2 --fail-on never", False), "Invalid value for '--fail-on': 'never'"),
        (Command("rounds check runs/round-2 --failon warn", False), "No such option '--failon'"),
        (Command("rounds chekc runs/round-2", False), "there is no command chekc"),
        (Command("make diff BASE=a HEAD=b", True), ""),
        (Command("make site RUNZ=a", True), "make knows no RUNZ"),
        (Command("make sight", True), "make knows no sight"),
    ],
)
def test_wrong_commands_are_found(command: Command, said: str) -> None:
    assert fault(command).startswith(said)
    assert bool(fault(command)) is bool(said)
