from __future__ import annotations

import io
import time
from collections.abc import Mapping

import httpx
import pytest

from generator.collect.reference.engine_log import LlamaLog, VllmLog
from generator.collect.reference.model import FAST
from generator.collect.reference.scheduler import Engine, Sequence
from generator.collect.reference.settings import Settings, Stage, Style
from generator.logs.llamacpp import EVENTS as LLAMACPP
from generator.logs.vllm import EVENTS as VLLM
from generator.logs.vllm import FACTS as VLLM_FACTS
from tests.collect.reference.running import asking, running
from tests.collect.reference.simulating import simulate
from tests.support.server_logs import events_of, facts_of


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("style", ["vllm", "llamacpp"])
def test_the_first_line_says_what_it_is(style: Style) -> None:
    with running(Settings(style=style, machine=FAST)) as server:
        assert "reference server (simulated)" in server.log.getvalue().splitlines()[0]


@pytest.mark.parametrize("style", ["llamacpp", "vllm"])
def test_readers_of_engine_logs_find_each_request(style: Style) -> None:
    with running(Settings(style=style, machine=FAST)) as server:
        for _ in range(3):
            httpx.post(f"{server.url}/v1/completions", json=asking(2))
        httpx.get(f"{server.url}/metrics")
    kinds = {"llamacpp": LLAMACPP, "vllm": VLLM}[style]
    assert len(events_of(server.log.getvalue(), kinds)["launch"]) == 3


def test_llamacpp_tells_the_timings_of_a_request() -> None:
    out, clock = io.StringIO(), Clock()
    log = LlamaLog(out, clock)
    clock.now += 61.001002
    one = Sequence(7, prompt=10, output=4, arrived=0, first=20_000_000, ended=50_000_000, slot=3, prefilled=10, made=4)
    log.ended(one)
    # 10 tokens in 20 ms; 4 in 30 ms, 133.33 a second
    prompt = "20.00 ms /    10 tokens (    2.00 ms per token,   500.00 tokens per second)"
    answer = "30.00 ms /     4 tokens (    7.50 ms per token,   133.33 tokens per second)"
    assert out.getvalue().splitlines() == [
        f"1.01.001.002 I slot print_timing: id  3 | task 7 | prompt eval time =      {prompt}",
        f"1.01.001.002 I slot print_timing: id  3 | task 7 |        eval time =      {answer}",
        "1.01.001.002 I slot print_timing: id  3 | task 7 |       total time =      50.00 ms /    14 tokens",
        "1.01.001.002 I slot      release: id  3 | task 7 | stop processing: n_tokens = 14, truncated = 0",
    ]


def test_llamacpp_tells_the_kv_pool_and_the_slots() -> None:
    out = io.StringIO()
    LlamaLog(out).listening(Engine(FAST), 1234)
    # 1024 blocks of 16 tokens of 8192 B
    assert "size =   128.00 MiB ( 16384 cells)" in out.getvalue()
    assert "n_slots = 8, n_ctx_slot = 4096" in out.getvalue()
    assert "listening on http://127.0.0.1:1234" in out.getvalue()


def test_who_goes_away_is_told() -> None:
    out = io.StringIO()
    LlamaLog(out).cancelled(Sequence(4, 1, 1, 0))
    assert "cancel task, id_task = 4" in out.getvalue()
    assert "release" not in out.getvalue()  # it never had a slot


def test_vllm_tells_what_was_done_since_the_last_time() -> None:
    out, clock = io.StringIO(), Clock()
    log, engine = VllmLog(out, clock), Engine(FAST)
    log.loading(engine)
    simulate(engine, [Sequence(0, prompt=100, output=50, arrived=0)])
    clock.now += 10
    log.statistics()
    # 100 and 50 tokens in 10 s
    assert (
        "Avg prompt throughput: 10.0 tokens/s, Avg generation throughput: 5.0 tokens/s, Running: 0 reqs"
        in out.getvalue()
    )


def test_a_server_of_vllms_style_tells_it_now_and_then() -> None:
    with running(Settings(machine=FAST, stats_seconds=0.05)) as server:
        httpx.post(f"{server.url}/v1/completions", json=asking(3))
        deadline = time.monotonic() + 5
        while "throughput" not in server.log.getvalue() and time.monotonic() < deadline:
            time.sleep(0.02)
        assert len(events_of(server.log.getvalue(), VLLM)["stats"]) > 0


def test_vllm_tells_of_doing_nothing_once() -> None:
    out, clock = io.StringIO(), Clock()
    log, engine = VllmLog(out, clock), Engine(FAST)
    log.loading(engine)
    simulate(engine, [Sequence(0, prompt=100, output=50, arrived=0)])
    for _ in range(4):
        clock.now += 10
        log.statistics()
    told = [line for line in out.getvalue().splitlines() if "throughput" in line]
    assert ["prompt throughput: 10.0 " in line for line in told] == [True, False]


def test_vllm_tells_of_preemptions_in_the_words_that_readers_of_logs_look_for() -> None:
    out, clock = io.StringIO(), Clock()
    log, engine = VllmLog(out, clock), Engine(FAST)
    log.loading(engine)
    for preemptions, made in ((3, 10), (3, 20), (5, 30)):
        engine.totals.preemptions, engine.totals.generated = preemptions, made
        clock.now += 10
        log.statistics()
    # 3, none, and 2 more
    assert list(events_of(out.getvalue(), VLLM)["stats"].columns["preemptions"]) == pytest.approx(
        [3, float("nan"), 2], nan_ok=True
    )
    assert "Waiting: 0 reqs, Preemptions: 3, GPU KV cache usage: 0.0%" in out.getvalue()


STAGES: Mapping[Stage, float] = {"import": 0.4, "weights": 1.25, "compile": 2.0, "kv": 0.2, "warm_up": 0.3}


def test_vllm_tells_of_the_stages_of_its_start() -> None:
    out = io.StringIO()
    log = VllmLog(out)
    for stage, seconds in STAGES.items():
        log.passed(Engine(FAST), stage, seconds)
    log.listening(Engine(FAST), 1234)
    facts = facts_of(out.getvalue(), VLLM, VLLM_FACTS)
    # 2.0 + 0.2 + 0.3 s after the weights; 1024 blocks of 16 tokens of 8192 B are 0.125 GiB, printed as 0.12
    assert (facts["weights_seconds"], facts["compile_seconds"], facts["start_seconds"]) == (1.25, 2.0, 2.5)
    assert (facts["kv_pool_tokens"], facts["kv_pool_bytes"]) == (16384, 0.12 * 2**30)
    assert out.getvalue().count("KV cache size") == 1


def test_llamacpp_tells_of_its_start_in_order() -> None:
    out = io.StringIO()
    log = LlamaLog(out)
    log.loading(Engine(FAST))
    for stage, seconds in STAGES.items():
        log.passed(Engine(FAST), stage, seconds)
    log.listening(Engine(FAST), 1234)
    marks = (
        "simulated",
        "loading model",
        "model buffer",
        "llama_kv_cache",
        "warming up",
        "n_slots",
        "model loaded",
        "//",
    )
    assert [mark for line in out.getvalue().splitlines() for mark in marks if mark in line] == list(marks)


def test_a_log_that_cannot_be_written_stops_nothing() -> None:
    class Full(io.StringIO):
        def write(self, text: str, /) -> int:
            raise OSError(28, "No space left on device")

    LlamaLog(Full()).stopping()
