"""Finding what is declared: every module of a package is read, and what it declares is collected."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import TypeVar

from generator.kinds import Check, Engine, Figure, Importer, Metric
from generator.report_kinds import Report, Section
from generator.themes import Theme

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
    return tuple(metric for family in metric_families(package).values() for metric in family)


def metric_families(package: ModuleType) -> dict[str, tuple[Metric, ...]]:
    """Return the metrics of each file of a package, by its name, in order of declaration."""
    return {module.__name__.rpartition(".")[2]: tuple(_metrics(module)) for module in _modules(package)}


def _metrics(module: ModuleType) -> Iterable[Metric]:
    """Return what a module declares, once, also where it stands in several lists."""
    things = [thing if isinstance(thing, tuple) else (thing,) for thing in vars(module).values()]
    return {id(one): one for listed in things for one in listed if isinstance(one, Metric)}.values()


def discover_themes(package: ModuleType) -> dict[str, Theme]:
    """Return what each metric of a package is about, by its key: the ``THEME`` of the file that first declares it.

    Raises:
        TypeError: a family of metrics names no theme.
    """
    themes: dict[str, Theme] = {}
    for module in _modules(package):
        for metric in _metrics(module):
            theme = getattr(module, "THEME", None)
            if not isinstance(theme, Theme):
                raise TypeError(f"{module.__name__} must say what its metrics are about: THEME: Final = …")
            themes.setdefault(metric.key, theme)
    return themes


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    for found in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
        yield importlib.import_module(f"{package.__name__}.{found.name}")
