"""Collecting whole rounds on the reference server: what is left, how it goes on, what a failure leaves alone."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from generator.catalogue import load
from generator.collect import campaign as module
from generator.collect.calibrate import Calibration
from generator.collect.campaign import Campaign, Collected, pending
from generator.collect.progress import Progress
from generator.errors import InputError
from generator.model import Round
from generator.store.manifest import check_integrity
from generator.store.round_file import read_round_file
from tests.support.plans import REFERENCE, series, write_plan

pytestmark = pytest.mark.slow

QUIET = Progress(quiet=True)
CALIBRATED = Calibration(1, 20.0, 64, 0, {"p50": 5.0, "p99": 9.0, "max": 20.0}, 20.0, 20.0, 0.1, "kernel", 16, 0)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calibration has tests of its own and takes seconds."""

    async def calibrated(_: int, __: object) -> Calibration:
        return CALIBRATED

    monkeypatch.setattr(module, "calibrate", calibrated)
    monkeypatch.setattr(module, "probe_of", lambda _: None)


def collect(folder: Path, *, restart: bool = False, headers: dict[str, str] | None = None) -> Collected:
    return asyncio.run(Campaign(folder, load().engines, QUIET, headers or {}).collect(restart=restart))


def read(folder: Path) -> Round:
    return load().read(folder)


def trials(folder: Path) -> list[str]:
    return sorted(str(path.parent.relative_to(folder)) for path in folder.glob("*/levels/*/*/level.json"))


def processes_of(folder: Path) -> dict[str, int]:
    """Return how many processes drove the first trial of each level."""
    paths = folder.glob("ref/levels/*/1/level.json")
    return {path.parts[-3]: json.loads(path.read_text())["summary"]["client_processes"] for path in paths}


ALL = ["ref/levels/c1/1", "ref/levels/c1/2", "ref/levels/c2/1"]


def test_a_plan_becomes_a_round_that_can_be_read(tmp_path: Path) -> None:
    folder = write_plan(tmp_path / "r")
    collected = collect(folder)

    assert trials(folder) == ALL
    assert (len(collected.done), collected.failed, collected.interrupted) == (3, [], False)
    round_ = read(folder)
    assert round_.integrity.status == "intact"
    [one] = round_.series
    assert [(level.id, level.trials) for level in one.levels] == [("c1", 2), ("c2", 1)]
    requests = round_.requests["ref", "c2", None]
    # 4 requests of 8 prompt tokens and 5 answer tokens; each token comes alone, so 4 gaps each
    assert requests.answered.tolist() == [True] * 4
    assert (requests.input_tokens.tolist(), requests.output_tokens.tolist()) == ([8.0] * 4, [5.0] * 4)
    assert requests.gap_counts.tolist() == [4] * 4


def test_the_servers_times_are_of_the_measured_requests_alone_and_its_counts_of_all(tmp_path: Path) -> None:
    argv = [argument.replace("llamacpp", "vllm") for argument in REFERENCE]
    folder = write_plan(tmp_path / "r", series(argv=argv))
    collect(folder)
    summary = json.loads((folder / "ref" / "levels" / "c2" / "1" / "level.json").read_text())["summary"]
    # 4 requests of 5 tokens are measured, after one that is not
    assert (summary["server_queue_count"], summary["server_prefill_count"]) == (4, 4)
    assert summary["server_generation_tokens"] == 25


def test_what_lies_beside_the_levels(tmp_path: Path) -> None:
    folder = write_plan(tmp_path / "r")
    collect(folder)

    session = folder / "ref" / "sessions" / "1"
    assert {path.name for path in session.iterdir()} == {
        "cold_start.json", "fingerprint.json", "samples.parquet", "server.log.zst",
    }  # fmt: skip
    assert json.loads((folder / "calibration.json").read_text())["lost"] == 0
    trial = folder / "ref" / "levels" / "c2" / "1"
    assert (trial / "server.log.zst").exists()
    assert (trial / "warm-up" / "cold" / "requests.parquet").exists()


def test_the_log_of_a_level_has_its_requests_and_no_others(tmp_path: Path) -> None:
    # Before each level one cold request is sent, and one at the start: only the steady ones belong to the level.
    folder = write_plan(tmp_path / "r")
    collect(folder)

    logged = {o.address.level: o.value for o in read(folder).observations if o.address.metric == "logged_requests"}
    assert logged["c2"] == 4


def test_levels_are_driven_by_as_many_processes_as_asked(tmp_path: Path) -> None:
    folder = write_plan(tmp_path / "r", workload="client_processes = 2")
    collect(folder)

    assert processes_of(folder) == {"c1": 1, "c2": 2}  # a single slot cannot be shared
    assert read(folder).requests["ref", "c2", None].answered.tolist() == [True] * 4


def test_levels_are_driven_by_as_many_processes_as_the_calibration_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # One stream took 0.5 of a core: one process for it, two for both streams of c2, as a core's share is 0.6 at most.
    monkeypatch.setattr(module, "cores_for_client", lambda: 8)
    folder = write_plan(tmp_path / "r")
    (folder / "calibration.json").write_text(json.dumps({"streams": 1, "cpu_share": 0.5, "cpu_total": 0.5}))
    collect(folder)

    assert processes_of(folder) == {"c1": 1, "c2": 2}  # a single slot cannot be shared


