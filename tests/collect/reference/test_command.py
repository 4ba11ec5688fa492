"""The server as a process: what it prints, and how it ends."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from generator.collect.reference.command import OF_MACHINE, main, settings_of
from generator.collect.reference.process import reference_server
from generator.errors import InputError
from tests.collect.reference.running import asking

COMMAND = [sys.executable, "-m", "generator.collect.reference", "--print-port", "--machine", "fast"]
OPTIONS = main.make_context("reference", []).params


def test_sigterm_ends_it_within_a_second_with_streams_open(tmp_path: Path) -> None:
    stamps = tmp_path / "stamps.jsonl"
    command = [*COMMAND, "--stamps", str(stamps), "--log", str(tmp_path / "log")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        url = f"http://127.0.0.1:{port}/v1/completions"
        with httpx.Client() as client, client.stream("POST", url, json=asking(3000)) as response:
            lines = response.iter_lines()
            next(lines)
            start = time.monotonic()
            process.send_signal(signal.SIGTERM)
            assert process.wait(10) == 0
            assert time.monotonic() - start < 1.0
            with pytest.raises(httpx.TransportError):
                list(lines)
        assert process.stdout.read() == ""
    [sheet] = [json.loads(line) for line in stamps.read_text("utf-8").splitlines()][1:]
    assert (sheet["state"], sum(sheet["tokens"]) > 0) == ("cancelled", True)


def test_a_process_for_as_long_as_it_is_needed() -> None:
    with reference_server("--machine", "fast", "--style", "llamacpp") as url:
        assert httpx.get(f"{url}/props").json()["total_slots"] == 8
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{url}/health")


def test_it_does_not_outlive_who_started_it() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([*COMMAND, "--until-eof"], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert int(process.stdout.readline()) > 0
        process.stdin.write(b"not the end")
        process.stdin.close()  # as the system does for who is killed
        assert process.wait(10) == 0


def test_an_input_that_has_no_end_to_wait_for_is_one_line() -> None:
    command = [*COMMAND, "--until-eof"]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("standard input: cannot be watched (Operation not permitted); make it a pipe")


def test_a_process_that_does_not_start_says_so() -> None:
    with pytest.raises(InputError, match="did not start"), reference_server("--nonsense"):
        pass


def test_a_port_that_is_taken_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = CliRunner().invoke(main, ["--port", str(port)])
    assert result.exit_code == 2
    assert result.output == f"port {port}: cannot be used (Address already in use); take another, or 0\n"


def test_a_log_that_cannot_be_opened_is_one_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["--log", str(tmp_path / "none" / "log")])
    assert result.exit_code == 2
    assert "cannot be written (No such file or directory); name another file" in result.output


def test_the_options_make_the_settings() -> None:
    given = {"style": "llamacpp", "machine": "fast", "slots": 3, "kv_blocks": 7, "context": 64, "noise": 0.1}
    settings = settings_of({**OPTIONS, **given})
    machine = settings.machine
    assert (machine.name, machine.slots, machine.kv_blocks, machine.context) == ("reference-fast", 3, 7, 64)
    assert (settings.style, settings.noise, settings.most_requests) == ("llamacpp", 0.1, 100)


def test_every_field_of_the_machine_has_an_option() -> None:
    given = {name: "grow" if name == "reserve" else 3 for name in OF_MACHINE}
    machine = settings_of({**OPTIONS, **given}).machine
    assert {name: getattr(machine, name) for name in OF_MACHINE} == given
    assert len(OF_MACHINE) == 13


def test_the_command_line_reaches_the_machine_and_the_start() -> None:
    arguments = ["--reserve", "grow", "--chunk-tokens", "128", "--start-stages", "kv=0.5", "--stats-seconds", "1"]
    settings = settings_of(main.make_context("reference", arguments).params)
    assert (settings.machine.reserve, settings.machine.chunk_tokens) == ("grow", 128)
    assert (settings.stages, settings.stats_seconds) == ({"kv": 0.5}, 1.0)


def test_a_step_of_one_length_for_calibration() -> None:
    settings = settings_of({**OPTIONS, "step_ms": 20.0})
    assert (settings.machine.overhead, settings.machine.weight_bytes, settings.most_requests) == (0.02, 0.0, 0)
