from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from generator.intake.mixing import Mixed, mixed
from generator.intake.placing import Arrived, Placed, There
from generator.runs.imported import Run
from generator.store.level_file import Original


def placed(*runs: tuple[Run, str, int], series: str = "a") -> Sequence[Placed]:
    original = Original(file="x.json", sha256="00" * 32, bytes=1)
    return [Placed(Arrived(run, original, Path("x.json")), series, level, trial) for run, level, trial in runs]


VLLM, SGLANG = Run("toy", engine="vllm"), Run("toy", engine="sglang")


def test_levels_that_differ_in_the_same_things_are_told_together() -> None:
    runs = placed((VLLM, "c1", 1), (SGLANG, "c1", 2), (VLLM, "c2", 1), (SGLANG, "c2", 2), (VLLM, "c4", 1))
    assert mixed(runs, []) == [Mixed("a", ("c1", "c2"), {"engine": ("sglang", "vllm")})]


def test_repetitions_are_not_mixed() -> None:
    assert mixed(placed((VLLM, "c1", 1), (VLLM, "c1", 2)), []) == []


def test_runs_that_are_there_count_at_their_own_level_only() -> None:
    present = [There(SGLANG, "a", "c1", "1"), There(SGLANG, "b", "c2", "1")]
    told = {"engine": ("sglang", "vllm")}
    assert mixed(placed((VLLM, "c1", 2), (VLLM, "c2", 1)), present) == [Mixed("a", ("c1",), told)]
