from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import pytest
from click.testing import CliRunner, Result

from generator import __version__
from generator.cli import LATER, REACHES, SAID, main
from generator.render.site import Built
from tests.support.bad_rounds import BAD_ROUNDS
from tests.support.example_rounds import RUNS
from tests.support.rounds import ROUND_TOML, write_round

BROKEN: Final = next(bad for bad in BAD_ROUNDS if bad.expected is not None)
LOADED_BY_EVERY_COMMAND: Final = (["analyse"], ["check"], ["seal"])


def rounds(*arguments: str | Path) -> Result:
    """Run a command of the program; whatever it does not handle itself fails the test."""
    return CliRunner().invoke(main, [str(one) for one in arguments], catch_exceptions=False)


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return write_round(tmp_path / "runs" / "good")


# analyse


def test_analyse_prints_report_json(good: Path) -> None:
    done = rounds("analyse", good, "--format", "json")
    report = json.loads(done.stdout, parse_constant=pytest.fail)  # NaN and Infinity are no JSON

    assert done.exit_code == 0
    assert report["schema"] == 1
    assert {"round", "series", "values", "findings", "figures"} <= set(report)
    (step,) = [v for v in report["values"] if (v["metric"], v["series"], v["level"]) == ("itl_p50", "alpha", "c8")]
    assert (step["value"], step["unit"]) == (16.63, "ms")


def test_analyse_prints_the_claims_below_the_values() -> None:
    values, _, claims = rounds("analyse", RUNS / "round-1").stdout.rpartition("\n\n")
    found = {line.split()[1]: line.split()[0] for line in claims.splitlines()}

    assert "itl_p50" in values
    assert (found["waves-c32"], found["measured"], found["crossover"], found["kv-per-token-vllm"]) == (
        "contradicted", "rounds_differently", "not_derivable", "holds",
    )  # fmt: skip


def test_analyse_prints_a_table_of_what_is_known(good: Path) -> None:
    done = rounds("analyse", good)
    head, *rows = done.stdout.splitlines()

    assert (done.exit_code, done.stderr) == (0, "")
    assert head.split() == ["scope", "series", "level", "metric", "basis", "value", "unit", "origin"]
    assert ["level", "alpha", "c8", "itl_p50", "16.63", "ms", "transcribed"] in [row.split() for row in rows]
    assert not {"nan", "None"} & set(done.stdout.split())


# check


@pytest.mark.parametrize(
    ("round_id", "bar", "code"),
    [
        ("round-2", [], 0),
        ("round-2", ["--fail-on", "fail"], 3),  # C=32 of llama.cpp
        ("round-2", ["--fail-on", "warn"], 3),
        ("round-1", ["--fail-on", "fail"], 0),
        ("round-1", ["--fail-on", "warn"], 3),  # the prompt cache
    ],
)
def test_check_exits_with_three_where_a_finding_reaches_the_bar(round_id: str, bar: list[str], code: int) -> None:
    assert rounds("check", RUNS / round_id, *bar).exit_code == code


def test_what_could_not_be_checked_never_reaches_the_bar(good: Path) -> None:
    done = rounds("check", good, "--fail-on", "fail")

    assert any(line.startswith("Unchecked: ") for line in done.stdout.splitlines())
    assert done.exit_code == 0
    assert [bar for bar, reached in REACHES.items() if "unknown" in reached] == []


def test_check_counts_what_passed_and_lists_it_where_that_is_asked(good: Path) -> None:
    short, whole = (rounds("check", good, *flags).stdout.splitlines() for flags in ([], ["--all"]))

    counted = [line for line in short if line.endswith("; --all lists them")]
    assert [line.partition(":")[0] for line in counted] == ["Passed", "Not applicable"]
    assert short[-2:] == counted
    passed, empty = (int(line.partition(": ")[2].partition(";")[0]) for line in counted)
    assert len(whole) == len(short) + passed + empty > len(short)


