"""``rounds profile``: what a user types, what is said, and what lies on disk afterwards."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner, Result

from generator.cli import main
from tests.support.loads import BURSTY, EVEN, FILES, SECRET, SHAREGPT, put, trace_of

ROUND = """\
schema = 1
[round]
title.zh = "一轮"
title.en = "a round"
[model]
name = "a model"
[[series]]
id = "a"
"""
TABLE = "concurrency,output_throughput,e2el_p50_ms\n1,100,1000\n8,400,2000\n"


def rounds(*arguments: str | Path) -> Result:
    """Run a command of the program; whatever it does not handle itself fails the test."""
    return CliRunner().invoke(main, [str(one) for one in arguments], catch_exceptions=False)


@pytest.fixture
def into(tmp_path: Path) -> Path:
    folder = tmp_path / "runs" / "mine"
    (folder / "a").mkdir(parents=True)
    (folder / "round.toml").write_text(ROUND)
    (folder / "a" / "published.csv").write_text(TABLE)
    return folder


def test_a_file_is_described(tmp_path: Path) -> None:
    done = rounds("profile", put(tmp_path, trace_of(EVEN)))

    assert (done.exit_code, done.stderr) == (0, "")
    assert "arrivals                  2.05 req/s over 20 s" in done.stdout


def test_as_json_it_is_what_is_written(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = rounds("profile", put(tmp_path, trace_of(EVEN)), "--format", "json", "--out", out)

    assert json.loads(done.stdout)["requests"] == 41
    assert (out / "profile.json").read_text() == done.stdout


def test_a_round_gets_a_page_and_its_numbers_their_derivations(tmp_path: Path, into: Path) -> None:
    done = rounds("profile", put(tmp_path, trace_of(BURSTY)), "--window", "1", "--into", into)
    assert done.exit_code == 0

    report = json.loads(rounds("analyse", into, "--format", "json").stdout)
    values = {(value["metric"], value["level"]): value for value in report["values"]}
    # 61 requests ÷ 20 s × 100 tokens of output, of 100 tok/s
    assert values["traffic_use", "c1"]["value"] == pytest.approx(3.05)
    assert values["traffic_rate", None]["source"] == "profile.json, arrivals.rate"
    built = rounds("site", "--runs", into.parent, "--out", tmp_path / "site")
    assert (built.exit_code, built.stderr) == (0, "")
    for lang in ("zh", "en"):
        page = (tmp_path / "site" / lang / "rounds" / "mine" / "load-profile.html").read_text()
        assert "guide_traffic" in page
        assert 'href="how.html#' in page


def test_a_sealed_round_is_sealed_again_with_its_profile(tmp_path: Path, into: Path) -> None:
    rounds("seal", into)
    path = put(tmp_path, trace_of(EVEN))

    assert "sealed" in rounds("profile", path, "--into", into).stderr
    assert "profile.json" in json.loads((into / "MANIFEST.json").read_text())["files"]
    assert rounds("check", into, "--fail-on", "fail").exit_code == 0


def test_a_round_that_was_changed_since_is_not_sealed_unseen(tmp_path: Path, into: Path) -> None:
    rounds("seal", into)
    (into / "a" / "published.csv").write_text(TABLE.replace("400", "4000"))
    sealed = (into / "MANIFEST.json").read_bytes()

    assert "did not match its seal before" in rounds("profile", put(tmp_path, trace_of(EVEN)), "--into", into).stderr
    assert (into / "MANIFEST.json").read_bytes() == sealed


def test_a_folder_without_a_round_becomes_one_to_be_completed(tmp_path: Path) -> None:
    fresh = tmp_path / "runs" / "fresh"
    done = rounds("profile", put(tmp_path, trace_of(EVEN)), "--into", fresh)

    assert sorted(path.name for path in fresh.iterdir() if not path.name.startswith(".")) == [
        "profile.json", "round.toml", "round.trace.jsonl",
    ]  # fmt: skip
    assert done.exit_code == 0
    assert rounds("check", fresh).exit_code == 0


def test_where_no_round_can_be_made_the_line_says_how(tmp_path: Path) -> None:
    done = rounds("profile", put(tmp_path, SHAREGPT), "--into", tmp_path / "fresh")

    assert done.exit_code == 1
    assert "has no round.toml, and no plan can be made of this load to stand for one; write one first" in done.stderr
    assert not (tmp_path / "fresh").exists()


def test_a_load_is_held_against_a_round_that_stays_as_it_is(tmp_path: Path, into: Path) -> None:
    done = rounds("profile", put(tmp_path, trace_of(EVEN)), "--window", "1", "--against", into)

    # 2.05 req/s × 120 tokens = 246 tok/s
    assert "asks for 246 tok" in done.stdout.replace("\u202f", " ")
    assert "a keeps up from C=8 on" in done.stdout
    assert not (into / "profile.json").exists()


def test_a_plan_is_never_written_over(tmp_path: Path) -> None:
    path, plan = put(tmp_path, trace_of(EVEN)), tmp_path / "plan.toml"
    assert rounds("profile", path, "--plan", plan).exit_code == 0
    before = plan.read_bytes()

    again = rounds("profile", path, "--plan", plan)
    assert (again.exit_code, plan.read_bytes()) == (1, before)
    assert "plan.toml: is there already; choose another name with --plan" in again.stderr


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["gone"], "gone: cannot be read (No such file or directory)"),
        (["data", "--map", "input=x"], "has none of the columns"),
        (["data", "--map", "speed=x"], "--map: there is no 'speed' to map"),
    ],
)
def test_what_is_wrong_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], line: str
) -> None:
    monkeypatch.chdir(tmp_path)
    put(tmp_path, trace_of(EVEN))
    done = rounds("profile", *arguments)

    assert done.exit_code == 1
    assert line in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("kind", FILES)
def test_no_text_path_or_address_of_a_request_is_left_anywhere(tmp_path: Path, into: Path, kind: str) -> None:
    rubbish = "" if kind == "sharegpt" else f"\n{SECRET} rubbish 203.0.113.9\n"  # a list cannot be read past it
    path = put(tmp_path / "runs", FILES[kind] + rubbish, "input")
    out = tmp_path / "out"
    done = rounds("profile", path, "--into", into, "--out", out, "--against", into, "--format", "json")
    told = rounds("profile", path)
    planned = rounds("profile", path, "--plan", out / "plan.toml")
    path.unlink()
    assert (done.exit_code, told.exit_code) == (0, 0)
    rounds("site", "--runs", into.parent, "--out", tmp_path / "site")

    written = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert (tmp_path / "site/en/rounds/mine/load-profile.html") in written
    assert tmp_path / "site/data/mine/mine.zip" in written
    said = "".join(one.stdout + one.stderr for one in (done, told, planned)).encode()
    for content in (said, *(part for file in written for part in unpacked(file))):
        assert SECRET.encode() not in content
        assert b"203.0.113" not in content


def unpacked(file: Path) -> list[bytes]:
    """Return what a file holds: of an archive, what is packed in it."""
    if file.suffix != ".zip":
        return [file.read_bytes()]
    with ZipFile(file) as archive:
        return [archive.read(name) for name in archive.namelist()]


def test_a_trace_that_a_killed_run_left_is_taken_for_its_own(tmp_path: Path) -> None:
    path, plan = put(tmp_path, trace_of(EVEN)), tmp_path / "plan.toml"
    assert rounds("profile", path, "--plan", plan).exit_code == 0
    whole = plan.read_bytes()
    plan.unlink()

    assert rounds("profile", path, "--plan", plan).exit_code == 0
    assert plan.read_bytes() == whole


def test_what_a_killed_run_had_begun_is_removed_by_the_next(tmp_path: Path, into: Path) -> None:
    path = put(tmp_path, trace_of(EVEN))
    killed = f"""if True:
        import os
        from generator.cli import main
        os.fsync = lambda _: os.kill(os.getpid(), {signal.SIGKILL})  # in the middle of its writing
        main({["profile", str(path), "--into", str(into)]})"""
    assert subprocess.run([sys.executable, "-c", killed], check=False).returncode == -signal.SIGKILL
    assert len(list(into.glob(".profile.json.*.partial"))) == 1

    assert rounds("profile", path, "--into", into).exit_code == 0
    assert sorted(one.name for one in into.iterdir()) == ["a", "profile.json", "round.toml"]


def test_the_line_that_opens_a_quote_is_named_and_no_other_is_lost(tmp_path: Path, into: Path) -> None:
    rows = [f"{second},GPT-4,100,10" for second in range(60)]
    rows[2] = '2,"GPT-4,100,10'
    path = put(tmp_path, "\n".join(["Timestamp,Model,Request tokens,Response tokens", *rows]))
    done = rounds("profile", path, "--into", into)

    # The header is line 1, and second 0 line 2.
    assert "59 requests · sha256" in done.stdout
    assert "line 4 opens a quote that is not closed" in done.stdout
    assert "59 · 1 lines could not be read" in done.stdout
    assert json.loads((into / "profile.json").read_text())["sources"][0]["open_quotes"] == [4]


def test_a_trace_of_another_load_is_not_written_over(tmp_path: Path) -> None:
    path, trace = put(tmp_path, trace_of(EVEN)), put(tmp_path, "{}", "plan.trace.jsonl")

    done = rounds("profile", path, "--plan", tmp_path / "plan.toml")
    assert (done.exit_code, trace.read_text()) == (1, "{}")
    assert "plan.trace.jsonl: is there already" in done.stderr
    assert not (tmp_path / "plan.toml").exists()


@pytest.mark.parametrize(
    ("name", "trace"),
    [('a"b😀', 'a"b😀.trace.jsonl'), ("a\nb", "plan.trace.jsonl"), ("a\udcff", "plan.trace.jsonl")],
)
def test_a_plan_names_its_trace_however_it_is_called(tmp_path: Path, name: str, trace: str) -> None:
    plan = tmp_path / f"{name}.toml"
    assert rounds("profile", put(tmp_path, trace_of(EVEN)), "--plan", plan).exit_code == 0

    assert tomllib.loads(plan.read_text())["workload"]["dataset_file"] == trace
    assert (tmp_path / trace).exists()


def test_what_was_written_before_something_failed_is_told(tmp_path: Path) -> None:
    put(tmp_path, "no folder", "file")
    done = rounds(
        "profile", put(tmp_path, trace_of(EVEN)), "--plan", tmp_path / "plan.toml", "--into", tmp_path / "file"
    )

    assert done.exit_code == 1
    assert "plan.toml\n" in done.stderr
    assert "file: cannot be written" in done.stderr
    assert (tmp_path / "plan.toml").exists()


@pytest.mark.parametrize("width", ["nan", "inf", "-nan", "1e999"])
def test_a_window_is_a_number(tmp_path: Path, width: str) -> None:
    done = rounds("profile", put(tmp_path, trace_of(EVEN)), "--window", width)

    assert done.exit_code == 2
    assert "Invalid value for '--window'" in done.stderr
