"""Sources that are slow, hang or raise: the others go on, nothing drifts, and what was missed is written down."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from generator.collect.host.readings import Reading
from generator.collect.host.sampler import Clock, S, Sampler
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


class MadeClock(Clock):
    """Time passes as the sampler waits for it, and as its ticks take it; the first tick is at 0."""

    def __init__(self, *took: float) -> None:
        """Take how long each tick takes, in ticks; behind the last one it is over."""
        self.ns = 0
        self.took = iter(took)
        self.ticks: list[float] = []

    def now(self) -> int:
        return self.ns

    def wait(self, over: threading.Event, seconds: float) -> bool:
        self.ns += round(seconds * S)
        took = next(self.took, None)
        if took is None:
            return True
        self.ticks.append(self.ns / S / TICK)
        self.ns += round(took * TICK * S)
        return False


def test_ticks_do_not_drift(tmp_path: Path) -> None:
    # Each tick takes 0.4 ticks: on a schedule that is not absolute, they would lie 1.4 apart.
    clock = MadeClock(0.4, 0.4, 0.4, 0.4)
    Sampler([], tmp_path / "s.jsonl", every_s=TICK, clock=clock)._tick_on()
    assert clock.ticks == pytest.approx([0, 1, 2, 3])


def test_a_slow_source_is_asked_at_every_tick_that_it_leaves_time_for(tmp_path: Path) -> None:
    slow = Made("slow", lambda _: time.sleep(TICK / 2))
    times, _ = sampled(tmp_path, 16 * TICK, slow).series("slow", "n")
    assert 0.8 < float(np.median(np.diff(times))) / 1e9 / TICK < 1.2


def test_a_sampler_that_was_not_run_says_which_ticks_it_missed(tmp_path: Path) -> None:
    # The first tick takes 3.5 ticks: 1, 2 and 3 pass meanwhile, and the next one is 4.
    clock = MadeClock(3.5, 0, 0)
    sampler = Sampler([], tmp_path / "s.jsonl", every_s=TICK, clock=clock)
    sampler._lines.open()
    sampler._tick_on()
    sampler.stop()
    to_parquet(tmp_path / "s.jsonl", tmp_path / "s.parquet")
    ((name, _, seconds, note),) = read_table(tmp_path / "s.parquet").gaps()
    assert clock.ticks == pytest.approx([0, 4, 5])
    assert (name, note) == ("sampler", "missed the sampler was not run")
    assert seconds == pytest.approx(3 * TICK)


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


def test_only_quick_sources_are_asked_at_every_tick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Ten ticks a second: at 0, 0.1, … 1.1 s the quick one is asked twelve times, the other one at 0 and at 1 s.
    clock = MadeClock(*[0.0] * 12)
    sampler = Sampler([Made("engine"), Made("gpu")], tmp_path / "s.jsonl", every_s=TICK, quick={"engine"}, clock=clock)
    asked: dict[str, list[float]] = {"engine": [], "gpu": []}

    def ask(name: str) -> bool:
        asked[name].append(clock.ticks[-1])
        return True

    for worker in sampler._workers:
        monkeypatch.setattr(worker, "ask", partial(ask, worker.source.name))
    sampler._tick_on()

    assert asked["engine"] == pytest.approx(list(range(12)))
    assert asked["gpu"] == pytest.approx([0, 10])


def test_slower_than_once_a_second_all_are_asked_alike(tmp_path: Path) -> None:
    sampler = Sampler([Made("engine"), Made("gpu")], tmp_path / "s.jsonl", every_s=5.0, quick={"engine"})

    assert all(sampler._is_due(worker, number) for worker in sampler._workers for number in range(3))
