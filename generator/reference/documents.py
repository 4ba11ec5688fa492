"""What is made in documents: the parts from ``<!-- name -->`` to ``<!-- /name -->``; the rest is written by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from generator.catalogue import Catalogue
from generator.cli import main
from generator.reference.checks import tables_of_checks
from generator.reference.commands import commands_of, table_of_exits
from generator.reference.keys import table_of_keys
from generator.reference.metrics import tables_of_metrics
from generator.reference.places import table_of_places
from generator.reference.plan import PLAN, table_of_plan
from generator.text import Lang

Part = Callable[[Lang], str]
PART: Final = re.compile(r"<!-- (?P<name>[a-z][a-z -]*) -->\n.*?<!-- /(?P=name) -->", re.DOTALL)


def parts(catalogue: Catalogue) -> dict[str, Part]:
    """Return what makes each part, by its name."""
    return {
        "keys": table_of_keys,
        "columns": partial(table_of_places, "column", catalogue),
        "facts": partial(table_of_places, "fact", catalogue),
        "metrics": partial(tables_of_metrics, catalogue),
        "checks": partial(tables_of_checks, catalogue),
        "commands": partial(commands_of, main),
        "exit codes": table_of_exits,
        **{f"plan {name}": partial(table_of_plan, name) for name in PLAN},
    }


def parts_in(document: str) -> list[str]:
    """Return the names of the parts of a document, in their order."""
    return [found["name"] for found in PART.finditer(document)]


def made(document: str, lang: Lang, parts: Mapping[str, Part]) -> str:
    """Return a document with its parts made anew.

    Raises:
        KeyError: it has a part that nothing makes.
    """
    return PART.sub(lambda found: _between(found["name"], parts[found["name"]](lang)), document)


def language_of(path: Path) -> Lang:
    """Return the language of a document: English, but for ``….zh.md``."""
    return "zh" if path.suffixes[-2:] == [".zh", ".md"] else "en"


def _between(name: str, text: str) -> str:
    return f"<!-- {name} -->\n{text}\n<!-- /{name} -->"
