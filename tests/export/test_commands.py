"""``rounds export``: what a user types, and what lies on disk afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli import main
from generator.text import counted

RUNS = Path(__file__).parents[2] / "runs"


def rounds(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments], catch_exceptions=False)


@pytest.mark.parametrize(
    ("shape", "names"),
    [
        ("csv", {"values.csv"}),
        ("parquet", {"values.parquet"}),
        ("benchmark-report", {"vllm-bf16/c8.yaml", "llamacpp-q4_k_m/c64.yaml"}),
    ],
)
def test_files_are_written_where_they_are_wanted(tmp_path: Path, shape: str, names: set[str]) -> None:
    done = rounds("export", RUNS / "round-2", "--format", shape, "--out", tmp_path / "out")

    written = {
        path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*") if path.is_file()
    }
    assert (done.exit_code, done.stderr) == (0, "")
    assert names <= written
    assert done.stdout.startswith(counted("{n} {n:file|files} written to ", n=len(written)))


def test_without_a_folder_they_go_to_one_named_like_the_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rounds("export", RUNS / "round-2", "--format", "csv")

    assert (tmp_path / "export/round-2/values.csv").is_file()


def test_an_export_may_be_written_anew(tmp_path: Path) -> None:
    for _ in range(2):
        assert rounds("export", RUNS / "round-2", "--format", "csv", "--out", tmp_path).exit_code == 0


def test_a_round_is_not_written_into(tmp_path: Path) -> None:
    done = rounds("export", RUNS / "round-2", "--format", "csv", "--out", RUNS / "round-2" / "out")

    assert done.exit_code == 1
    assert "lies in the folder of the round itself" in done.stderr
    assert not (RUNS / "round-2" / "out").exists()


@pytest.mark.parametrize(
    ("folder", "out", "why"),
    [("nowhere", "x", "there is no such folder"), (str(RUNS / "round-2"), "file", "cannot be written")],
)
def test_what_cannot_be_done_is_one_line(tmp_path: Path, folder: str, out: str, why: str) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = rounds("export", tmp_path / folder, "--format", "csv", "--out", tmp_path / out)

    assert done.exit_code == 1
    assert why in done.stderr
    assert done.stderr.count("\n") == 1
