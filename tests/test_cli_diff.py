"""``rounds diff``: what a user types, what is said, and how it ends."""

from __future__ import annotations

import json
import re
import shutil
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


def dated(folder: Path, day: str) -> None:
    """Let a round declare its day."""
    path = folder / "round.toml"
    text = re.sub("date = .*\n", "", path.read_text(encoding="utf-8"))
    path.write_text(text.replace("[round]\n", f"[round]\ndate = {day}\n", 1), encoding="utf-8")


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
    assert "Primary metric: output throughput (default setting). Verdict: worse" in done.stdout
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
    assert "Equivalence margin: ±2.0% (set in round.toml of head: the contract)." in rounds("diff", base, head).stdout
    assert (
        "Equivalence margin: ±10.0% (set on the command line)." in rounds("diff", base, head, "--margin", "10%").stdout
    )


def test_a_margin_of_one_metric_is_said_with_who_set_it(base: Path, tmp_path: Path) -> None:
    head = measured(tmp_path / "head", STEADY, "margins = { ttft = 0.02 }\nthresholds = { itl = 0.1 }")
    done = rounds("diff", base, head, "--margin", "ttft_p99=30%")
    lines = done.stdout.splitlines()
    at = lines.index("Equivalence margin: ±5.0% (default setting).")
    assert lines[at : at + 4] == [
        "Equivalence margin: ±5.0% (default setting).",
        "Equivalence margin of TTFT p99: ±30.0% (set on the command line).",
        "Equivalence margin of TTFT: ±2.0% (set in round.toml of head).",
        "Noise bound of ITL between single runs: ±10.0% (set in round.toml of head).",
    ]
    found = json.loads(rounds("diff", base, head, "--margin", "ttft_p99=30%", "--format", "json").stdout)
    margins = {row["metric"]: row["margin"] for row in found["rows"]}
    assert (margins["ttft_p50"], margins["ttft_p99"], margins["output_throughput"]) == (0.02, 0.3, 0.05)
    assert [(one["of"], one["value"]) for one in found["margins"]] == [("ttft_p99", 0.3), ("ttft", 0.02)]


def test_a_threshold_moves_what_counts_as_noise_between_single_runs(tmp_path: Path) -> None:
    base, head = measured(tmp_path / "one", [10.0]), measured(tmp_path / "other", [10.8])
    # 300 tok in 10.8 s instead of 10.0 s: −7.4 %, beyond 5 % and within 10 %.
    leaning = "▽ possibly worse  vLLM C=8 output throughput"
    assert leaning in rounds("diff", base, head).stdout
    assert leaning not in rounds("diff", base, head, "--threshold", "10%").stdout
    assert leaning not in rounds("diff", base, head, "--threshold", "output_throughput=10%").stdout
    assert leaning in rounds("diff", base, head, "--threshold", "ttft=10%").stdout


def renamed(folder: Path, series: str, more: str = "") -> Path:
    """Give the series of a round another id."""
    (folder / "a").rename(folder / series)
    text = TOML.format(more=more).replace('id = "a"', f'id = "{series}"')
    (folder / "round.toml").write_text(text, encoding="utf-8")
    return folder


def test_series_of_other_ids_are_paired_only_where_somebody_says_so(base: Path, slower: Path) -> None:
    head = renamed(slower, "b")
    done = rounds("diff", base, head)
    assert done.exit_code == 4
    assert "Only base has a.\n  Only slower has b." in done.stdout
    assert "say so: --pair a=b, or pairs in [round] of round.toml" in done.stdout

    done = rounds("diff", base, head, "--pair", "a=b", "--fail-on", "worse")
    assert done.exit_code == 3
    assert "b of the head is compared with a of the base (set on the command line)." in done.stdout
    assert "▼ worse  a → b C=8 output throughput: 30.0 → 25.0 tok/s" in done.stdout


def test_a_round_names_its_pairs_and_the_swapped_rounds_mirror(base: Path, slower: Path) -> None:
    head = renamed(slower, "b", 'pairs = { a = "b" }')
    assert rounds("diff", base, head, "--fail-on", "worse").exit_code == 3
    back = rounds("diff", head, base)
    assert "a of the head is compared with b of the base (set in round.toml of slower)." in back.stdout
    assert "▲ better  b → a C=8 output throughput: 25.0 → 30.0 tok/s" in back.stdout
    (pair,) = json.loads(rounds("diff", base, head, "--format", "json").stdout)["series"]
    assert (pair["base_series"], pair["series"]) == ("a", "b")


