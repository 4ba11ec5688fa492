"""``rounds import``: what a user types, what is said, what lies on disk afterwards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from generator.cli import main

PLAIN: dict[str, Any] = {
    "date": "20260301-120000", "backend": "vllm", "model_id": "acme/Small-1B", "num_prompts": 4,
    "request_rate": "inf", "max_concurrency": 2, "duration": 2.0, "completed": 4, "failed": 0,
    "total_input_tokens": 64, "total_output_tokens": 12, "request_throughput": 2.0, "output_throughput": 6.0,
    "mean_ttft_ms": 150.0, "median_ttft_ms": 150.0, "p99_ttft_ms": 199.0,
}  # fmt: skip
"""A result as ``vllm bench serve --save-result`` writes it."""
DETAIL: dict[str, Any] = {
    "input_lens": [16] * 4, "output_lens": [3] * 4, "ttfts": [0.1, 0.2, 0.1, 0.2],
    "itls": [[0.05, 0.05]] * 4, "start_times": [100.0, 100.0, 100.5, 100.5], "errors": [""] * 4,
    "generated_texts": ["</script>"] * 4,
}  # fmt: skip


def rounds(*arguments: str | Path) -> Result:
    """Run a command of the program; whatever it does not handle itself fails the test."""
    return CliRunner().invoke(main, [str(one) for one in arguments], catch_exceptions=False)


def result(path: Path, **changed: Any) -> Path:
    path.write_text(json.dumps(PLAIN | changed), encoding="utf-8")
    return path


@pytest.fixture
def into(tmp_path: Path) -> Path:
    return tmp_path / "runs" / "mine"


def test_files_become_a_round_that_the_site_shows(tmp_path: Path, into: Path) -> None:
    files = [result(tmp_path / f"c{n}.json", max_concurrency=n, **DETAIL) for n in (1, 2)]
    done = rounds("import", *files, "--into", into, "--series", "ours")

    assert (done.exit_code, done.stdout.splitlines()) == (
        0,
        ["c1.json -> ours/levels/c1/1", "c2.json -> ours/levels/c2/1", "2 runs imported, 0 files refused"],
    )
    assert "now has ours; complete it (docs/rounds.md)" in done.stderr
    built = rounds("site", "--runs", into.parent, "--out", tmp_path / "site")
    assert (built.exit_code, built.stderr) == (0, "")
    assert (tmp_path / "site/en/rounds/mine/index.html").exists()


def test_numbers_are_taken_from_the_requests_and_the_client_s_own_stand_beside(tmp_path: Path, into: Path) -> None:
    rounds("import", result(tmp_path / "a.json", median_ttft_ms=140.0, **DETAIL), "--into", into)
    report = json.loads(rounds("analyse", into, "--format", "json").stdout)

    p50 = {v["basis"]: (v["value"], v["origin"]) for v in report["values"] if v["metric"] == "ttft_p50"}
    # 100, 100, 200, 200 ms: the median is 150
    assert p50[None] == (150.0, "measured")
    assert p50["reported"] == (140.0, "reported")


def test_no_text_of_an_answer_is_kept(tmp_path: Path, into: Path) -> None:
    rounds("import", result(tmp_path / "a.json", **DETAIL), "--into", into)

    assert not [path for path in into.rglob("*") if path.is_file() and b"</script>" in path.read_bytes()]


def test_what_cannot_be_read_is_said_and_the_rest_imported(tmp_path: Path, into: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello", encoding="utf-8")
    done = rounds("import", result(tmp_path / "a.json"), tmp_path / "notes.txt", "--into", into)

    assert done.exit_code == 1
    assert done.stdout.splitlines()[-1] == "1 run imported, 1 file refused"
    assert "notes.txt: is of no known format; it is text without a table that is known" in done.stderr


def test_a_folder_is_imported_with_what_it_holds_besides_named(tmp_path: Path, into: Path) -> None:
    (tmp_path / "in").mkdir()
    result(tmp_path / "in" / "a.json")
    (tmp_path / "in" / "notes.txt").write_text("hello", encoding="utf-8")
    done = rounds("import", tmp_path / "in", "--into", into)

    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "1 run imported, 0 files refused")
    assert "note: passed over: " in done.stderr
    assert "notes.txt: is of no known format" in done.stderr


def test_the_reason_is_told_without_naming_a_format(tmp_path: Path, into: Path) -> None:
    summary = tmp_path / "summary.json"
    summary.write_text(json.dumps({"rates": [1, 2], "aborted_at_rps": 2}), encoding="utf-8")
    done = rounds("import", summary, "--into", into)

    assert "it looks like the summary of a sweep of rates, of which each step has a result of its own" in done.stderr
    assert not into.exists()


def test_a_run_that_is_there_already_is_named(tmp_path: Path, into: Path) -> None:
    file = result(tmp_path / "a.json")
    rounds("import", file, "--into", into)
    done = rounds("import", file, "--into", into)

    assert (done.exit_code, done.stdout) == (0, "0 runs imported, 0 files refused\n")
    assert done.stderr == "note: a.json is there already as vllm-small-1b/levels/c2/1; it counts once\n"


def test_trials_of_two_configurations_are_told_of(tmp_path: Path, into: Path) -> None:
    plain = result(tmp_path / "plain.json", max_concurrency=2)
    drafting = result(tmp_path / "drafting.json", output_throughput=9.0, spec_drafts=100, version="b")
    done = rounds("import", plain, drafting, "--into", into, "--series", "ours")

    assert (
        "note: ours: trials of c2 differ in 'spec_drafts' (not in all) and 'version' (not in all); "
        "where they are different configurations, import each with a --series of its own\n"
    ) in done.stderr
    # 9 ÷ 6 = 1.5: they are far apart as well
    assert rounds("check", into).stdout.count("\n  mixed_trials") == 2


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("--format", "vlm"), "error: --format: there is no format 'vlm'; did you mean 'vllm'?\n"),
        (
            ("--series", "../up"),
            (
                "error: --series: '../up' cannot be the id of a series; "
                "write letters, digits, dots, dashes and underscores\n"
            ),
        ),
    ],
)
def test_options_that_cannot_be_are_refused(tmp_path: Path, into: Path, option: tuple[str, str], said: str) -> None:
    done = rounds("import", result(tmp_path / "a.json"), "--into", into, *option)

    assert (done.exit_code, done.stderr) == (1, said)
    assert not into.exists()


def test_files_put_there_by_hand_are_read_too(tmp_path: Path, into: Path) -> None:
    rounds("import", result(tmp_path / "a.json"), "--into", into, "--series", "ours")
    trial = into / "ours" / "levels" / "c4" / "1"
    trial.mkdir(parents=True)
    result(trial / "whatever.json", max_concurrency=4, **DETAIL)
    report = json.loads(rounds("analyse", into, "--format", "json").stdout)

    assert [level["id"] for level in report["series"][0]["levels"]] == ["c2", "c4"]


def test_trials_give_the_median_and_their_spread(tmp_path: Path, into: Path) -> None:
    files = [
        result(tmp_path / f"{n}.json", date=f"2026030{n}-120000", output_throughput=speed, duration=2.0 + n)
        for n, speed in ((1, 100.0), (2, 130.0), (3, 110.0))
    ]
    rounds("import", *files, "--into", into, "--series", "ours")
    report = json.loads(rounds("analyse", into, "--format", "json").stdout)

    found = {v["trial"]: v for v in report["values"] if (v["metric"], v["basis"]) == ("output_throughput", None)}
    assert {trial: v["value"] for trial, v in found.items()} == {None: 110.0, 1: 100.0, 2: 130.0, 3: 110.0}
    assert [found[None][key] for key in ("n", "low", "high")] == [3, 100.0, 130.0]
    assert [one["trial"] for one in found[None]["inputs"]] == [1, 2, 3]
