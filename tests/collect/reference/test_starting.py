"""The stages of a start: what is asked, and when the port opens."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from generator.collect.reference.command import main
from generator.collect.reference.starting import after_listening, before_listening, stages_of

TOLERANCE_S = 0.5


def test_stages_are_named_with_their_seconds() -> None:
    assert stages_of("weights=1.5, import=0.4") == {"weights": 1.5, "import": 0.4}


@pytest.mark.parametrize("text", ["", "weights", "weights=x", "weights=-1", "weights=nan", "weights=1e9", "loading=1"])
def test_what_is_no_stage_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is none of import, weights|is no number of seconds"):
        stages_of(text)


def test_a_stage_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="stands there twice"):
        stages_of("kv=1,kv=2")


def test_a_wrong_stage_is_one_line_of_the_command() -> None:
    result = CliRunner().invoke(main, ["--start-stages", "loading=1"])
    assert result.exit_code == 2
    assert "'loading' is none of import, weights, compile, kv, warm_up" in result.output


def test_vllm_opens_its_port_at_the_end_and_llamacpp_after_its_import() -> None:
    stages = stages_of("warm_up=1,import=1,weights=1")
    assert before_listening("vllm", stages) == ("import", "weights", "warm_up")
    assert after_listening("vllm", stages) == ()
    assert before_listening("llamacpp", stages) == ("import",)
    assert after_listening("llamacpp", stages) == ("weights", "warm_up")


def test_llamacpp_says_that_it_loads_until_it_has_warmed_up(tmp_path: Path) -> None:
    log = tmp_path / "log"
    stages = "import=0.1,weights=0.3,kv=0.1,warm_up=0.1"
    command = [sys.executable, "-m", "generator.collect.reference", "--print-port", "--style", "llamacpp"]
    with subprocess.Popen([*command, "--start-stages", stages, "--log", str(log)], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            url = f"http://127.0.0.1:{int(process.stdout.readline())}/health"
            began = time.monotonic()
            assert httpx.get(url).status_code == 503
            while httpx.get(url).status_code == 503:
                time.sleep(0.02)
            took = time.monotonic() - began
        finally:
            process.terminate()
    # 0.3 + 0.1 + 0.1 s after the port opened
    assert 0.4 < took < 0.5 + TOLERANCE_S
    assert "warming up the model" in log.read_text("utf-8")


def test_who_is_told_to_stop_while_it_starts_stops(tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = [sys.executable, "-m", "generator.collect.reference", "--start-stages", "import=60", "--log", str(log)]
    with subprocess.Popen(command) as process:
        while not (log.exists() and log.read_text("utf-8")):
            time.sleep(0.02)
        began = time.monotonic()
        process.terminate()
        assert process.wait(10) == 0
        assert time.monotonic() - began < 1 + TOLERANCE_S
