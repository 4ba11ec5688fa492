"""docs/rounds.md lists what the program reads: its tables are made from the declarations (`make golden`)."""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal, get_args, get_origin

import pytest
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from generator.catalogue import load
from generator.declared.round_tables import RoundFile
from generator.declared.table_types import Words
from generator.places import PlaceKind

ROOT = Path(__file__).parent.parent
DOCUMENT = ROOT / "docs" / "rounds.md"
REWRITE = os.environ.get("REWRITE_GOLDEN") == "1"


def table_of_keys() -> str:
    """Return a table for each table of round.toml: key, what it holds, what it means."""
    found = []
    for name, model in tables().items():
        rows = [f"| `{key}`{'' if optional else ' *'} | {kind} | {text} |" for key, kind, text, optional in keys(model)]
        found.append("\n".join([f"### {name}", "", "| key | holds | meaning |", "| --- | --- | --- |", *rows]))
    return "\n\n".join(found)


def tables() -> dict[str, type[BaseModel]]:
    found: dict[str, type[BaseModel]] = {}
    for name, field in RoundFile.model_fields.items():
        for model in (kind for kind in _kinds(field.annotation) if issubclass(kind, BaseModel)):
            found[f"`[[{name}]]`" if name in ("series", "level", "claim") else f"`[{name}]`"] = model
    return found


def keys(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, str, str, bool]]:
    for key, field in model.model_fields.items():
        nested = [kind for kind in _kinds(field.annotation) if issubclass(kind, BaseModel) and kind is not Words]
        if nested:
            yield from keys(nested[0], f"{key}.")
        else:
            assert field.description, f"{model.__name__}.{key} has no text"
            yield f"{prefix}{key}", holds(field.annotation), field.description, not field.is_required()


PLAIN: Final[dict[object, str]] = {
    str: "text", Words: "words", datetime.date: "date", int: "whole number", float: "number", bool: "true or false",
}  # fmt: skip


def holds(annotation: object) -> str:
    """Say what a key holds."""
    if get_origin(annotation) is Literal:
        return " or ".join(f"`{choice}`" for choice in get_args(annotation))
    if annotation in PLAIN:
        return PLAIN[annotation]
    if get_origin(annotation) is tuple:
        return "list of texts"
    if get_origin(annotation) is dict:
        return "table"
    inner = [holds(one) for one in get_args(annotation) if one is not type(None) and not isinstance(one, FieldInfo)]
    return " or ".join(dict.fromkeys(inner))


def _kinds(annotation: object) -> Iterator[type]:
    if isinstance(annotation, type):
        yield annotation
    for inner in get_args(annotation):
        yield from _kinds(inner)


def table_of_places(kind: PlaceKind) -> str:
    graph = load().graph
    rows = [
        f"| `{place.name}` | {'' if place.unit in {'1', 'ratio'} else place.unit} "
        f"| {metric.title.en} | {metric.meaning.en} |"
        for place, metric in graph.places().items()
        if place.kind == kind
    ]
    return "\n".join(["| name | unit | what it is | meaning |", "| --- | --- | --- | --- |", *rows])


def written(document: str) -> str:
    made = {
        "keys": table_of_keys(),
        "columns": table_of_places("column"),
        "facts": table_of_places("fact"),
    }
    for name, table in made.items():
        document = re.sub(
            f"(<!-- {name} -->\n).*?(<!-- /{name} -->)",
            lambda found, table=table: f"{found[1]}{table}\n{found[2]}",  # type: ignore[misc]
            document,
            flags=re.DOTALL,
        )
    return document


@pytest.mark.golden
def test_the_document_lists_every_key_column_and_fact() -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    if REWRITE:
        DOCUMENT.write_text(written(document), encoding="utf-8")
    assert "`itl_p50_ms`" in written(document)
    assert "`hardware`" not in written(document)
    assert DOCUMENT.read_text(encoding="utf-8") == written(document)


def test_the_page_on_prose_lists_the_sections_in_their_order() -> None:
    page = (ROOT / "docs" / "prose.md").read_text(encoding="utf-8")
    listed = re.search(r"The sections: ([^.]*)\.", page)
    there = list(load().sections)

    assert listed, "docs/prose.md must say: The sections: `…`, `…`."
    assert re.findall(r"`([a-z_]+)`", listed[1]) == there, (
        f"list the sections in docs/prose.md, behind 'The sections:', as {', '.join(f'`{key}`' for key in there)}"
    )


def test_the_architecture_names_every_layer_that_there_is() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    there = {path.stem if path.is_file() else path.name for path in (ROOT / "generator").iterdir()}
    layers = {name for name in there if not name.startswith("_") and name not in {"py", "quoting"}}
    assert {name for name in layers if f"`{name}" not in page} == set()


@pytest.mark.parametrize("readme", ["README.md", "README.zh.md"])
def test_the_readmes_give_both_commands_and_link_to_files_that_exist(readme: str) -> None:
    text = (ROOT / readme).read_text(encoding="utf-8")
    assert "make site" in text
    assert "make test" in text
    links = re.findall(r"\]\(([^)#:]+)\)", text)
    assert len(links) >= 6
    assert [link for link in links if not (ROOT / link).exists()] == []
