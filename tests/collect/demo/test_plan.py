from __future__ import annotations

from pathlib import Path

import pytest

from generator.collect.demo import plan
from generator.collect.demo.plan import prepare
from generator.collect.demo.tiny_model import Precision
from generator.collect.round_plan import planned_runs, planned_series, requests_in_all
from generator.declared.round_tables import RoundFile
from generator.errors import InputError
from generator.store.round_file import ROUND_FILE, read_round_file


def with_extra(monkeypatch: pytest.MonkeyPatch, *, installed: bool) -> None:
    def model(precision: Precision) -> Path:
        return Path.home() / ".cache" / "rounds" / f"model-{precision}.gguf"

    monkeypatch.setattr(plan, "is_installed", lambda: installed)
    monkeypatch.setattr(plan, "tiny_model", model)


def prepared(folder: Path) -> RoundFile:
    prepare(folder)
    return read_round_file(folder)


def test_with_the_extra_llama_cpp_is_measured_in_both_precisions(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with_extra(monkeypatch, installed=True)
    assert prepare(tmp_path / "demo") == "llamacpp"
    file = read_round_file(tmp_path / "demo")
    assert [(one.id, one.kind, one.precision) for one in planned_series(file)] == [
        ("llamacpp-f16", "llamacpp", "F16"),
        ("llamacpp-q8_0", "llamacpp", "Q8_0"),
    ]
    assert file.round.baseline == "llamacpp-f16"
    # 32 weights of Q8_0: 32 bytes, and one factor of 2 bytes.
    assert [one.weight_dtype_bytes for one in file.series] == [2, 1.0625]


def test_without_the_extra_the_simulated_server_is_and_the_title_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with_extra(monkeypatch, installed=False)
    assert prepare(tmp_path) == "reference"
    file = read_round_file(tmp_path)
    assert {one.kind for one in file.series} == {"reference"}
    assert "模拟" in file.round.title.zh
    assert "simulated" in file.round.title.en
    assert all("simulated" in (one.engine or "") for one in file.series)


@pytest.mark.parametrize("installed", [True, False])
def test_the_plan_has_few_requests_and_up_to_four_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, installed: bool
) -> None:
    with_extra(monkeypatch, installed=installed)
    file = prepared(tmp_path)
    for series in planned_series(file):
        runs = planned_runs(file, series, ROUND_FILE)
        assert [run.concurrency for run in runs] == [1, 2, 4, 1, 2, 4]
        # Two trials of 20 + 40 + 80, and one cold request before each run.
        assert requests_in_all(runs) == 2 * (20 + 40 + 80 + 3)
        assert series.slots == 4
        # The context of all slots holds what four requests need: 4 × (64 + 64).
        assert (series.kv_pool_tokens or 512) >= 4 * (64 + 64)


def test_no_path_of_this_machine_is_in_the_plan(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with_extra(monkeypatch, installed=True)
    argv = prepared(tmp_path).series[0].argv or ()
    assert argv[0] == "{python}"
    assert argv[argv.index("--model") + 1] == "~/.cache/rounds/model-F16.gguf"
    assert str(Path.home()) not in (tmp_path / ROUND_FILE).read_text(encoding="utf-8")


def test_a_plan_that_is_there_stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with_extra(monkeypatch, installed=False)
    prepare(tmp_path)
    before = (tmp_path / ROUND_FILE).read_bytes()
    with_extra(monkeypatch, installed=True)
    assert prepare(tmp_path) == "reference"
    assert (tmp_path / ROUND_FILE).read_bytes() == before


def test_a_folder_that_cannot_be_written_gets_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with_extra(monkeypatch, installed=False)
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(InputError, match=r"round\.toml: cannot be written \(.*\); choose another folder"):
        prepare(tmp_path / "file" / "demo")
