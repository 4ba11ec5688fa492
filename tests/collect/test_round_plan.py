from __future__ import annotations

from pathlib import Path

import pytest

from generator.collect.round_plan import PlannedRun, planned_runs, planned_series, requests_in_all, seed_of
from generator.errors import InputError
from tests.collect.planning import SERIES, round_file

LENGTHS = "input_tokens = 64\noutput_tokens = 32"
TWO_LEVELS = """\
[[level]]
id = "c4"
concurrency = 4
trials = 2
[[level]]
id = "c1"
concurrency = 1
requests = 10
trials = 3
"""


def plan(
    folder: Path, workload: str = LENGTHS, levels: str = TWO_LEVELS, series: str = SERIES
) -> tuple[PlannedRun, ...]:
    file = round_file(folder, workload, levels, series)
    return planned_runs(file, file.series[0], "round.toml")


def test_every_level_runs_once_before_any_is_repeated(tmp_path: Path) -> None:
    runs = plan(tmp_path)
    assert [(run.level, run.trial) for run in runs] == [("c1", 1), ("c4", 1), ("c1", 2), ("c4", 2), ("c1", 3)]
    assert runs[0].place == "levels/c1/1"


def test_levels_of_a_rate_come_after_those_of_a_concurrency(tmp_path: Path) -> None:
    levels = "".join(
        f'[[level]]\nid = "{name}"\n{load}\n'
        for name, load in (
            ("r9", "rate = 9"),
            ("c8", "concurrency = 8"),
            ("r2", "rate = 2.5"),
            ("c2", "concurrency = 2"),
        )
    )
    assert [run.level for run in plan(tmp_path, levels=levels)] == ["c2", "c8", "r2", "r9"]


def test_a_level_without_a_number_of_requests_has_ten_for_each_in_flight_and_twenty_at_least(tmp_path: Path) -> None:
    levels = (
        '[[level]]\nid = "c1"\nconcurrency = 1\n[[level]]\nid = "c4"\nconcurrency = 4\n[[level]]\nid = "r"\nrate = 3\n'
    )
    # 10 × 1 = 10 is fewer than 20; 10 × 4 = 40; a rate has no slots.
    assert [run.requests for run in plan(tmp_path, levels=levels)] == [20, 40, 20]


def test_the_requests_before_the_clock_are_counted_too(tmp_path: Path) -> None:
    runs = plan(tmp_path, f"{LENGTHS}\ncold_requests = 2\nwarm_requests = 3")
    # c1: 3 × (10 + 5) = 45; c4: 2 × (40 + 5) = 90.
    assert requests_in_all(runs) == 135
    assert runs[0].in_all == 15


def test_a_level_may_have_lengths_of_its_own(tmp_path: Path) -> None:
    levels = '[[level]]\nid = "long"\nconcurrency = 1\ninput_tokens = 4096\n'
    [run] = plan(tmp_path, levels=levels)
    assert (run.input_tokens, run.output_tokens) == (4096, 32)


def test_no_two_runs_share_a_seed_and_series_do(tmp_path: Path) -> None:
    two = f'{SERIES}[[series]]\nid = "other"\nkind = "reference"\n'
    file = round_file(tmp_path, LENGTHS, TWO_LEVELS, two)
    one, other = (planned_runs(file, series, "") for series in file.series)
    assert len({run.seed for run in one}) == len(one) == 5
    assert [run.seed for run in one] == [run.seed for run in other]


def test_seeds_depend_on_the_seed_of_the_round_the_level_and_the_trial() -> None:
    seeds = {seed_of(seed, level, trial) for seed in (0, 1) for level in ("c1", "c11", "c1/1") for trial in (1, 2, 11)}
    assert len(seeds) == 18
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_runs_draw_from_places_of_a_dataset_that_do_not_overlap(tmp_path: Path) -> None:
    runs = plan(tmp_path, f"{LENGTHS}\ncold_requests = 1")
    places = {(run.level, run.trial): (run.offset, run.offset + run.in_all) for run in runs}
    # In the order of the file: c4 twice with 40 + 1 requests, then c1 three times with 10 + 1.
    assert places == {
        ("c4", 1): (0, 41), ("c4", 2): (41, 82), ("c1", 1): (82, 93), ("c1", 2): (93, 104), ("c1", 3): (104, 115),
    }  # fmt: skip


def test_a_level_of_another_series_alone_shifts_no_place(tmp_path: Path) -> None:
    two = f'{SERIES}[[series]]\nid = "other"\nkind = "reference"\n'
    levels = '[[level]]\nid = "c1"\nconcurrency = 1\nseries = ["other"]\n[[level]]\nid = "c2"\nconcurrency = 2\n'
    file = round_file(tmp_path, LENGTHS, levels, two)
    one, other = (planned_runs(file, series, "") for series in file.series)
    assert [(run.level, run.offset) for run in one] == [("c2", 21)]  # 20 + 1 cold
    assert [(run.level, run.offset) for run in other] == [("c1", 0), ("c2", 21)]


def test_a_series_is_planned_where_there_is_something_to_load(tmp_path: Path) -> None:
    series = (
        '[[series]]\nid = "table"\n[[series]]\nid = "started"\nargv = ["serve"]\n'
        '[[series]]\nid = "found"\nendpoint = "http://127.0.0.1:1"\n[[series]]\nid = "ours"\nkind = "reference"\n'
    )
    file = round_file(tmp_path, LENGTHS, TWO_LEVELS, series)
    assert [one.id for one in planned_series(file)] == ["started", "found", "ours"]


@pytest.mark.parametrize(
    ("workload", "levels", "line"),
    [
        (LENGTHS, "", "round.toml, [[level]]: plans no level for ref; add entries such as"),
        (LENGTHS, '[[level]]\nid = "x"\n', "[[level]] x: has neither concurrency nor rate; add one of them"),
        ("output_tokens = 1", TWO_LEVELS, "says no input_tokens, nor does [workload]; add input_tokens"),
        ("input_tokens = 1", TWO_LEVELS, "says no output_tokens, nor does [workload]; add output_tokens"),
        (LENGTHS, '[[level]]\nid = "x"\nconcurrency = 1.5\n', "x, concurrency: expected a whole number, found 1.5"),
        (LENGTHS, '[[level]]\nid = "x"\nrate = 1\nrequests = 2.5\n', "x, requests: expected a whole number, found 2.5"),
        (LENGTHS, '[[level]]\nid = "x"\nrate = 1\ntrials = 1.5\n', "x, trials: expected a whole number, found 1.5"),
        (LENGTHS, '[[level]]\nid = "x"\nrate = 1\n' * 2, "[[level]] x: stands there twice; give each level"),
        (f'{LENGTHS}\narrival = "trace"', TWO_LEVELS, "[workload] arrival: is a trace, and no file gives one; name it"),
    ],
)
def test_a_plan_with_a_gap_is_refused_in_one_line(tmp_path: Path, workload: str, levels: str, line: str) -> None:
    with pytest.raises(InputError) as error:
        plan(tmp_path, workload, levels)
    assert line in str(error.value)