def test_collecting_again_adds_nothing(tmp_path: Path) -> None:
    folder = write_plan(tmp_path / "r")
    collect(folder)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    again = collect(folder)

    assert again.done == []
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_it_goes_on_where_something_is_missing(tmp_path: Path) -> None:
    folder = write_plan(tmp_path / "r")
    collect(folder)
    (folder / "ref/levels/c1/2").rename(tmp_path / "away")
    again = collect(folder)

    assert [run.place for run in again.done] == ["levels/c1/2"]
    assert sorted(path.name for path in (folder / "ref/sessions").iterdir()) == ["1", "2"]


def test_restarting_throws_away_what_was_collected(tmp_path: Path) -> None:
    folder = write_plan(tmp_path / "r")
    collect(folder)
    again = collect(folder, restart=True)

    assert len(again.done) == 3
    assert sorted(path.name for path in (folder / "ref/sessions").iterdir()) == ["1"]


def test_a_series_that_does_not_start_leaves_the_others_alone(tmp_path: Path) -> None:
    dead = (sys.executable, "-c", "import sys; print('no such model'); sys.exit(3)")
    folder = write_plan(tmp_path / "r", series("dead", dead), series())
    collected = collect(folder)

    assert trials(folder) == ALL
    [failure] = collected.failed
    assert failure.startswith("dead: ")
    assert "no such model" in failure


def test_prompts_of_levels_and_trials_differ_and_series_share_them(tmp_path: Path) -> None:
    folder = write_plan(tmp_path / "r", series("a"), series("b"))
    file = read_round_file(folder)
    seeds = {name: [run.seed for run in runs] for name, runs in pending(folder, file).items()}

    assert seeds["a"] == seeds["b"]
    assert len(set(seeds["a"])) == len(seeds["a"])


def test_a_round_without_a_plan_is_refused(tmp_path: Path) -> None:
    folder = write_plan(tmp_path / "r", series(argv=None).replace('kind = "reference"', ""))
    with pytest.raises(InputError, match="has no series that can be collected"):
        collect(folder)


def test_secrets_reach_nothing(tmp_path: Path) -> None:
    key = "sk-planted-8f3a9c2e7b1d4f60"
    wrapped = (sys.executable, "-c", WRAPPER, "--api-key", key, *REFERENCE)
    folder = write_plan(tmp_path / "r", series(argv=wrapped, env=[f"PLANTED_TOKEN={key}"]))
    plan = (folder / "round.toml").read_text(encoding="utf-8")
    collect(folder, headers={"Authorization": f"Bearer {key}"})

    found = [path for path in folder.rglob("*") if path.is_file() and key.encode() in path.read_bytes()]
    assert found == [folder / "round.toml"]  # where its author wrote it
    assert plan == (folder / "round.toml").read_text(encoding="utf-8")


WRAPPER = "import os, sys; print('args', sys.argv); sys.stdout.flush(); os.execv(sys.argv[3], sys.argv[3:])"


# Ends that nobody wanted


def start_collecting(folder: Path) -> subprocess.Popen[bytes]:
    code = (
        "import asyncio, sys; from pathlib import Path; from generator.catalogue import load; "
        "from generator.collect import campaign; from generator.collect.progress import Progress\n"
        "from tests.collect.test_campaign import CALIBRATED\n"
        "async def calibrated(*_): return CALIBRATED\n"
        "campaign.calibrate = calibrated\n"
        "asyncio.run(campaign.Campaign(Path(sys.argv[1]), load().engines, Progress(quiet=True)).collect())"
    )
    return subprocess.Popen([sys.executable, "-c", code, str(folder)], start_new_session=True)


def servers_of(folder: Path) -> list[int]:
    """Return the processes that still work for a round: they carry its folder in their arguments or lie open in it."""
    found = []
    for process in psutil.process_iter():
        try:
            words = [*process.cmdline(), *(file.path for file in process.open_files())]
        except psutil.Error:
            continue
        if any(str(folder) in word for word in words) and process.pid != os.getpid():
            found.append(process.pid)
    return found


def until(holds: Callable[[], bool], within_s: float = 20.0) -> bool:
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.05)
    return False


@pytest.mark.timeout(600)
def test_a_collector_that_is_killed_again_and_again_completes_its_round(tmp_path: Path) -> None:
    # Twenty kills at random moments of a run of some three seconds, and then one that nobody disturbs. Who is through
    # before is not waited for.
    folder = write_plan(tmp_path / "r")
    moments = random.Random(5)
    for _ in range(20):
        process = start_collecting(folder)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=moments.uniform(0.3, 3.0))
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert until(lambda: servers_of(folder) == [])
        if (folder / "MANIFEST.json").exists():
            json.loads((folder / "MANIFEST.json").read_text())  # whole, whenever it is there
    collect(folder)

    assert trials(folder) == ALL
    assert check_integrity(folder).status == "intact"
    assert not list(folder.glob("*/.collecting-*"))
    assert not (folder / "ref" / ".session").exists()
    lengths = {key: len(requests) for key, requests in read(folder).requests.items()}
    assert lengths == {("ref", "c1", 1): 3, ("ref", "c1", 2): 3, ("ref", "c2", None): 4}


def test_ctrl_c_keeps_what_is_whole_and_stops_the_server(tmp_path: Path) -> None:
    long = LEVELS_THAT_LAST
    folder = write_plan(tmp_path / "r", levels=long)
    process = start_collecting(folder)
    assert until((folder / "ref/levels/c1/1/level.json").exists)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=20)

    assert until(lambda: servers_of(folder) == [])
    assert trials(folder) == ["ref/levels/c1/1"]
    assert check_integrity(folder).status == "intact"


LEVELS_THAT_LAST = """
[[level]]
id = "c1"
concurrency = 1
requests = 3

[[level]]
id = "c2"
concurrency = 2
requests = 9000
"""
