"""The shape of the code, measured: short functions, short files, flat packages, no cycles."""

from __future__ import annotations

import ast
import statistics
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = ROOT / "generator"
MEDIAN_LINES: Final = 10
USUAL_LINES: Final = 40
"""Lines that 95 functions of 100 keep to."""

MOST_LINES: Final = 80
LONGEST_FILE: Final = 400
DEEPEST: Final = 4
"""Packages below each other: a format or a server of several modules is a package, and nothing lies below that."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
SOURCES: Final = sorted(PACKAGE.rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def functions() -> dict[str, int]:
    """Return how many lines each function has, decorators and docstring counted."""
    return {
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}": lines_of(node)
        for path in SOURCES
        for node in ast.walk(parsed(path))
        if isinstance(node, Function)
    }


def lines_of(node: Function) -> int:
    start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return (node.end_lineno or start) - start + 1


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES: Final = {module_of(path): path for path in SOURCES}


def imported(path: Path) -> Iterator[str]:
    """Return the modules of the package that a file imports, also inside functions and for types alone."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            below = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name for name in below if name in MODULES)
            if any(name not in MODULES for name in below):
                yield node.module


def cycle(graph: dict[str, set[str]]) -> list[str]:
    """Return the nodes of a cycle; none where there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def test_there_is_something_to_measure() -> None:
    assert len(SOURCES) > 60
    assert len(functions()) > 300


def test_functions_are_short() -> None:
    lengths = sorted(functions().values())
    assert statistics.median(lengths) <= MEDIAN_LINES
    assert lengths[int(0.95 * len(lengths))] <= USUAL_LINES
    assert {name: lines for name, lines in functions().items() if lines > MOST_LINES} == {}


def test_files_are_short() -> None:
    lengths = {module: len(path.read_text(encoding="utf-8").splitlines()) for module, path in MODULES.items()}
    assert {module: lines for module, lines in lengths.items() if lines > LONGEST_FILE} == {}


def test_packages_are_flat() -> None:
    assert [module for module in MODULES if module.count(".") >= DEEPEST] == []


def test_every_module_says_what_it_is() -> None:
    assert [module for module, path in MODULES.items() if not ast.get_docstring(parsed(path))] == []


def test_no_import_stands_inside_a_function() -> None:
    hidden = [
        f"{path.relative_to(ROOT)}:{inner.lineno}"
        for path in SOURCES
        for node in ast.walk(parsed(path))
        if isinstance(node, Function)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    ]
    assert hidden == []


def test_no_module_comes_back_to_itself() -> None:
    assert cycle({module: set(imported(path)) - {module} for module, path in MODULES.items()}) == []


def test_the_cycle_finder_finds_cycles() -> None:
    assert set(cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": set()})) == {"a", "b", "c"}
    assert cycle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []
