from __future__ import annotations

import tomllib

import pytest

from generator.collect.new_round import new_round_toml
from generator.collect.round_plan import planned_runs, planned_series
from generator.declared.round_tables import RoundFile
from generator.store.round_file import _with_tuples


@pytest.mark.parametrize("name", ["mine", 'a "quoted" one', "小模型"])
def test_what_is_written_is_a_plan(name: str) -> None:
    file = RoundFile.model_validate(_with_tuples(tomllib.loads(new_round_toml(name))))

    assert file.round.title.en == name
    [series] = planned_series(file)
    runs = planned_runs(file, series, "round.toml")
    assert [(run.level, run.trial) for run in runs] == [("c1", 1), ("c8", 1), ("c1", 2), ("c8", 2)]
