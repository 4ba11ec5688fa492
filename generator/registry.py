"""Finding what is declared: every module of a package is read, and what it declares is collected."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import TypeVar

from generator.kinds import Check, Engine, Figure, Importer, Metric
from generator.report_kinds import Report, Section

Declared = TypeVar("Declared", Check, Engine, Figure, Importer, Report, Section)


def discover(package: ModuleType, kind: type[Declared]) -> dict[str, Declared]:
    """Return the objects of a package that declares one object a file, by key, in order of their keys.

    Raises:
        TypeError: a module does not declare exactly one object named like its file.
    """
    found: dict[str, Declared] = {}
    for module in _modules(package):
        name = module.__name__.rpartition(".")[2]
        declared = [thing for thing in vars(module).values() if isinstance(thing, kind)]
        if [thing.key for thing in declared] != [name]:
            raise TypeError(f"{module.__name__} must declare exactly one {kind.__name__}, named {name}")
        found[name] = declared[0]
    return found


def discover_metrics(package: ModuleType) -> tuple[Metric, ...]:
    """Return the metrics of a package that declares one family a file, in order of declaration."""
    metrics: dict[int, Metric] = {}
    for module in _modules(package):
        for thing in vars(module).values():
            listed = thing if isinstance(thing, tuple) else (thing,)
            metrics.update((id(one), one) for one in listed if isinstance(one, Metric))
    return tuple(metrics.values())


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    for found in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
        yield importlib.import_module(f"{package.__name__}.{found.name}")
