"""docs/rounds.md lists what the program reads: its tables are made from the declarations (`make golden`)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from pydantic import BaseModel

from generator.catalogue import load
from generator.kinds import PlaceKind
from generator.model import RoundFile

ROOT = Path(__file__).parent.parent
DOCUMENT = ROOT / "docs" / "rounds.md"
REWRITE = os.environ.get("REWRITE_GOLDEN") == "1"


def table_of_keys() -> str:
    rows = [f"| `{table}` | {', '.join(f'`{key}`' for key in keys)} |" for table, keys in sorted(tables().items())]
    return "\n".join(["| table | keys |", "| --- | --- |", "| top | `schema` |", *rows])


def tables() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, field in RoundFile.model_fields.items():
        models = [kind for kind in _kinds(field.annotation) if issubclass(kind, BaseModel)]
        for model in models:
            repeated = name in ("series", "level")
            found[f"[[{name}]]" if repeated else f"[{name}]"] = list(_keys(model))
    return found


def _kinds(annotation: object) -> Iterator[type]:
    if isinstance(annotation, type):
        yield annotation
    for inner in get_args(annotation):
        yield from _kinds(inner)


def _keys(model: type[BaseModel]) -> Iterator[str]:
    for key, field in model.model_fields.items():
        nested = [kind for kind in _kinds(field.annotation) if issubclass(kind, BaseModel)]
        yield from (f"{key}.{inner}" for inner in nested[0].model_fields) if nested else (key,)


def table_of_places(kind: PlaceKind) -> str:
    graph = load().graph
    rows = [
        f"| `{place.name}` | {'' if place.unit in {'1', 'ratio'} else place.unit} | {metric.title.en} |"
        for place, metric in graph.places().items()
        if place.kind == kind
    ]
    return "\n".join(["| name | unit | what it is |", "| --- | --- | --- |", *rows])


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
