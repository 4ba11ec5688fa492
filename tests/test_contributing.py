"""The recipes of CONTRIBUTING.md work: followed in a copy of the tree, what they add is found and its tests pass."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.support.markdown import ROOT, blocks, links, slug

TEXT: Final = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PATH: Final = re.compile(r"# ((?:generator|tests)/\S+\.py)\n")
FILES: Final = {
    path[1]: block.text[path.end() :]
    for block in blocks(TEXT)
    if block.language == "python" and (path := PATH.match(block.text))
}
"""The files that the recipes write, by their paths."""
COPIED: Final = ("generator", "pyproject.toml", "site_src", "templates", "tests")
NAMED: Final = re.compile(r"`((?:docs|generator|runs|templates|tests)/[\w./-]+)`")
ADDED: Final = """
from generator.catalogue import load
from tests.support.memory_round import memory_round
from tests.support.telling import text_of

catalogue = load()
analysis = catalogue.analyse(memory_round({"s": {}}, of_series={"s": {"kv_pool_tokens": 4096, "kv_pool_bytes": 2**30}}))
assert catalogue.report("pools").lacks(analysis) is None
print(text_of(catalogue.sections["pool_sizes"].tell(analysis), analysis))
print(text_of(catalogue.figures["pools"].draw(analysis), analysis))
print(catalogue.importers["toy"].recognises(b'{"toy_version": 1, "ttft": {}}'))
print(catalogue.engines["toy_server"].launching.port)
"""
"""What a reader of the recipes would try: the report, its section and its figure, of a round with a pool."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the tree in which every recipe has been followed."""
    folder = tmp_path_factory.mktemp("followed")
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    (folder / "runs").symlink_to(ROOT / "runs")
    (folder / "docs").symlink_to(ROOT / "docs")
    for path, text in FILES.items():
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def python(folder: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_metric_and_a_check_that_follow_the_recipes_pass_their_tests(copy: Path) -> None:
    own = [path for path in FILES if path.startswith("tests/")]
    printed = python(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", *own)

    assert "5 passed" in printed  # one of the metric, four of the check


@pytest.mark.slow
def test_what_is_declared_by_the_recipes_is_found_and_holds(copy: Path) -> None:
    named = "slots_filled or unanswered"
    printed = python(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_declarations.py", "-k", named)

    assert "passed" in printed


@pytest.mark.slow
def test_a_report_its_section_and_its_figure_tell_a_round(copy: Path) -> None:
    assert python(copy, "-c", ADDED).splitlines() == [
        "KV pools",
        "The KV pool of s holds 4,096 tok.",
        "The KV pool of each series",
        "In GiB.",
        "2",
        "9000",
    ]


@pytest.mark.slow
def test_the_recipes_are_written_as_the_linters_want(copy: Path) -> None:
    python(copy, "-m", "ruff", "check", "--no-cache", *FILES)
    python(copy, "-m", "ruff", "format", "--no-cache", "--check", *FILES)


def test_every_file_that_is_named_exists() -> None:
    found = set(NAMED.findall(TEXT))

    assert len(found) > 30
    assert {name for name in found - set(FILES) if not (ROOT / name).exists()} == set()


def test_every_recipe_has_a_real_example() -> None:
    headings = [slug(heading) for heading in re.findall(r"^## (An? .*)$", TEXT, re.MULTILINE)]

    assert {f"#{heading}" for heading in headings} <= set(links(TEXT))
    assert len(headings) == 11
