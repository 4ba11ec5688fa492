"""The plan that the manual explains is the one that `rounds collect` reads, and its examples are plans."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

import generator.collect
from generator.cli import main
from generator.reference.keys import keys_of, tables
from generator.reference.plan import PLAN
from generator.store.round_file import read_round_file
from tests.support.markdown import ROOT, blocks

COLLECT: Final = Path(generator.collect.__file__).parent
NOT_OF_THE_PLAN: Final = {
    "[[series]]": {"date", "engine", "host", "slots", "version", "weight_bytes"},
    "[workload]": {"dataset", "warm_up"},
}
"""Keys whose names the collector also uses of something else."""


@cache
def read_by_the_collector() -> set[str]:
    """Return the names of all attributes that the collector reads."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in COLLECT.rglob("*.py")]
    return {node.attr for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


@pytest.mark.parametrize("name", ["[[series]]", "[[level]]", "[workload]"])
def test_the_plan_is_the_keys_that_the_collector_reads(name: str) -> None:
    told = {key for table, keys in PLAN.values() if table == name for key in keys}
    there = {key.name for key in keys_of(tables()[name])}

    assert told == (there & read_by_the_collector()) - NOT_OF_THE_PLAN.get(name, set())


@pytest.mark.parametrize("document", ["plan.md", "plan.zh.md"])
def test_the_examples_are_plans_and_plan_what_is_printed(
    document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = blocks((ROOT / "docs" / document).read_text(encoding="utf-8"))
    plans, runs = ([one.text for one in found if one.language == language] for language in ("toml", "console"))

    assert len(plans) == len(runs) == 2
    for plan, run in zip(plans, runs, strict=True):
        path = Path(plan.splitlines()[0].removeprefix("# "))
        path.parent.mkdir(parents=True)
        path.write_text(plan, encoding="utf-8")
        command, _, printed = run.partition("\n")
        done = CliRunner().invoke(main, command.removeprefix("$ .venv/bin/rounds ").split(), catch_exceptions=False)
        assert (done.exit_code, done.output) == (0, printed)


def test_the_second_example_counts_goodput_of_arrivals_in_bursts(tmp_path: Path) -> None:
    _, plan = (one.text for one in blocks((ROOT / "docs" / "plan.md").read_text(encoding="utf-8"))
               if one.language == "toml")  # fmt: skip
    (tmp_path / "round.toml").write_text(plan, encoding="utf-8")
    file = read_round_file(tmp_path)

    assert file.workload.targets_ms == {"ttft": 500, "tpot": 40}
    assert (file.workload.arrival, file.workload.burstiness) == ("gamma", 0.5)
    assert [level.rate for level in file.level] == [2, 4, 8]


def test_both_languages_have_the_same_examples() -> None:
    english, chinese = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("plan.md", "plan.zh.md"))

    assert examples(english) == examples(chinese)


def examples(document: str) -> list[str]:
    return [one.text for one in blocks(document) if one.language]
