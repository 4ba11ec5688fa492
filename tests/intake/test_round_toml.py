from __future__ import annotations

import datetime
import tomllib
from pathlib import Path
from typing import Any

import pytest

from generator.declared.round_tables import RoundFile
from generator.intake.placing import Arrived, Placed
from generator.intake.round_toml import round_toml
from generator.runs.imported import Reported, Run
from generator.store.level_file import Original
from tests.support.toy_runs import requests_of


def of(*runs: Run, series: str = "a") -> str:
    original = Original(file="x.json", sha256="00" * 32, bytes=1)
    placed = [Placed(Arrived(run, original, Path("x.json")), series, "c1", nth) for nth, run in enumerate(runs, 1)]
    return round_toml("", "mine", placed)


def counted(given: int, made: int) -> tuple[Reported, ...]:
    """Return the counts of a run of 4 requests."""
    return (
        Reported("completed", "completed", "1", 4),
        Reported("input_tokens_counted", "total_input_tokens", "tok", given),
        Reported("output_tokens_counted", "total_output_tokens", "tok", made),
    )


def parsed(text: str) -> dict[str, Any]:
    """Return what the file holds, once it has been found to be a round.toml."""
    found = tomllib.loads(text)
    RoundFile.model_validate(found, strict=False)
    return found


def test_the_title_is_the_name_of_the_folder_without_a_key_in_it() -> None:
    original = Original(file="x.json", sha256="00" * 32, bytes=1)
    placed = [Placed(Arrived(Run(tool="vllm"), original, Path("x.json")), "a", "c1", 1)]
    assert parsed(round_toml("", "run-sk-abcdefghijkl", placed))["round"]["title"] == {"zh": "run-***", "en": "run-***"}


def test_results_of_one_day_give_the_date() -> None:
    text = of(Run("toy", started="2026-03-01T10:00:00"), Run("toy", started="2026-03-01T23:00:00"))
    assert parsed(text)["round"]["date"] == datetime.date(2026, 3, 1)


def test_of_several_days_or_none_the_author_chooses() -> None:
    text = of(Run("toy", started="2026-03-01T10:00:00"), Run("toy", started="2026-03-04"))
    assert "# date = 2026-01-31   # the runs began from 2026-03-01 to 2026-03-04\n" in text
    assert "date" not in parsed(of(Run("toy", started="yesterday")))["round"]


def test_the_counted_means_are_suggestions() -> None:
    # 400 ÷ 4 = 100 tokens in; 81 ÷ 4 = 20.25 tokens out
    text = of(Run("toy", reported=counted(400, 81)))
    assert "# input_tokens = 100   # counted mean\n# output_tokens = 20.25   # counted mean\n" in text
    assert parsed(text)["workload"] == {}


def test_means_that_differ_give_their_range() -> None:
    # 100 and 1000 tokens in; out 20 in both
    text = of(Run("toy", reported=counted(400, 80)), Run("toy", reported=counted(4000, 80)))
    assert "# input_tokens = …   # counted means from 100 to 1000\n# output_tokens = 20   # counted mean\n" in text


def test_the_engine_is_written_where_all_results_of_the_series_name_one() -> None:
    assert parsed(of(Run("toy", engine="vllm"), Run("toy", engine="vllm")))["series"] == [{"id": "a", "engine": "vllm"}]
    for runs in ((Run("toy", engine="vllm"), Run("toy", engine="sglang")), (Run("toy"),)):
        assert parsed(of(*runs))["series"] == [{"id": "a"}]


def test_of_several_models_the_first_is_named_and_the_others_are_told() -> None:
    text = of(Run("toy", model="acme/A"), Run("toy", model="acme/B"), Run("toy", model="acme/C"))
    assert 'name = "acme/A"   # the results also name "acme/B", "acme/C"\n' in text
    assert parsed(text)["model"] == {"name": "acme/A"}


def test_each_key_of_the_shape_has_a_line_to_complete() -> None:
    lines = of(Run("toy")).splitlines()
    for key in ("layers", "kv_heads", "head_dim", "kv_dtype_bytes", "matmul_params", "memory_bandwidth_gb_s"):
        assert any(line.startswith(f"# {key} = …") for line in lines), key


def test_numbers_from_requests_are_measured() -> None:
    requests = requests_of([(0.0, 0.2, [50])])
    assert parsed(of(Run("toy", requests=requests)))["round"]["origin"] == "measured"
    assert "origin" not in parsed(of(Run("toy")))["round"]


@pytest.mark.parametrize("name", ['x"\n[evil]', "\x7f\x00", "x" * 500])
def test_names_out_of_files_make_no_other_toml(name: str) -> None:
    found = parsed(of(Run("toy", model="acme/A", engine=name), Run("toy", model=name, engine=name)))

    assert set(found) == {"schema", "round", "model", "hardware", "workload", "series"}
    assert found["series"] == [{"id": "a", "engine": name[:200]}]
