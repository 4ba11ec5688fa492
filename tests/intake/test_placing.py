from __future__ import annotations

from pathlib import Path

import pytest

from generator.imported import Reported, Run
from generator.intake.placing import Arrived, Placed, identity, load_id, place, slug
from generator.store.level_file import Original

ORIGINAL = Original(file="x.json", sha256="00" * 32, bytes=1)


def arrived(run: Run) -> Arrived:
    return Arrived(run, ORIGINAL, Path("x.json"))


def counted(completed: int, given: int, made: int) -> tuple[Reported, ...]:
    return (
        Reported("completed", "completed", "1", completed),
        Reported("input_tokens_counted", "total_input_tokens", "tok", given),
        Reported("output_tokens_counted", "total_output_tokens", "tok", made),
    )


def places(*runs: Run, series: str | None = None) -> list[tuple[str, str, int]]:
    return [(p.series, p.level, p.trial) for p in place([arrived(run) for run in runs], series, {})]


@pytest.mark.parametrize(
    ("concurrency", "rate", "expected"),
    [(8, None, "c8"), (None, 2.5, "r2.5"), (8, 10, "r10-c8"), (None, None, "all-at-once")],
)
def test_a_level_is_named_after_its_load(concurrency: float | None, rate: float | None, expected: str) -> None:
    assert load_id(Run("toy", concurrency=concurrency, rate=rate)) == expected


def test_runs_of_one_load_are_trials_in_the_order_they_began() -> None:
    late, early = Run("toy", started="2026-02", concurrency=8), Run("toy", started="2026-01", concurrency=8)
    placed = place([arrived(late), arrived(early)], "a", {})

    assert [(p.arrived.run.started, p.trial) for p in placed] == [("2026-01", 1), ("2026-02", 2)]


def test_trials_follow_those_that_are_there() -> None:
    [placed] = place([arrived(Run("toy", concurrency=8))], "a", {("a", "c8"): 2})
    assert placed.trial == 3


def test_other_lengths_are_another_level() -> None:
    # 4 requests each: mean prompts of 100 and 1000 tokens; 102 is within 5 % of 100
    short, near = (
        Run("toy", concurrency=8, reported=counted(4, 400, 80)),
        Run("toy", concurrency=8, reported=counted(4, 408, 80)),
    )
    long = Run("toy", concurrency=8, reported=counted(4, 4000, 80))

    assert places(short, near, long, series="a") == [
        ("a", "c8-in100-out20", 1), ("a", "c8-in100-out20", 2), ("a", "c8-in1000-out20", 1),
    ]  # fmt: skip


def test_series_are_named_by_what_tells_them_apart() -> None:
    one = Run("toy", engine="vllm", model="acme/Big-8B", concurrency=1)
    other = Run("toy", engine="sglang", model="acme/Big-8B", concurrency=1)
    assert places(one, other) == [("vllm", "c1", 1), ("sglang", "c1", 1)]


def test_what_was_swept_on_the_server_makes_series() -> None:
    runs = [Run("toy", engine="openai", concurrency=1, swept={"max_num_seqs": n}) for n in ("4", "8")]
    assert places(*runs) == [("max_num_seqs-4", "c1", 1), ("max_num_seqs-8", "c1", 1)]


def test_a_lone_series_is_named_after_engine_and_model() -> None:
    assert places(Run("toy", engine="openai", model="acme/Big-8B")) == [("openai-big-8b", "all-at-once", 1)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [("acme/小模型-8B", "acme-8b"), ("../../etc", "etc"), ("<script>", "script"), ("小模型", "series"), ("", "series")],
)
def test_an_id_holds_nothing_that_leads_out_or_needs_escaping(words: str, expected: str) -> None:
    assert slug(words) == expected


def test_a_run_is_the_same_in_two_files() -> None:
    one = Run("toy", place="object 1", started="2026-01", concurrency=8, reported=counted(4, 400, 80))
    again = Run("toy", place="object 7", started="2026-01", concurrency=8, reported=tuple(reversed(one.reported)))
    other = Run("toy", started="2026-01", concurrency=8, reported=counted(4, 400, 81))

    assert identity(one) == identity(again) != identity(other)


def test_where_nothing_is_known_trials_keep_the_order_given() -> None:
    placed = place([arrived(Run("toy", label=name, concurrency=1)) for name in "ba"], "s", {})
    assert [(p.arrived.run.label, p.trial) for p in placed] == [("b", 1), ("a", 2)]
    assert all(isinstance(p, Placed) for p in placed)