def test_check_prints_the_findings_of_report_json(good: Path) -> None:
    done = rounds("check", RUNS / "round-2", "--format", "json", "--fail-on", "fail")
    report = rounds("analyse", RUNS / "round-2", "--format", "json")

    assert json.loads(done.stdout) == json.loads(report.stdout)["findings"]
    assert done.exit_code == 3


@pytest.mark.parametrize(("lang", "words"), [("zh", "没有 MANIFEST.json"), ("en", "has no MANIFEST.json")])
def test_check_speaks_the_language_asked_for(good: Path, lang: str, words: str) -> None:
    assert words in rounds("check", good, "--lang", lang).stdout


# seal


def test_seal_makes_a_later_change_fail_the_check(good: Path) -> None:
    sealed = rounds("seal", good)
    assert (sealed.exit_code, sealed.stdout) == (0, f"sealed {good}\n")
    assert rounds("check", good, "--fail-on", "fail").exit_code == 0

    table = good / "alpha" / "published.csv"
    table.write_text(table.read_text(encoding="utf-8").replace("411.4", "511.4"), encoding="utf-8")

    done = rounds("check", good, "--fail-on", "fail")
    assert done.exit_code == 3
    assert done.stdout.startswith("Failed: 1\n  data_integrity  ")
    assert "alpha/published.csv" in done.stdout


