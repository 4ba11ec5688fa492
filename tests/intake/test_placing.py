from __future__ import annotations

from pathlib import Path

from generator.intake.placing import Arrived, Placed, Standing, There, identity, place
from generator.runs.imported import Reported, Run
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
    return [(p.series, p.level, p.trial) for p in place([arrived(run) for run in runs], series, Standing())]


def test_runs_of_one_load_are_trials_in_the_order_they_began() -> None:
    late, early = Run("toy", started="2026-02", concurrency=8), Run("toy", started="2026-01", concurrency=8)
    placed = place([arrived(late), arrived(early)], "a", Standing())

    assert [(p.arrived.run.started, p.trial) for p in placed] == [("2026-01", 1), ("2026-02", 2)]


def test_trials_follow_those_that_are_there() -> None:
    [placed] = place([arrived(Run("toy", concurrency=8))], "a", Standing(last={("a", "c8"): 2}))
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


def test_lengths_that_were_only_asked_for_tell_levels_apart_too() -> None:
    short, long = (
        Run("toy", concurrency=8, reported=(Reported("asked_input_tokens", "isl", "tok", asked),))
        for asked in (128.0, 1024.0)
    )
    assert places(short, long, series="a") == [("a", "c8-in128-out0", 1), ("a", "c8-in1024-out0", 1)]


def test_another_tool_is_another_series_and_no_trial() -> None:
    one, other = (Run(tool, engine="vllm", concurrency=8) for tool in ("Aa bench", "Bb"))
    assert places(one, other) == [("aa-bench", "c8", 1), ("bb", "c8", 1)]


def test_tests_without_a_server_are_levels_of_their_own() -> None:
    runs = [Run("toy", test=test, reported=(Reported("x", "x", "1", 1.0),)) for test in ("pp512", "tg128")]
    assert places(*runs, series="a") == [("a", "pp512", 1), ("a", "tg128", 1)]
    assert identity(runs[0]) != identity(runs[1])


def test_series_are_named_by_what_tells_them_apart() -> None:
    one = Run("toy", engine="vllm", model="acme/Big-8B", concurrency=1)
    other = Run("toy", engine="sglang", model="acme/Big-8B", concurrency=1)
    assert places(one, other) == [("vllm", "c1", 1), ("sglang", "c1", 1)]


def test_what_was_swept_on_the_server_makes_series() -> None:
    runs = [Run("toy", engine="openai", concurrency=1, swept={"max_num_seqs": n}) for n in ("4", "8")]
    assert places(*runs) == [("max_num_seqs-4", "c1", 1), ("max_num_seqs-8", "c1", 1)]


def test_a_lone_series_is_named_after_engine_and_model() -> None:
    assert places(Run("toy", engine="openai", model="acme/Big-8B")) == [("openai-big-8b", "all-at-once", 1)]


def test_a_run_is_the_same_in_two_files() -> None:
    one = Run("toy", place="object 1", started="2026-01", concurrency=8, reported=counted(4, 400, 80))
    again = Run("toy", place="object 7", started="2026-01", concurrency=8, reported=tuple(reversed(one.reported)))
    other = Run("toy", started="2026-01", concurrency=8, reported=counted(4, 400, 81))

    assert identity(one) == identity(again) != identity(other)


def test_where_nothing_is_known_trials_keep_the_order_given() -> None:
    placed = place([arrived(Run("toy", label=name, concurrency=1)) for name in "ba"], "s", Standing())
    assert [(p.arrived.run.label, p.trial) for p in placed] == [("b", 1), ("a", 2)]
    assert all(isinstance(p, Placed) for p in placed)


def there(run: Run, series: str, level: str) -> There:
    return There(run, series, level, "1")


def one_by_one(*runs: Run, series: str | None = None) -> list[tuple[str, str, int]]:
    """Return the places of runs that are imported one after another."""
    standing, placed = Standing(), []
    for run in runs:
        [one] = place([arrived(run)], series, standing)
        placed.append((one.series, one.level, one.trial))
        standing = Standing(
            there=(*standing.there, There(run, one.series, one.level, str(one.trial))),
            last={**standing.last, (one.series, one.level): one.trial},
        )
    return placed


def at_once(*runs: Run, series: str | None = None) -> list[tuple[str, str, int]]:
    """Return the places of runs that are imported together, in the order of the runs."""
    placed = place([arrived(run) for run in runs], series, Standing())
    return [next((p.series, p.level, p.trial) for p in placed if p.arrived.run is run) for run in runs]


def grouped(places_: list[tuple[str, str, int]]) -> list[int]:
    """Return which of the runs share a level: each level is the number of the first run in it."""
    levels = [place_[:2] for place_ in places_]
    return [levels.index(level) for level in levels]


def test_mean_lengths_that_round_alike_are_two_levels_all_the_same() -> None:
    # 10 requests: 10 ÷ 10 = 1.0 and 12 ÷ 10 = 1.2 tokens are 20 % apart, and both round to 1
    runs = [Run("toy", concurrency=8, reported=counted(10, tokens, 10)) for tokens in (10, 12)]
    assert places(*runs, series="a") == [("a", "c8-in1-out1", 1), ("a", "c8-in1-out1-2", 1)]


def test_lengths_part_levels_also_when_the_runs_come_one_by_one() -> None:
    runs = [Run("toy", concurrency=8, reported=counted(4, tokens, 80)) for tokens in (400, 4000, 408, 4008)]

    assert one_by_one(*runs, series="a") == [
        ("a", "c8", 1), ("a", "c8-in1000-out20", 1), ("a", "c8", 2), ("a", "c8-in1000-out20", 2),
    ]  # fmt: skip
    assert grouped(one_by_one(*runs, series="a")) == grouped(at_once(*runs, series="a")) == [0, 1, 0, 1]


def test_models_part_series_also_when_the_runs_come_one_by_one() -> None:
    runs = [Run("toy", engine="vllm", model=f"acme/{model}", concurrency=1) for model in ("m1", "m2", "m1", "m2")]

    assert one_by_one(*runs) == [("vllm-m1", "c1", 1), ("m2", "c1", 1), ("vllm-m1", "c1", 2), ("m2", "c1", 2)]
    assert grouped(one_by_one(*runs)) == grouped(at_once(*runs)) == [0, 1, 0, 1]


def test_labels_that_no_id_can_tell_apart_are_series_of_their_own() -> None:
    for labels in (("量化", "全精度"), ("a/q4+k", "a/q4-k"), ("x" * 61 + "1", "x" * 61 + "2")):
        first, second = (Run("toy", label=label, concurrency=1) for label in labels)
        (one, _, _), (other, _, _) = places(first, second)
        assert other == f"{one}-2"


def test_a_series_of_a_table_or_of_other_letters_is_not_taken() -> None:
    standing = Standing(tables=("vllm-m",), folders=("vllm-m", "VLLM-M-2", "prose"))
    [placed] = place([arrived(Run("toy", engine="vllm", model="m"))], None, standing)
    assert placed.series == "vllm-m-3"


def test_a_load_whose_id_has_another_load_gets_an_id_of_its_own() -> None:
    standing = Standing(there=(there(Run("toy", concurrency=16), "a", "c8"),))
    [placed] = place([arrived(Run("toy", concurrency=8))], "a", standing)
    assert placed.level == "c8-2"
