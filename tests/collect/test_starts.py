"""Starts without a load: how many are missing, what each leaves, and that collecting goes on where it stopped."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest

from generator.catalogue import load
from generator.collect import campaign as module
from generator.collect.calibrate import Calibration
from generator.collect.campaign import Campaign, Collected, starts_pending
from generator.collect.engine_process.cold_start import NAME, ColdStart
from generator.collect.engine_process.page_cache import PageCache
from generator.collect.progress import Progress
from generator.collect.starts import starts_missing, told
from generator.declared.round_tables import SeriesTable
from generator.store.round_file import read_round_file
from generator.values import Address
from tests.support.plans import REFERENCE, series, write_plan
from tests.support.telling import analysed

QUIET = Progress(quiet=True)
CALIBRATED = Calibration(1, 20.0, 64, 0, {"p50": 5.0, "p99": 9.0, "max": 20.0}, 20.0, 20.0, 0.1, "kernel", 16, 0)
ONE_LEVEL = """
[[level]]
id = "c1"
concurrency = 1
requests = 2
"""


def sessions(home: Path, *numbers: int, with_start: bool = True) -> None:
    for number in numbers:
        folder = home / "sessions" / str(number)
        folder.mkdir(parents=True)
        if with_start:
            (folder / NAME).write_text("{}")


def test_starts_on_record_are_not_missing(tmp_path: Path) -> None:
    sessions(tmp_path, 1, 2)
    sessions(tmp_path, 3, with_start=False)  # an engine that never became ready
    assert starts_missing(tmp_path, SeriesTable(id="s", argv=("x",), starts=5)) == 3
    assert starts_missing(tmp_path, SeriesTable(id="s", argv=("x",), starts=2)) == 0


def test_a_single_start_is_that_of_the_load(tmp_path: Path) -> None:
    assert starts_missing(tmp_path, SeriesTable(id="s", endpoint="http://127.0.0.1:1")) == 0


def test_the_start_of_the_load_counts_as_one_that_is_still_to_come(tmp_path: Path) -> None:
    folder = write_plan(tmp_path / "r", series(starts=3), series("other"))
    file = read_round_file(folder)
    assert starts_pending(folder, file) == {"ref": 2}
    sessions(folder / "ref", 1)  # the first session broke off: another one will have to load
    assert starts_pending(folder, file) == {"ref": 1}


COLD = PageCache("cold", 0.02, 100, asked="dropped", before=1.0)
HALF = PageCache("partly", 0.5, 100, asked="dropped", before=1.0, not_dropped="No")
UNKNOWN = PageCache("unknown", reason="no model file is named")


@pytest.mark.parametrize(
    ("cache", "first", "said"),
    [
        (COLD, 3.0, "ready after 2.5 s, first token after 3.0 s, page cache cold (2% in memory)"),
        (HALF, 3.0, "ready after 2.5 s, first token after 3.0 s, page cache partly (50% in memory; not dropped: No)"),
        (UNKNOWN, None, "ready after 2.5 s, no first token, page cache unknown (no model file is named)"),
    ],
)  # fmt: skip
def test_a_start_is_told_in_a_line(cache: PageCache, first: float | None, said: str) -> None:
    start = ColdStart(1, "2026-11-29T10:00:00.000000Z", 1.0, 2.5, 2.6, first, first, None, cache)
    assert told(start) == said


STAGES = "import=0.05,weights=0.1"


def wrapped(folder: Path, first: str) -> str:
    """Write a script that does something first and then becomes the reference server with its arguments."""
    script = folder / "engine.sh"
    script.write_text(f'#!/bin/sh\n{first}\nexec {sys.executable} "$@"\n')
    script.chmod(0o700)
    return str(script)


def collect(folder: Path) -> Collected:
    return asyncio.run(Campaign(folder, load().engines, QUIET).collect())


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calibration has tests of its own and takes seconds."""

    async def calibrated(_: int, __: object) -> Calibration:
        return CALIBRATED

    monkeypatch.setattr(module, "calibrate", calibrated)
    monkeypatch.setattr(module, "probe_of", lambda _: None)


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_each_start_leaves_a_session_and_the_load_runs_in_the_first(tmp_path: Path) -> None:
    model = tmp_path / "model.gguf"
    model.write_bytes(b"x" * 65_536)
    argv = (wrapped(tmp_path, "shift 2"), "--model", str(model), *REFERENCE[1:], "--start-stages", STAGES)
    folder = write_plan(tmp_path / "r", series(argv=argv, starts=3, page_cache="dropped"), levels=ONE_LEVEL)

    collected = collect(folder)
    assert (len(collected.done), collected.starts, collected.failed) == (1, 2, [])
    found = {path.parent.name: json.loads(path.read_text()) for path in folder.glob(f"ref/sessions/*/{NAME}")}
    assert sorted(found) == ["1", "2", "3"]
    # 0.05 s before the port is open, 0.15 s before health is good
    assert all(start["port_s"] >= 0.05 and start["healthy_s"] >= 0.15 for start in found.values())
    assert all(start["first_completion_s"] > start["first_token_s"] > start["healthy_s"] for start in found.values())
    cache = found["2"]["page_cache"]
    assert (cache["asked"], cache["before"], cache["not_dropped"]) == ("dropped", 1.0, None)
    assert cache["state"] in {"cold", "warm"}  # a file system that lives in memory drops nothing
    assert all((folder / "ref" / "sessions" / number / "server.log.zst").exists() for number in found)
    assert not (folder / "ref" / ".session").exists()

    analysis = analysed(load().read(folder))
    frame = analysis.frame
    basis = cache["state"]
    assert frame.of_series("cold_starts_alike", "ref", basis).value == 3
    loading = [frame.values[Address("log_stage_weights_of_series", "series", "ref", trial=n)].value for n in (1, 2, 3)]
    assert all(seconds is not None and 0.1 <= seconds < 1 for seconds in loading)
    # The log tells the same start as we saw: within half a second, which is far more than it takes.
    assert [f.status for f in analysis.findings if f.check == "start_stages_agree"] == ["pass"]

    again = collect(folder)
    assert (len(again.done), again.starts) == (0, 0)

    (folder / "ref" / "sessions" / "3" / NAME).unlink()  # as after a start that was broken off
    assert (collect(folder).starts, len(list((folder / "ref" / "sessions").iterdir()))) == (1, 4)


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_an_engine_that_does_not_start_again_fails_its_series_and_keeps_the_load(tmp_path: Path) -> None:
    marker = tmp_path / "started"
    script = wrapped(tmp_path, f"[ -e '{marker}' ] && exit 3; touch '{marker}'")
    folder = write_plan(tmp_path / "r", series(argv=(script, *REFERENCE[1:]), starts=2), levels=ONE_LEVEL)

    collected = collect(folder)
    assert len(collected.done) == 1
    [failure] = collected.failed
    assert failure.startswith("ref: a start without load: ")
