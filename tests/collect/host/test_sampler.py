"""Sources that are slow, hang or raise: the others go on, nothing drifts, and what was missed is written down."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest

from generator.collect.host.readings import Reading
from generator.collect.host.sampler import Sampler
from generator.collect.host.samples import to_parquet
from tests.support.sampled import Table, read_table

TICK = 0.1


class Made:
    """A source that does as it is told."""

    def __init__(self, name: str, act: Callable[[int], object] = lambda _: None) -> None:
        self.name = name
        self.act = act
        self.times: list[float] = []

    def read(self) -> Iterable[Reading]:
        self.times.append(time.monotonic())
        self.act(len(self.times))
        return [Reading(self.name, "n", float(len(self.times)))]


def sampled(path: Path, seconds: float, *sources: Made, budget: float = 10.0) -> Table:
    budgets = {source.name: budget for source in sources}
    with Sampler(sources, path / "s.jsonl", every_s=TICK, budgets_s=budgets) as sampler:
        time.sleep(seconds)
    assert sampler.fault == ""
    assert to_parquet(path / "s.jsonl", path / "s.parquet") == 0
    return read_table(path / "s.parquet")


def gaps_of(samples: Table, source: str) -> list[str]:
    return [note.split(" ")[0] for name, _, _, note in samples.gaps() if name == source]


def test_ticks_do_not_drift(tmp_path: Path) -> None:
    class Laboured(Sampler):
        """Spends 0.4 ticks on each tick: on a schedule that is not absolute, ticks would lie 1.4 apart."""

        def _tick(self) -> None:
            time.sleep(0.4 * TICK)
            super()._tick()

    asked = Made("asked")
    with Laboured([asked], tmp_path / "s.jsonl", every_s=TICK):
        time.sleep(16 * TICK)
    assert 0.8 < float(np.median(np.diff(asked.times))) / TICK < 1.2


def test_a_slow_source_is_asked_at_every_tick_that_it_leaves_time_for(tmp_path: Path) -> None:
    slow = Made("slow", lambda _: time.sleep(TICK / 2))
    times, _ = sampled(tmp_path, 16 * TICK, slow).series("slow", "n")
    assert 0.8 < float(np.median(np.diff(times))) / 1e9 / TICK < 1.2


def test_a_sampler_that_was_not_run_says_which_ticks_it_missed(tmp_path: Path) -> None:
    class Stopped(Sampler):
        """Is stopped for 3.5 ticks at its first: the ticks 1, 2 and 3 pass meanwhile."""

        def _tick(self) -> None:
            super()._tick()
            if len(asked.times) <= 1:
                time.sleep(3.5 * TICK)

    asked = Made("asked")
    with Stopped([asked], tmp_path / "s.jsonl", every_s=TICK):
        time.sleep(6 * TICK)
    to_parquet(tmp_path / "s.jsonl", tmp_path / "s.parquet")
    gaps = [
        (seconds, note) for name, _, seconds, note in read_table(tmp_path / "s.parquet").gaps() if name == "sampler"
    ]
    seconds, note = gaps[0]
    assert seconds == pytest.approx(3 * TICK)
    assert note == "missed the sampler was not run"


def test_a_source_that_hangs_keeps_nobody_and_its_gaps_are_recorded(tmp_path: Path) -> None:
    released = threading.Event()
    hanging, lively = Made("hanging", lambda _: released.wait(20)), Made("lively")
    sampler = Sampler([hanging, lively], tmp_path / "s.jsonl", every_s=TICK)
    sampler.start()
    time.sleep(10 * TICK)
    begun = time.monotonic()
    hung = sampler.stop(within_s=0.5)
    assert time.monotonic() - begun < 2
    assert hung == ("hanging",)
    written = (tmp_path / "s.jsonl").read_bytes()
    released.set()
    time.sleep(0.1)
    assert (tmp_path / "s.jsonl").read_bytes() == written  # its late answer comes to nothing
    to_parquet(tmp_path / "s.jsonl", tmp_path / "s.parquet")
    samples = read_table(tmp_path / "s.parquet")
    assert len(samples.series("lively", "n")[0]) >= 5
    assert len(samples.series("hanging", "n")[0]) == 0
    assert gaps_of(samples, "hanging").count("missed") >= 4
    assert gaps_of(samples, "hanging")[-1] == "hung"


def fail_at_odd_times(count: int) -> None:
    if count % 2:
        raise RuntimeError("Bearer sk-geheim-12345678")


def test_a_source_that_raises_is_asked_again(tmp_path: Path) -> None:
    samples = sampled(tmp_path, 8 * TICK, Made("raising", fail_at_odd_times))
    assert len(samples.series("raising", "n")[0]) >= 2
    assert gaps_of(samples, "raising").count("failed") >= 2
    assert all(note == "failed RuntimeError" for _, _, _, note in samples.gaps() if "failed" in note)
    assert "geheim" not in (tmp_path / "s.jsonl").read_text()


def test_an_answer_beyond_its_budget_is_kept_and_noted(tmp_path: Path) -> None:
    late = Made("late", lambda count: time.sleep(0.03 if count == 1 else 0))
    samples = sampled(tmp_path, 4 * TICK, late, budget=0.02)
    assert samples.series("late", "n")[1][0] == 1
    assert "slow" in gaps_of(samples, "late")


def test_a_source_that_is_no_generator_of_readings_fails_alone(tmp_path: Path) -> None:
    class Broken(Made):
        def read(self) -> Iterable[Reading]:
            yield Reading("broken", "n", 1.0)
            raise KeyError("half way")

    samples = sampled(tmp_path, 3 * TICK, Broken("broken"), Made("sound"))
    assert set(gaps_of(samples, "broken")) == {"failed"}
    assert len(samples.series("sound", "n")[0]) >= 1


def test_a_disk_that_cannot_be_written_raises_nothing(tmp_path: Path) -> None:
    sampler = Sampler([Made("one")], tmp_path / "missing" / "s.jsonl", every_s=TICK)
    sampler.start()
    time.sleep(2 * TICK)
    assert sampler.stop() == ()
    assert sampler.fault == "No such file or directory"


def test_a_sampler_that_was_never_started_stops_at_once(tmp_path: Path) -> None:
    assert Sampler([Made("one")], tmp_path / "s.jsonl").stop() == ()
    assert not (tmp_path / "s.jsonl").exists()


@pytest.mark.parametrize("count", [1, 5])
def test_stopping_at_once_leaves_no_thread(tmp_path: Path, count: int) -> None:
    before = threading.active_count()
    with Sampler([Made(f"s{n}") for n in range(count)], tmp_path / "s.jsonl", every_s=TICK):
        pass
    assert threading.active_count() == before
