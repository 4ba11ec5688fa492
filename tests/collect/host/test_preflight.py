"""What speaks against a start: for each objection a case that raises it, and one just short of it."""

from __future__ import annotations

import pytest

from generator.collect.host.preflight import Facts, GpuState, flags_of, gpu_states, objections
from generator.collect.host.readings import Reading

GIB = 2**30


def gpu(**known: float) -> Facts:
    return Facts(gpus=(GpuState("gpu0", **known),))  # type: ignore[arg-type]  # counts among them


RAISED: list[tuple[Facts, str, str, str]] = [
    (gpu(processes=1), "gpu_busy", "refuse", "gpu0 is in use: 1 process"),
    (gpu(processes=2, utilisation=0.37), "gpu_busy", "refuse", "gpu0 is in use: 2 processes, busy 37% of the time"),
    # 5 % of 24 GB are 1.2 GB.
    (gpu(memory_used=1.3e9, memory_total=24e9), "gpu_busy", "refuse", "gpu0 is in use: 1.3 of 24.0 GB held"),
    (gpu(temperature=66), "gpu_hot", "warn", "gpu0 is at 66 °C before the load; the bound is 65 °C"),
    (gpu(temperature=80), "gpu_hot", "refuse", "gpu0 is at 80 °C before the load; the bound is 80 °C"),
    (
        Facts(concurrency=12, slots=8),
        "above_slots",
        "warn",
        "concurrency 12 is above the server's 8 slots: 4 will queue",  # 12 - 8
    ),
    (
        Facts(slot_context=1279, input_tokens=1024, output_tokens=256),
        "short_context",
        "refuse",
        "a request of 1024 + 256 = 1280 tokens does not fit a context of 1279",
    ),
    (
        Facts(kv_tokens=10_239, concurrency=8, input_tokens=1024, output_tokens=256),
        "small_pool",
        "warn",
        "8 requests of 1280 tokens need 10240 tokens of KV cache; the pool holds 10239",  # 8 × 1280
    ),
    (Facts(prefix_cache=True), "prefix_cache", "warn", "the server's prompt cache is on"),
    (Facts(port=8000, port_taken=True), "port_taken", "refuse", "port 8000 is in use by another process"),
    (
        Facts(disk_free=500_000_000, disk_needed=2_000_000_000),
        "disk_full",
        "refuse",
        "0.50 GB are free; the round needs about 2.00 GB",
    ),
    (Facts(clock_monotonic=False), "clock_back", "refuse", "the monotonic clock went back"),
    (
        Facts(clock_finest_s=4e-3),
        "clock_coarse",
        "warn",
        "the clock of the run tells no less than 4000 µs apart",  # 4 ms, of a kernel that ticks 250 times a second
    ),
    (
        Facts(clock_synchronised=False),
        "clock_unsynchronised",
        "warn",
        "nobody keeps the wall clock right: times cannot be laid beside those of other machines",
    ),
    (
        Facts(clock_steps_s=(-1.5, 0.25)),
        "clock_stepped",
        "warn",
        "the wall clock was set while it was looked at: -1.500 s, +0.250 s",
    ),
    (
        Facts(seed=7, earlier_seeds={7: "round-2 c8/1"}),
        "seed_used",
        "refuse",
        "seed 7 was used before, by round-2 c8/1: its prompts would repeat",
    ),
    (
        Facts(flags={"dtype": "auto", "x": ""}, baseline_flags={"dtype": "half"}),
        "flags_differ",
        "warn",
        "flags differ from the baseline's: --dtype auto (baseline half), --x given (baseline not given)",
    ),
]

NOT_RAISED = [
    Facts(),
    gpu(processes=0, utilisation=0.10, memory_used=1.2e9, memory_total=24e9, temperature=65),
    gpu(memory_used=9e9),  # of how much is not known
    Facts(gpus=(GpuState("gpu0", processes=1, memory_used=9e9, memory_total=10e9),), attached=True),
    Facts(concurrency=8, slots=8),
    Facts(slot_context=1280, input_tokens=1024, output_tokens=256),
    Facts(slot_context=10, input_tokens=1024),
    Facts(kv_tokens=10_240, concurrency=8, input_tokens=1024, output_tokens=256),
    Facts(kv_tokens=1, concurrency=8),
    Facts(prefix_cache=False),
    Facts(port=8000, port_taken=False),
    Facts(port=8000, port_taken=True, attached=True),
    Facts(disk_free=2_000_000_000, disk_needed=2_000_000_000),
    Facts(clock_monotonic=True),
    Facts(seed=8, earlier_seeds={7: "round-2"}),
    Facts(flags={"dtype": "auto", "port": "1"}, baseline_flags={"dtype": "auto", "port": "2"}),
    Facts(flags={"dtype": "auto"}),
]


@pytest.mark.parametrize(
    ("facts", "key", "level", "sentence"), RAISED, ids=[f"{key}-{level}" for _, key, level, _ in RAISED]
)
def test_what_speaks_against_a_start(facts: Facts, key: str, level: str, sentence: str) -> None:
    (found,) = objections(facts)
    assert (found.key, found.level, found.sentence) == (key, level, sentence)
    assert found.remedy
    assert "\n" not in found.sentence + found.remedy


@pytest.mark.parametrize("facts", NOT_RAISED)
def test_what_does_not(facts: Facts) -> None:
    assert objections(facts) == []


def test_what_refuses_comes_first() -> None:
    facts = Facts(prefix_cache=True, concurrency=9, slots=8, port=1, port_taken=True, clock_monotonic=False)
    assert [one.key for one in objections(facts)] == ["port_taken", "clock_back", "above_slots", "prefix_cache"]


def test_states_are_taken_from_readings() -> None:
    readings = [
        Reading("gpu0", "memory_used", 40.0 * GIB),
        Reading("gpu0", "temperature", None, "NotSupported"),
        Reading("gpu0.mig1", "processes", 2.0),
        Reading("host", "load_1min", 1.0),
    ]
    assert gpu_states(readings) == (GpuState("gpu0", memory_used=40.0 * GIB), GpuState("gpu0.mig1", processes=2))


def test_flags_of_a_command_line() -> None:
    argv = ["vllm", "serve", "toy", "--max_num-seqs", "8", "--dtype=auto", "--eager", "-c", "4096", "--temp", "-1", "-"]
    assert flags_of(argv) == {"max-num-seqs": "8", "dtype": "auto", "eager": "", "c": "4096", "temp": "-1 -"}
