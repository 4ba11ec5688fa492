from __future__ import annotations

import importlib
import itertools
from pathlib import Path
from types import ModuleType

import pytest

import generator.checks
import generator.metrics
from generator.kinds import Check
from generator.registry import discover, discover_metrics, discover_themes

CHECK = """\
from generator.kinds import check
from generator.text import same
from generator.themes import RECORDS

@check(theme=RECORDS, title=same("title"), question=same("question"))
def {name}(analysis):
    return []
"""
METRICS = """\
from generator.kinds import observed
from generator.places import column
from generator.text import same
from generator.themes import LATENCY

THEME = LATENCY

def seen(key):
    return observed(
        key, scope="level", unit="1", places=[column(key, "1")], title=same(key), symbol=key, meaning=same(key)
    )

first = seen("first")
again = first
listed = tuple(seen(key) for key in ("second", "third"))
"""
names = (f"declared_{number}" for number in itertools.count())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a new package, which is imported under its name."""
    package = tmp_path / next(names)
    package.mkdir()
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    return package


def declare(folder: Path, **modules: str) -> ModuleType:
    for name, source in modules.items():
        (folder / f"{name}.py").write_text(source, encoding="utf-8")
    return importlib.import_module(folder.name)


def test_every_file_is_found_in_the_order_of_the_names(folder: Path) -> None:
    package = declare(folder, b=CHECK.format(name="b"), a=CHECK.format(name="a"))

    assert list(discover(package, Check)) == ["a", "b"]


def test_checks_of_the_package_are_found() -> None:
    found = discover(generator.checks, Check)

    assert "non_monotonic_throughput" in found
    assert all(check.key == key for key, check in found.items())


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("", id="nothing declared"),
        pytest.param(CHECK.format(name="other"), id="named unlike its file"),
        pytest.param(CHECK.format(name="a") + CHECK.format(name="b"), id="two declared"),
    ],
)
def test_file_declares_one_thing_of_its_name(folder: Path, source: str) -> None:
    with pytest.raises(TypeError, match=r"\.a must declare exactly one Check, named a"):
        discover(declare(folder, a=source), Check)


def test_metrics_are_found_once_and_in_order_also_inside_tuples(folder: Path) -> None:
    found = discover_metrics(declare(folder, family=METRICS))

    assert [metric.key for metric in found] == ["first", "second", "third"]


def test_metrics_of_the_package_are_found() -> None:
    keys = {metric.key for metric in discover_metrics(generator.metrics)}

    assert {"decode_floor", "itl_p50", "crossover_concurrency"} <= keys


def test_a_metric_is_about_what_its_family_is_about(folder: Path) -> None:
    themes = discover_themes(declare(folder, family=METRICS))

    assert {key: theme.key for key, theme in themes.items()} == dict.fromkeys(("first", "second", "third"), "latency")


def test_a_family_of_metrics_names_its_theme(folder: Path) -> None:
    package = declare(folder, family=METRICS.replace("THEME = LATENCY", ""))

    with pytest.raises(TypeError, match=r"\.family must say what its metrics are about"):
        discover_themes(package)
