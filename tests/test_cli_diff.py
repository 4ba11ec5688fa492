"""``rounds diff``: what a user types, what is said, and how it ends."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final
from xml.etree.ElementTree import fromstring

import pytest
from click.testing import CliRunner, Result

from generator.cli import main
from tests.support.example_rounds import RUNS

TOML: Final = """\
schema = 1
[round]
title = {{ zh = "轮", en = "a round" }}
{more}
[model]
name = "Small-1B"
[workload]
input_tokens = 16
output_tokens = 3
[[series]]
id = "a"
engine = "vLLM"
argv = ["vllm", "serve", "acme/Small-1B"]
"""
RESULT: Final[dict[str, Any]] = {
    "date": "20260301-120000", "backend": "vllm", "model_id": "acme/Small-1B", "num_prompts": 100,
    "request_rate": "inf", "max_concurrency": 8, "completed": 100, "failed": 0, "total_input_tokens": 1600,
    "total_output_tokens": 300, "mean_ttft_ms": 150.0, "median_ttft_ms": 150.0, "p99_ttft_ms": 199.0,
}  # fmt: skip
STEADY: Final = (10.0, 10.1, 9.9, 10.05, 9.95)
"""Seconds that five trials took."""


def rounds(*arguments: str | Path) -> Result:
    """Run a command of the program; whatever it does not handle itself fails the test."""
    return CliRunner().invoke(main, [str(one) for one in arguments], catch_exceptions=False)


def measured(folder: Path, durations: Sequence[float], more: str = "") -> Path:
    """Write a round of one level at C=8, a trial a duration."""
    for trial, duration in enumerate(durations, start=1):
        where = folder / "a" / "levels" / "c8" / str(trial)
        where.mkdir(parents=True)
        told = {
            **RESULT,
            "duration": duration,
            "request_throughput": 100 / duration,
            "output_throughput": 300 / duration,
        }
        (where / "result.json").write_text(json.dumps(told), encoding="utf-8")
    (folder / "round.toml").write_text(TOML.format(more=more), encoding="utf-8")
    return folder


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return measured(tmp_path / "base", STEADY)


@pytest.fixture
def slower(tmp_path: Path) -> Path:
    return measured(tmp_path / "slower", [1.2 * one + 0.01 for one in STEADY])


def test_a_regression_fails_the_gate_and_only_where_it_is_asked_for(base: Path, slower: Path) -> None:
    assert rounds("diff", base, slower).exit_code == 0
    done = rounds("diff", base, slower, "--fail-on", "worse")
    assert done.exit_code == 3
    assert "The primary metric, output throughput (the default): worse" in done.stdout
    assert rounds("diff", slower, base, "--fail-on", "worse").exit_code == 0  # better


def test_noise_does_not_fail_the_gate(base: Path, tmp_path: Path) -> None:
    again = measured(tmp_path / "again", [9.98, 10.04, 10.08, 9.93, 10.01])
    assert rounds("diff", base, again, "--fail-on", "worse").exit_code == 0


def test_one_file_passed_off_as_several_trials_proves_nothing(base: Path, tmp_path: Path) -> None:
    copied = measured(tmp_path / "copied", [12.0, 12.0, 12.0])
    done = rounds("diff", base, copied, "--fail-on", "worse")
    assert done.exit_code == 0
    assert "Some of the trials are copies of one run, and count once." in done.stdout


def test_the_primary_metric_decides_unless_any_row_may(base: Path, slower: Path) -> None:
    arguments = ("diff", base, slower, "--primary", "ttft_p50", "--fail-on")
    assert rounds(*arguments, "worse").exit_code == 0  # TTFT is as it was
    assert rounds(*arguments, "any-worse").exit_code == 3


def test_the_margin_is_said_with_who_set_it(base: Path, tmp_path: Path) -> None:
    head = measured(tmp_path / "head", STEADY, 'margin = 0.02\nmargin_reason = { zh = "合同", en = "the contract" }')
    assert (
        "Less than 2.0% apart counts as the same (set in round.toml of head: the contract)."
        in rounds("diff", base, head).stdout
    )
    assert (
        "Less than 10.0% apart counts as the same (set on the command line)."
        in rounds("diff", base, head, "--margin", "10%").stdout
    )


def test_json_markdown_and_junit_say_the_same(base: Path, slower: Path) -> None:
    found = json.loads(rounds("diff", base, slower, "--format", "json").stdout, parse_constant=pytest.fail)
    (row,) = [one for one in found["rows"] if one["metric"] == "output_throughput"]
    assert (row["verdict"], row["base"]["trials"], found["schema"]) == ("worse", 5, 1)
    assert "▼ worse" in rounds("diff", base, slower, "--format", "markdown").stdout
    suite = fromstring(rounds("diff", base, slower, "--format", "junit").stdout)  # noqa: S314  # our own text
    assert suite.find("testcase[@name='output_throughput']/failure") is not None


def test_rounds_of_different_models_end_not_comparable_with_the_reason() -> None:
    done = rounds("diff", RUNS / "round-1", RUNS / "cpu-llamacpp", "--fail-on", "worse")
    assert done.exit_code == 4
    assert "model (Qwen2.5-7B-Instruct → gemma-3-270m), input tokens (1024 → 128)" in done.stdout
    assert "▼" not in done.stdout


def test_a_round_against_itself_is_identical(base: Path) -> None:
    done = rounds("diff", base, base, "--fail-on", "any-worse")
    assert (done.exit_code, done.stdout.splitlines()[0]) == (
        0, "base against base: Identical: both rounds are the same data",
    )  # fmt: skip


def test_noise_is_learnt_from_the_rounds_before(tmp_path: Path) -> None:
    """Ten changes of about 10 % from round to round, which five per cent would not cover."""
    for at in range(12):
        measured(tmp_path / f"r{at:02}", [10.0 if at % 2 else 11.0])
    base, head = measured(tmp_path / "s1", [10.0]), measured(tmp_path / "s2", [10.8])
    assert "▽ points to worse" in rounds("diff", base, head).stdout
    assert "▽" not in rounds("diff", base, head, "--history", tmp_path).stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--margin", "wide"], "--margin: 'wide' is no share; write it as 0.02, or as 2%"),
        (["--margin", "nan"], "--margin: 'nan' is no share"),
        (["--primary", "itl_p5"], "--primary: there is no metric 'itl_p5' of a level; did you mean"),
    ],
)
def test_what_cannot_be_meant_is_one_line(base: Path, arguments: list[str], said: str) -> None:
    done = rounds("diff", base, base, *arguments)
    assert done.exit_code == 1
    assert done.stderr.startswith(f"error: {said}")
    assert len(done.stderr.splitlines()) == 1


def test_a_folder_that_is_not_there_is_one_line(base: Path, tmp_path: Path) -> None:
    done = rounds("diff", base, tmp_path / "nowhere")
    assert (done.exit_code, len(done.stderr.splitlines())) == (1, 1)
