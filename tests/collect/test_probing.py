from __future__ import annotations

import pytest

from generator.collect import probing
from generator.collect.host.probe import Probe, Reached, measured, probe_machine
from generator.collect.probing import probe_of, threads_of, told, usable_cpus
from generator.declared.round_tables import SeriesTable

FOUND = Probe(Reached(10.0, 9.0, 11.0, "read"), Reached(0.08, 0.07, 0.09, "FP32 matrix product"), 2)


def series(*argv: str, **table: object) -> SeriesTable:
    return SeriesTable.model_validate({"id": "s", "argv": argv, **table})


@pytest.mark.slow
def test_a_child_process_measures() -> None:
    found = probe_machine(1)
    assert found is not None
    assert found.threads == 1
    for one in (found.bandwidth_gb_s, found.compute_tflops):
        assert 0 < one.low <= one.median <= one.high < 1e5


def test_rates_are_amounts_over_time(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(10_000))
    monkeypatch.setattr("generator.collect.host.probe.time.perf_counter", lambda: float(next(ticks)))
    found = measured(1, array_bytes=4096, side=8)
    # every repeat takes a second: copying moves 2 × 4096 bytes, reading half; 2 × 8³ operations
    assert found["bandwidth_gb_s"] == {"median": 8192e-9, "low": 8192e-9, "high": 8192e-9, "how": "copy"}
    assert found["compute_tflops"]["median"] == 1024e-12


def test_threads_are_the_most_that_an_engine_is_told() -> None:
    assert threads_of([series("llama-server", "-t", "2"), series("llama-server", "--threads", "6")]) == 6
    assert threads_of([series("llama-server", "-t", "many")]) == usable_cpus()
    assert threads_of([]) == usable_cpus() >= 1


def test_only_what_the_engines_run_on_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def probed(threads: int) -> Probe:
        asked.append(threads)
        return FOUND

    monkeypatch.setattr(probing, "probe_machine", probed)
    monkeypatch.setattr(probing, "_has_gpu", lambda: False)
    assert probe_of([series("llama-server", "-t", "3")]) == FOUND
    assert probe_of([series(endpoint="http://example.org")]) is None
    assert probe_of([SeriesTable(id="s", kind="reference")]) is None
    monkeypatch.setattr(probing, "_has_gpu", lambda: True)
    assert probe_of([series("vllm")]) is None
    assert asked == [3]


def test_a_child_that_fails_is_no_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.collect.host.probe.sys.executable", "/none")
    assert probe_machine(1) is None


def test_a_line_says_what_was_measured_and_its_spread() -> None:
    assert told(FOUND) == "10.0 GB/s (read, 9.0–11.0), 0.08 TFLOP/s (FP32 matrix product, 0.07–0.09), 2 threads"