def test_json_markdown_and_junit_say_the_same(base: Path, slower: Path) -> None:
    found = json.loads(rounds("diff", base, slower, "--format", "json").stdout, parse_constant=pytest.fail)
    (row,) = [one for one in found["rows"] if one["metric"] == "output_throughput"]
    assert (row["verdict"], row["base"]["trials"], found["schema"]) == ("worse", 5, 1)
    assert "▼ worse" in rounds("diff", base, slower, "--format", "markdown").stdout
    suite = fromstring(rounds("diff", base, slower, "--format", "junit").stdout)  # noqa: S314  # our own text
    assert suite.find("testcase[@name='output_throughput']/failure") is not None


def test_rounds_before_are_those_before_in_the_order_of_the_list(tmp_path: Path) -> None:
    """r2 … r12 come before r13, as numbers do; a round that comes after both is none of them."""
    for at in range(1, 13):
        measured(tmp_path / f"r{at}", [10.0 if at % 2 else 11.0])
    base, head = measured(tmp_path / "r13", [10.0]), measured(tmp_path / "r14", [10.8])
    assert "▽" not in rounds("diff", base, head, "--history", tmp_path).stdout
    # Of r1 to r3 alone there are two changes, where ten are needed.
    assert "▽" in rounds("diff", base, tmp_path / "r4", "--history", tmp_path).stdout


def test_rounds_before_are_those_of_earlier_days_whatever_their_ids(tmp_path: Path) -> None:
    """z0 … z11 are of days before the two that are compared, though their ids come behind."""
    for at in range(12):
        dated(measured(tmp_path / f"z{at}", [10.0 if at % 2 else 11.0]), f"2026-01-{at + 1:02}")
    base, head = measured(tmp_path / "b", [10.0]), measured(tmp_path / "a", [10.8])
    dated(base, "2026-02-01")
    dated(head, "2026-02-02")
    assert "▽" not in rounds("diff", base, head, "--history", tmp_path).stdout
    dated(base, "2025-12-01")  # now they are all later than the base
    assert "▽" in rounds("diff", base, head, "--history", tmp_path).stdout


def test_rounds_of_another_model_do_not_crowd_out_those_of_this_one(tmp_path: Path) -> None:
    for at in range(12):
        measured(tmp_path / f"a{at:02}", [10.0 if at % 2 else 11.0])
    for at in range(41):
        other = measured(tmp_path / f"b{at:02}", [10.0]) / "round.toml"
        other.write_text(other.read_text(encoding="utf-8").replace("Small-1B", "Big-9B"), encoding="utf-8")
    base, head = measured(tmp_path / "c1", [10.0]), measured(tmp_path / "c2", [10.8])
    assert "▽" not in rounds("diff", base, head, "--history", tmp_path).stdout


def test_an_earlier_round_that_cannot_be_read_is_left_out_with_a_line(base: Path, slower: Path, tmp_path: Path) -> None:
    (tmp_path / "a-broken").mkdir()
    done = rounds("diff", base, slower, "--history", tmp_path)
    assert done.exit_code == 0
    (line,) = done.stderr.splitlines()
    assert line.startswith("note: left out of --history: ")
    assert "a-broken" in line


def lost(folder: Path) -> Path:
    """Write a round of three trials in which every request failed."""
    measured(folder, STEADY[:3])
    for path in folder.rglob("result.json"):
        told = {**RESULT, "completed": 0, "failed": 100, "duration": 10.0, "output_throughput": 0.1}
        path.write_text(json.dumps(told), encoding="utf-8")
    return folder


def test_a_head_that_failed_wholly_does_not_pass_a_gate(base: Path, tmp_path: Path) -> None:
    dead = lost(tmp_path / "dead")
    done = rounds("diff", base, dead, "--fail-on", "worse")
    assert "! dead failed" in done.stdout
    assert done.exit_code == 3
    suite = fromstring(rounds("diff", base, dead, "--format", "junit").stdout)  # noqa: S314  # our own text
    assert suite.find("testcase[@classname='gate']/failure") is not None
    assert rounds("diff", base, dead).exit_code == 0  # nobody asked for a gate


def curve(folder: Path, durations: dict[int, float], shares: tuple[float, ...] = (1.0, 1.01, 0.99)) -> Path:
    """Write a round of several levels, a trial for each share, by the seconds that 300 tok took."""
    for concurrency, duration in durations.items():
        measured(folder, [duration * share for share in shares])
        for trial in (folder / "a" / "levels" / "c8").iterdir():
            told = json.loads((trial / "result.json").read_text(encoding="utf-8"))
            where = folder / "a" / "levels" / f"l{concurrency}" / trial.name
            where.mkdir(parents=True)
            text = json.dumps({**told, "max_concurrency": concurrency})
            (where / "result.json").write_text(text, encoding="utf-8")
        shutil.rmtree(folder / "a" / "levels" / "c8")
    return folder


