from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from generator.machines.records import Machine, RunTime
from generator.model import Round
from generator.told.findings import Finding
from generator.values import Source
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said

CHECK = "same_prompts"
LEVELS = {"c1": {"concurrency": 1.0}}


def described(a: Mapping[str, str], b: Mapping[str, str]) -> Round:
    round_ = memory_round({"a": LEVELS, "b": LEVELS})
    return replace(round_, described={("a", "c1", None): a, ("b", "c1", None): b})


def seeded(a: str, b: str) -> Round:
    def machine(seed: str) -> Machine:
        return Machine(runs=(RunTime("c1", None, None, None, None, Source("level.json", ""), seed),))

    return replace(memory_round({"a": LEVELS, "b": LEVELS}), machines={"a": machine(a), "b": machine(b)})


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_another_dataset_is_a_warning() -> None:
    round_ = described({"tool": "toy", "dataset_name": "random"}, {"tool": "toy", "dataset_name": "sharegpt"})
    finding = examine(round_)

    assert finding.status == "warn"
    text = said(finding, round_)
    assert "At C=1 the series did not have the same prompts: dataset_name is random on a and sharegpt on b" in text
    assert "dataset_name 在 a 为 random、b 为 sharegpt" in text


def test_answers_that_may_end_on_one_side_only_are_a_warning() -> None:
    assert examine(described({"ignore_eos": "true"}, {"ignore_eos": "false"})).status == "warn"


def test_names_of_two_tools_are_not_compared() -> None:
    assert examine(described({"tool": "x", "dataset": "random"}, {"tool": "y", "dataset": "synthetic"})).is_empty


def test_the_same_dataset_passes() -> None:
    finding = examine(described({"dataset": "random"}, {"dataset": "random"}))

    assert (finding.status, finding.is_empty) == ("pass", False)


def test_other_entries_are_none_of_its_business() -> None:
    assert examine(described({"backend": "vllm"}, {"backend": "openai"})).is_empty


def test_other_seeds_are_a_note() -> None:
    assert examine(seeded("1", "2")).status == "note"
    assert "At C=1 the series had other seeds" in said(examine(seeded("1", "2")), seeded("1", "2"))


def test_one_seed_passes() -> None:
    assert examine(seeded("7", "7")).status == "pass"
