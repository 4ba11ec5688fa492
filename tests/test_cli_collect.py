"""``rounds collect``, ``new`` and ``doctor``: what a user types, and what is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli import main
from generator.collect import campaign
from generator.collect.calibrate import Calibration
from tests.support.model_configs import QWEN25_7B
from tests.support.plans import series, write_plan


def rounds(*arguments: str | Path) -> Result:
    """Run a command of the program; whatever it does not handle itself fails the test."""
    return CliRunner().invoke(main, [str(one) for one in arguments], catch_exceptions=False)


@pytest.fixture
def _calibrated(monkeypatch: pytest.MonkeyPatch) -> None:
    async def calibrated(_: int, __: object) -> Calibration:
        return Calibration(1, 20.0, 64, 0, {"p50": 5.0, "p99": 9.0, "max": 20.0}, 20.0, 20.0, 0.1, "kernel", 16, 0)

    monkeypatch.setattr(campaign, "calibrate", calibrated)
    monkeypatch.setattr(campaign, "probe_of", lambda _: None)


def test_a_dry_run_says_what_would_be_run_and_runs_nothing(tmp_path: Path) -> None:
    folder = write_plan(tmp_path / "r")
    done = rounds("collect", folder, "--dry-run")

    assert (done.exit_code, done.stdout.splitlines()) == (
        0,
        [
            "ref  c1  trial 1: C=1, 3 requests, 8 in, 5 out",
            "ref  c2  trial 1: C=2, 4 requests, 8 in, 5 out",
            "ref  c1  trial 2: C=1, 3 requests, 8 in, 5 out",
        ],
    )
    assert [path.name for path in folder.iterdir()] == ["round.toml"]


@pytest.mark.slow
@pytest.mark.usefixtures("_calibrated")
def test_a_plan_is_collected_and_the_site_shows_it(tmp_path: Path) -> None:
    folder = write_plan(tmp_path / "runs" / "r")
    done = rounds("collect", folder)

    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "3 runs collected, 0 series failed"
    built = rounds("site", "--runs", tmp_path / "runs", "--out", tmp_path / "site")
    assert (built.exit_code, built.stderr) == (0, "")
    assert rounds("check", folder).exit_code == 0


@pytest.mark.slow
@pytest.mark.usefixtures("_calibrated")
def test_a_server_that_is_not_there_fails_its_series(tmp_path: Path) -> None:
    folder = write_plan(tmp_path / "r", series(argv=None, endpoint="http://127.0.0.1:9").replace("reference", "openai"))
    done = rounds("collect", folder)

    assert done.exit_code == 1
    assert done.stderr.startswith("error: ref: ")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("levels", "said"),
    [
        ("", "[[level]]: plans no level for ref; add entries such as id"),
        ('[[level]]\nid = "x"\n', "[[level]] x: has neither concurrency nor rate; add one of them"),
        ('[[level]]\nid = "x"\nconcurrency = 1.5\n', "[[level]] x, concurrency: expected a whole number, found 1.5"),
    ],
)
def test_a_plan_with_a_gap_is_refused_in_one_line(tmp_path: Path, levels: str, said: str) -> None:
    done = rounds("collect", write_plan(tmp_path / "r", levels=levels), "--dry-run")

    assert done.exit_code == 1
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_key_that_is_not_set_is_said(tmp_path: Path) -> None:
    done = rounds("collect", write_plan(tmp_path / "r"), "--key-from", "NO_SUCH_VARIABLE")
    assert (done.exit_code, done.stderr) == (
        1, "error: --key-from: the variable 'NO_SUCH_VARIABLE' is not set; export it, or leave it out\n",
    )  # fmt: skip


def test_a_new_round_is_a_plan_that_can_be_read(tmp_path: Path) -> None:
    done = rounds("new", tmp_path / "mine")

    assert done.exit_code == 0
    assert rounds("collect", tmp_path / "mine", "--dry-run").stdout.startswith(
        "engine-a  c1  trial 1: C=1, 20 requests"
    )
    again = rounds("new", tmp_path / "mine")
    assert (again.exit_code, again.stderr) == (
        1, f"error: {tmp_path / 'mine' / 'round.toml'}: is there already; name a new folder\n",
    )  # fmt: skip


def test_the_doctor_says_what_is_here_and_what_is_missing() -> None:
    done = rounds("doctor")

    assert done.exit_code == 0
    assert all(line.startswith(("here   ", "missing", "         without it: ")) for line in done.stdout.splitlines())


def test_describe_keeps_the_architecture_of_a_model(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(QWEN25_7B), encoding="utf-8")
    (tmp_path / "r" / "s").mkdir(parents=True)

    done = rounds("describe", tmp_path, "--into", tmp_path / "r" / "s")

    assert done.exit_code == 0
    assert "qwen2, 28 layers, 7.616 billion parameters, 57,344 B of KV a token" in done.stdout
    assert (tmp_path / "r" / "s" / "architecture.json").is_file()


def test_describe_says_in_one_line_what_it_cannot_read(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "future"}', encoding="utf-8")

    unknown = rounds("describe", tmp_path / "config.json")
    nowhere = rounds("describe", tmp_path, "--into", tmp_path / "none")

    assert unknown.exit_code == nowhere.exit_code != 0
    assert "is 'future', whose layers are not known here" in unknown.stderr
    assert len(unknown.stderr.splitlines()) == 1