def test_a_level_that_its_dip_spoils_is_still_compared(tmp_path: Path) -> None:
    """30, 60 and 120 tok/s become 30, 25 and 120: of two runs a verdict is never firm, spoilt or not."""
    base = curve(tmp_path / "sound", {4: 10.0, 8: 5.0, 16: 2.5}, (1.0, 1.01))
    head = curve(tmp_path / "dipped", {4: 10.0, 8: 12.0, 16: 2.5}, (1.0, 1.01))
    done = rounds("diff", base, head, "--fail-on", "worse")
    # Medians of 300 tok ÷ (5 and 5.05 s), and ÷ (12 and 12.12 s).
    assert "▽ possibly worse  vLLM C=8 output throughput: 59.7 → 24.9 tok/s" in done.stdout
    assert "In dipped this level failed a self-check: Dips in throughput." in done.stdout
    assert "Verdict: inconclusive" in done.stdout


def test_a_dip_that_three_runs_agree_on_is_worse_without_reserve(tmp_path: Path) -> None:
    base = curve(tmp_path / "sound", {4: 10.0, 8: 5.0, 16: 2.5})
    head = curve(tmp_path / "dipped", {4: 10.0, 8: 12.0, 16: 2.5})
    done = rounds("diff", base, head, "--fail-on", "worse")
    assert "▼ worse  vLLM C=8 output throughput: 60.0 → 25.0 tok/s (−58.3%)" in done.stdout
    assert done.exit_code == 3
    assert rounds("diff", head, base, "--fail-on", "any-worse").exit_code == 0


def test_levels_that_are_not_in_the_gate_are_counted_beside_it(tmp_path: Path) -> None:
    base = curve(tmp_path / "whole", {4: 10.0, 8: 5.0, 16: 2.5})
    head = curve(tmp_path / "part", {4: 10.0, 8: 5.0})
    assert "(1 level not compared)" in rounds("diff", base, head).stdout


def test_a_gate_that_has_nothing_to_look_at_does_not_pass(base: Path, slower: Path) -> None:
    done = rounds("diff", base, slower, "--primary", "e2el_p99", "--fail-on", "worse")
    assert "Verdict: in neither round" in done.stdout
    assert done.exit_code == 4


def test_the_same_data_under_another_name_are_not_comparable(base: Path, tmp_path: Path) -> None:
    other = measured(tmp_path / "other", STEADY) / "round.toml"
    other.write_text(other.read_text(encoding="utf-8").replace("Small-1B", "Big-9B"), encoding="utf-8")
    done = rounds("diff", base, other.parent)
    assert done.exit_code == 4
    assert "identical, and what is said of them is not: one of them at least is mislabelled." in done.stdout
    assert "= identical" not in done.stdout


def test_rounds_of_different_models_end_not_comparable_with_the_reason() -> None:
    done = rounds("diff", RUNS / "round-1", RUNS / "cpu-llamacpp", "--fail-on", "worse")
    assert done.exit_code == 4
    assert "model (Qwen2.5-7B-Instruct → gemma-3-270m), input tokens (1024 → 128)" in done.stdout
    assert "▼" not in done.stdout


def test_a_round_against_itself_is_identical(base: Path) -> None:
    done = rounds("diff", base, base, "--fail-on", "any-worse")
    assert (done.exit_code, done.stdout.splitlines()[0]) == (
        0, "base compared with base: Identical: both rounds are the same data",
    )  # fmt: skip


def test_noise_is_learnt_from_the_rounds_before(tmp_path: Path) -> None:
    """Ten changes of about 10 % from round to round, which five per cent would not cover."""
    for at in range(12):
        measured(tmp_path / f"r{at:02}", [10.0 if at % 2 else 11.0])
    base, head = measured(tmp_path / "s1", [10.0]), measured(tmp_path / "s2", [10.8])
    assert "▽ possibly worse" in rounds("diff", base, head).stdout
    assert "▽" not in rounds("diff", base, head, "--history", tmp_path).stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--margin", "wide"], "--margin: 'wide' is no share; write it as 0.02, or as 2%"),
        (["--margin", "nan"], "--margin: 'nan' is no share"),
        (["--margin", "1_0%"], "--margin: '1_0%' is no share; write it as 0.02, or as 2%"),
        (["--intended", "engin"], "--intended: there is no setting 'engin'; did you mean 'engine'?"),
        (["--margin", "itl=wide"], "--margin: 'wide' is no share; write it as 0.02, or as 2%"),
        (["--margin", "itll=2%"], "--margin: there is no metric 'itll' of a level; did you mean 'itl'?"),
        (["--margin", "1%", "--margin", "2%"], "--margin: names a share of all metrics twice; keep one of them"),
        (["--threshold", "itl=1%", "--threshold", "itl=2%"], "--threshold: names a share of 'itl' twice"),
        (["--pair", "a"], "--pair: 'a' is no pair; write the series of both rounds as BASE=HEAD"),
        (["--pair", "a=b"], "--pair: base has no series 'b'; "),
        (["--pair", "a=a", "--pair", "a=b"], "--pair: 'a' is named twice; name each series once"),
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
