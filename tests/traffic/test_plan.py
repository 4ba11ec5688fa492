from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from generator.collect.dataset import read_dataset
from generator.errors import InputError
from generator.store.round_file import read_round_file
from generator.traffic import plan
from generator.traffic.describing import profile_of
from generator.traffic.gathering import gather
from generator.traffic.plan import Plan, plan_of
from tests.support.loads import ACCESS, BURSTGPT, EVEN, SHAREGPT, put, trace_of


def planned(path: Path, *, fitted: bool = False, window: float = 1.0) -> Plan:
    traffic = gather([path], None)
    return plan_of(traffic, profile_of(traffic, window), "trace.jsonl", fitted=fitted)


def levels_of(made: Plan) -> list[dict[str, Any]]:
    levels: list[dict[str, Any]] = tomllib.loads(made.text)["level"]
    return levels


def test_a_replay_is_a_round_that_collect_reads(tmp_path: Path) -> None:
    made = planned(put(tmp_path, trace_of(EVEN)))
    assert made.trace is not None
    put(tmp_path, made.text, "round.toml")
    put(tmp_path, made.trace, "trace.jsonl")

    workload = read_round_file(tmp_path).workload
    assert (workload.arrival, workload.dataset_file) == ("trace", "trace.jsonl")
    dataset = read_dataset(tmp_path, workload.dataset_file)
    assert dataset is not None
    assert [(row.at, row.input_tokens, row.output_tokens) for row in dataset.rows] == list(EVEN)
    # 40 gaps of 0.5 s: 2 a second, and half and twice of that
    assert [level["rate"] for level in levels_of(made)] == [1.0, 2.0, 4.0]


def test_of_a_long_load_its_busiest_stretch_is_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "MOST_REPLAYED", 3)
    rows = [(0.0, 1, 1), (9.0, 2, 1), (10.0, 3, 1), (10.5, 4, 1), (20.0, 5, 1)]
    made = planned(put(tmp_path, trace_of(rows)))

    assert made.trace is not None
    told = [json.loads(line) for line in made.trace.splitlines()]
    assert [(one["timestamp"], one["input_length"]) for one in told] == [(0.0, 2), (1000.0, 3), (1500.0, 4)]


def test_a_fitted_plan_shows_its_fit(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    given, made = (np.maximum(1, rng.lognormal(mu, 0.7, 3000)).astype(int) for mu in (6, 4))
    at = np.cumsum(rng.gamma(0.25, 4.0, 3000))
    made_plan = planned(put(tmp_path, trace_of(list(zip(at, given.tolist(), made.tolist(), strict=True)))), fitted=True)
    put(tmp_path, made_plan.text, "round.toml")

    workload = read_round_file(tmp_path).workload
    assert made_plan.trace is None
    assert (workload.lengths, workload.arrival) == ("lognormal", "gamma")
    assert workload.length_spread == pytest.approx(0.7, rel=0.05)
    assert workload.burstiness == pytest.approx(0.25, rel=0.15)
    assert workload.input_tokens == pytest.approx(np.exp(6 + 0.7**2 / 2), rel=0.05)
    distances = [float(found) for found in re.findall(r"as planned (\d\.\d+)", made_plan.text)]
    assert len(distances) == 2
    assert max(distances) < 0.05
    assert [level["id"] for level in levels_of(made_plan)] == ["mean", "peak"]


def test_even_gaps_of_about_cv_one_are_planned_as_poisson(tmp_path: Path) -> None:
    at = np.cumsum(np.random.default_rng(5).exponential(1.0, 2000))
    made = planned(put(tmp_path, trace_of([(time, 100, 10) for time in at])), fitted=True)

    workload = tomllib.loads(made.text)["workload"]
    assert (workload["arrival"], workload["lengths"]) == ("poisson", "fixed")


def test_where_durations_are_known_there_is_a_level_of_that_concurrency(tmp_path: Path) -> None:
    # 2 requests in 40 s, 3 s each: 0.15 under way on average
    made = planned(put(tmp_path, BURSTGPT), fitted=True)

    assert [level.get("concurrency") for level in levels_of(made)] == [None, None, 1]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (SHAREGPT, "neither characters nor words are tokens; profile a source with numbers of tokens"),
        (ACCESS, "the sources give no numbers of tokens"),
    ],
)
def test_a_load_without_lengths_cannot_be_planned(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        planned(put(tmp_path, text))