def test_seal_that_cannot_be_written_is_one_line(good: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(folder: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("generator.cli.write_manifest", full)
    done = rounds("seal", good)

    assert (done.exit_code, len(done.stderr.splitlines())) == (1, 1)
    assert "MANIFEST.json cannot be written (No space left on device)" in done.stderr


# site


@pytest.mark.slow
def test_site_builds_what_it_can_and_names_what_it_cannot(good: Path, tmp_path: Path) -> None:
    BROKEN.write(good.parent)
    done = rounds("site", "--runs", good.parent, "--out", tmp_path / "site")

    assert done.exit_code == 1
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("error: ")
    assert BROKEN.name in done.stderr
    for lang in ("zh", "en"):
        assert (tmp_path / "site" / lang / "rounds" / "good" / "index.html").exists()
        assert BROKEN.name in (tmp_path / "site" / lang / "index.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_site_of_good_rounds_exits_with_nothing(good: Path, tmp_path: Path) -> None:
    done = rounds("site", "--runs", good.parent, "--out", tmp_path / "site")

    assert (done.exit_code, done.stderr) == (0, "")
    assert str(tmp_path / "site" / "index.html") in done.stdout


def test_site_without_rounds_to_read_is_one_line(tmp_path: Path) -> None:
    done = rounds("site", "--runs", tmp_path / "nowhere", "--out", tmp_path / "site")

    assert (done.exit_code, len(done.stderr.splitlines())) == (1, 1)
    assert not (tmp_path / "site").exists()


# Errors


@pytest.mark.parametrize("command", LOADED_BY_EVERY_COMMAND, ids=lambda command: command[0])
def test_round_that_cannot_be_read_is_one_line(tmp_path: Path, command: list[str]) -> None:
    done = rounds(*command, BROKEN.write(tmp_path))

    assert (done.exit_code, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: ")
    assert BROKEN.expected is not None
    assert BROKEN.expected in line


@pytest.mark.parametrize("arguments", [["nothing"], ["check"], ["check", ".", "--fail-on", "note"], ["--no"]])
def test_wrong_usage_names_what_is_wrong(arguments: list[str]) -> None:
    done = rounds(*arguments)

    assert done.exit_code == 2
    assert "Error: " in done.stderr


@pytest.mark.parametrize("arguments", [["analyse", "--format", "json"], ["analyse"], ["check"], ["--help"]])
def test_reader_that_stops_reading_is_no_error(arguments: list[str]) -> None:
    folder = [] if arguments == ["--help"] else [str(RUNS / "round-2")]
    command = [sys.executable, "-m", "generator", *arguments, *folder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


# Help


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


COMMANDS: Final = list(commands(main))


@pytest.mark.parametrize(("path", "command"), COMMANDS, ids=[" ".join(path) for path, _ in COMMANDS])
def test_every_option_and_argument_is_documented(path: tuple[str, ...], command: click.Command) -> None:
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.opts
        else:
            assert parameter.human_readable_name.upper() in (command.help or "")


@pytest.mark.parametrize(("path", "command"), COMMANDS, ids=[" ".join(path) for path, _ in COMMANDS])
def test_every_command_has_help(path: tuple[str, ...], command: click.Command) -> None:
    done = rounds(*path, "--help")

    assert done.exit_code == 0
    assert (command.help or "").split()[0] in done.stdout


def test_module_is_the_same_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "generator", "--version"], capture_output=True, text=True, check=True, timeout=60
    )

    assert done.stdout == f"rounds, version {__version__}\n"


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("example.org", "does not begin with https:// or http://"),
        ("ftp://example.org", "does not begin with https:// or http://"),
        ("javascript:alert(1)", "does not begin with https:// or http://"),
        ("https://user:word@example.org", "names a user"),
        ("https://example.org/?a=b", "has a query behind a question mark"),
        ("https://example.org/bench#top", "has a fragment behind a hash"),
        ("https://example.org/a/../b", "has . or .. in its path"),
        ("https://example.org/a b", "is no address"),
        ("https://", "is no address"),
        ("https://example.org:99999", "is no address"),
        ("https://example.org:0/bench", "is no address"),
        ("https://example..org", "is no address"),
        ("https://-example-.org", "is no address"),
        ("https://.", "is no address"),
        ("https://[1:2]/bench", "is no address"),
        (f"https://{'a' * 64}.org", "is no address"),
        (f"https://example.org/{'a' * 1000}", "is longer than 1000 characters"),
    ],
)
def test_a_base_url_that_is_no_address_is_refused(address: str, problem: str, tmp_path: Path) -> None:
    ran = CliRunner().invoke(main, ["site", "--out", str(tmp_path / "site"), "--base-url", address])
    assert ran.exit_code == 1
    assert ran.stderr.endswith(f"{problem}; write it as https://example.org/bench\n")
    assert ran.stderr.count("\n") == 1
    assert "word" not in ran.stderr
    assert not (tmp_path / "site").exists()


def test_sealing_again_names_what_did_not_match(tmp_path: Path) -> None:
    folder = write_round(tmp_path / "r")
    CliRunner().invoke(main, ["seal", str(folder)])
    table = next(folder.rglob("published.csv"))
    table.write_text(table.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    ran = CliRunner().invoke(main, ["seal", str(folder)])
    assert ran.exit_code == 0
    assert f"note: {table.relative_to(folder).as_posix()} does not match" in ran.stderr


def test_sealing_replaces_what_is_no_manifest_and_says_so(good: Path) -> None:
    (good / "MANIFEST.json").write_text("{", encoding="utf-8")
    done = rounds("seal", good)

    assert (done.exit_code, done.stdout) == (0, f"sealed {good}\n")
    assert done.stderr == "note: MANIFEST.json was no manifest that Rounds wrote; this seal replaces it\n"
    assert rounds("check", good, "--fail-on", "fail").exit_code == 0


def test_the_seal_of_a_newer_rounds_is_not_replaced(good: Path) -> None:
    (good / "MANIFEST.json").write_text('{"schema": 9, "seal": "x"}', encoding="utf-8")
    done = rounds("seal", good)

    assert done.exit_code == 1
    assert "MANIFEST.json, schema: written by a newer Rounds; update Rounds to read it" in done.stderr
    assert "delete" not in done.stderr


def test_a_folder_of_rounds_is_never_replaced_by_a_site(good: Path) -> None:
    for out in (good.parent, good.parent.parent, good, good.parent / "site"):
        done = rounds("site", "--fresh", "--runs", good.parent, "--out", out)
        assert (done.exit_code, len(done.stderr.splitlines())) == (1, 1)
    assert (good / "round.toml").exists()


def test_what_a_build_could_not_remove_is_a_note(good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = tmp_path / ".site.rounds-abc"
    monkeypatch.setattr("generator.render.commands.site.build_site", lambda *_: Built(("good",), (), (left,)))
    done = rounds("site", "--runs", good.parent, "--out", tmp_path / "site")

    assert done.exit_code == 0
    assert done.stderr == f"note: {left} is left of a build and could not be removed; remove it\n"


# What comes from outside


def in_a_process(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "generator", *arguments],
        capture_output=True,
        env={**os.environ, **environment},
        encoding="utf-8",
        check=False,
        timeout=60,
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("arguments", [["analyse"], ["analyse", "--format", "json"], ["check"], ["seal"], ["--help"]])
def test_an_output_that_takes_no_more_is_one_line(good: Path, arguments: list[str]) -> None:
    folder = [] if arguments == ["--help"] else [str(good)]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "generator", *arguments, *folder],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )

    assert done.returncode == 1
    assert done.stderr == "error: standard output: cannot be written (No space left on device); send it elsewhere\n"


def test_what_an_output_cannot_say_is_escaped(good: Path) -> None:
    done = in_a_process("check", good, "--lang", "zh", PYTHONIOENCODING="latin1")

    assert (done.returncode, done.stderr) == (0, "")
    assert r"\u6ca1\u6709 MANIFEST.json" in done.stdout  # 没有


@pytest.mark.parametrize("encoding", ["ascii", "gbk", "latin1", "utf-8"])
def test_report_json_is_json_in_every_encoding(good: Path, encoding: str) -> None:
    done = in_a_process("analyse", good, "--format", "json", PYTHONIOENCODING=encoding)

    assert json.loads(done.stdout)["round"]["title"]["zh"] == "两个引擎"


@pytest.mark.parametrize("command", [["analyse"], ["check"], ["seal"], ["site", "--fresh", "--out", "site", "--runs"]])
def test_a_current_folder_that_is_gone_is_one_line(tmp_path: Path, command: list[str]) -> None:
    code = "import os, sys; os.rmdir(os.getcwd()); sys.argv[0] = 'rounds'; from generator.cli import main; main()"
    (tmp_path / "gone").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", code, *command, "here"],
        cwd=tmp_path / "gone",
        env={**os.environ, "PYTHONPATH": str(RUNS.parent)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1


def test_ctrl_c_is_one_line(good: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("generator.render.commands.parts.load", interrupted)
    done = rounds("check", good)

    assert (done.exit_code, done.stdout, done.stderr) == (130, "", "interrupted\n")


def test_ctrl_c_while_libraries_are_loaded_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt", encoding="utf-8")
    done = in_a_process("--version", PYTHONPATH=os.pathsep.join([str(tmp_path), str(RUNS.parent)]))

    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


def test_a_name_cannot_command_the_terminal(tmp_path: Path) -> None:
    toml = ROUND_TOML.replace('"vLLM"', r'"\u001b[31mvLLM\u202e"')
    done = rounds("check", write_round(tmp_path / "r", toml=toml))

    assert done.exit_code == 0
    assert not {"\x1b", "\u202e"} & set(done.stdout)


def test_building_a_site_imports_nothing_of_what_drives_engines() -> None:
    driving = {"httpx", "psutil", "pynvml", "generator.collect"}
    assert imported_by("generator.cli", "generator.render.commands.site") & driving == set()


def test_the_list_of_commands_imports_nothing_that_only_some_of_them_need() -> None:
    heavy = {"pandas", "plotly.graph_objects", "scipy", "generator.collect"}
    assert imported_by("generator.cli") & heavy == set()


def imported_by(*modules: str) -> set[str]:
    code = f"import sys, {', '.join(modules)}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return set(done.stdout.split())


@pytest.mark.parametrize("name", sorted(LATER))
def test_the_list_says_of_a_command_what_it_says_of_itself(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert SAID[name] == (command.help or "").partition("\n\n")[0]
