from __future__ import annotations

import io

import httpx
import pytest

from generator.collect.reference.engine_log import LlamaLog, VllmLog
from generator.collect.reference.model import FAST
from generator.collect.reference.scheduler import Engine, Sequence
from generator.collect.reference.settings import Settings, Style
from generator.logs.llamacpp import EVENTS as LLAMACPP
from generator.logs.vllm import EVENTS as VLLM
from tests.collect.reference.running import asking, running
from tests.collect.reference.simulating import simulate
from tests.support.server_logs import events_of


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


def test_vllm_tells_rates_every_ten_seconds() -> None:
    out, clock = io.StringIO(), Clock()
    log, engine = VllmLog(out, clock), Engine(FAST)
    log.loading(engine)
    one = Sequence(0, prompt=100, output=50, arrived=0)
    simulate(engine, [one])
    clock.now += 9.9
    log.ended(one)
    assert "throughput" not in out.getvalue()
    clock.now += 0.1
    log.ended(one)
    # 100 and 50 tokens in 10 s
    assert (
        "Avg prompt throughput: 10.0 tokens/s, Avg generation throughput: 5.0 tokens/s, Running: 0 reqs"
        in out.getvalue()
    )
    clock.now += 10
    log.ended(one)
    assert "Avg prompt throughput: 0.0 tokens/s" in out.getvalue().splitlines()[-1]


def test_a_log_that_cannot_be_written_stops_nothing() -> None:
    class Full(io.StringIO):
        def write(self, text: str, /) -> int:
            raise OSError(28, "No space left on device")

    LlamaLog(Full()).stopping()
