from __future__ import annotations

import re

import numpy as np
import pytest

from generator.logs.llamacpp import EVENTS
from generator.runs.log_events import EventTable
from tests.support.server_logs import events_of


def counted(log: str) -> dict[str, int]:
    return {key: len(table) for key, table in events_of(log, EVENTS).items() if len(table)}


def row(log: str, kind: str) -> dict[str, float]:
    """Return the columns of the only event of a kind that are known."""
    table: EventTable = events_of(log, EVENTS)[kind]
    assert len(table) == 1
    return {name: float(cells[0]) for name, cells in table.columns.items() if not np.isnan(cells[0])}


# A request, in the words of each era


ERA_A = """\
{"timestamp":1697,"level":"INFO","function":"main","line":1,"message":"build info","build":1269,"commit":"51a7cf5"}
slot 1 is processing [task id: 5]
slot 1 : kv cache rm - [12, end)
print_timings: prompt eval time =     256.00 ms /   500 tokens (    0.51 ms per token,  1953.12 tokens per second)
print_timings:        eval time =    1000.00 ms /    50 runs   (   20.00 ms per token,    50.00 tokens per second)
print_timings:       total time =    1256.00 ms
slot 1 released (561 tokens in cache)
"""

SAID = 'tid="140" timestamp=1748127207 id_slot=1 id_task=5'
ERA_B = f"""\
INFO [                    main] build info | tid="140" timestamp=1748126804 build=1269 commit="51a7cf5"
INFO [   launch_slot_with_task] slot is processing task | {SAID}
INFO [            update_slots] kv cache rm [p0, end) | {SAID} p0=12
INFO [           print_timings] prompt eval time     =     256.00 ms /   500 tokens (    0.51 ms each) | {SAID} n=500
INFO [           print_timings] generation eval time =    1000.00 ms /    50 runs   (   20.00 ms per token) | {SAID}
INFO [           print_timings]           total time =    1256.00 ms | {SAID} t_total=1256.0
INFO [            update_slots] slot released | {SAID} n_ctx=4096 n_past=561 n_system_tokens=0 truncated=false
"""

AS_JSON = '{"tid":"140","timestamp":1748127207,"level":"INFO","function":"f","line":7,"msg":"'
WHOSE = '","id_slot":1,"id_task":5'
ERA_B_JSON = f"""\
{AS_JSON}build info","build":1269,"commit":"51a7cf5"}}
{AS_JSON}slot is processing task{WHOSE}}}
{AS_JSON}kv cache rm [p0, end){WHOSE},"p0":12}}
{AS_JSON}prompt eval time     =     256.00 ms /   500 tokens (    0.51 ms per token){WHOSE}}}
{AS_JSON}generation eval time =    1000.00 ms /    50 runs   (   20.00 ms per token){WHOSE}}}
{AS_JSON}          total time =    1256.00 ms{WHOSE}}}
{AS_JSON}slot released{WHOSE},"n_ctx":4096,"n_past":561,"truncated":false}}
"""

ERA_C = """\
build: 1269 (51a7cf5) with cc for x86_64-linux-gnu
slot launch_slot_: id  1 | task 5 | processing task
slot update_slots: id  1 | task 5 | kv cache rm [12, end)
slot      release: id  1 | task 5 | stop processing: n_past = 561, truncated = 0
slot print_timing: id  1 | task 5 | 
prompt eval time =     256.00 ms /   500 tokens (    0.51 ms per token,  1953.12 tokens per second)
       eval time =    1000.00 ms /    50 tokens (   20.00 ms per token,    50.00 tokens per second)
      total time =    1256.00 ms /   550 tokens
"""  # noqa: W291 - the server writes that blank

ERA_D = """\
0.00.004.210 I cmn  common_param: common_params_print_info: build 1269 (51a7cf5) with GNU 10.2.1 for Linux x86_64
0.08.000.001 I slot launch_slot_: id  1 | task 5 | processing task, is_child = 0
0.08.000.002 I slot   operator(): id  1 | task 5 | cached n_tokens = 12, memory_seq_rm [12, end)
0.10.000.000 I slot print_timing: id  1 | task 5 | prompt eval time =     256.00 ms /   500 tokens (    0.51 ms each)
0.10.000.001 I slot print_timing: id  1 | task 5 |        eval time =    1000.00 ms /    50 tokens (   20.00 ms each)
0.10.000.002 I slot print_timing: id  1 | task 5 |       total time =    1256.00 ms /   550 tokens
0.10.000.003 I slot      release: id  1 | task 5 | stop processing: n_tokens = 561, truncated = 0
"""

AS_JSONL = "".join(
    f'{{"type":"log","time":{n},"level":"info","msg":"{line.partition(" I ")[2]}\\n"}}\n'
    for n, line in enumerate(ERA_D.splitlines())
)
OF_A_ROUTER = "".join(f"[18441] {line}\n" for line in ERA_D.splitlines())
OF_A_JOURNAL = "".join(f"2026-02-18T10:54:38+01:00 gemma3.server[140011]: {line}\n" for line in ERA_C.splitlines())

ERAS = pytest.mark.parametrize(
    "log",
    [
        pytest.param(ERA_A, id="2023"),
        pytest.param(ERA_B, id="early 2024, and ik_llama.cpp"),
        pytest.param(ERA_B_JSON, id="early 2024, as JSON"),
        pytest.param(ERA_C, id="to May 2026"),
        pytest.param(OF_A_JOURNAL, id="to May 2026, in a journal"),
        pytest.param(ERA_D, id="since"),
        pytest.param(AS_JSONL, id="since, as JSON"),
        pytest.param(OF_A_ROUTER, id="since, of a router"),
    ],
)


@ERAS
def test_a_request_of_any_era_is_told_of_alike(log: str) -> None:
    found = {kind: number for kind, number in counted(log).items() if kind != "timing_block"}

    kinds = ("launch", "cache_position", "prompt_timing", "decode_timing", "total_timing", "release", "build")
    assert found == dict.fromkeys(kinds, 1)
    assert row(log, "prompt_timing").items() >= {"ms": 256, "tokens": 500}.items()
    assert row(log, "decode_timing").items() >= {"ms": 1000, "tokens": 50}.items()
    assert row(log, "total_timing")["ms"] == 1256
    assert row(log, "cache_position")["cached"] == 12
    assert row(log, "release")["tokens"] == 561
    assert row(log, "build")["number"] == 1269


@ERAS
def test_slot_and_task_stand_with_the_launch(log: str) -> None:
    assert (row(log, "launch")["slot"], row(log, "launch")["task"]) == (1, 5)


# Single lines


@pytest.mark.parametrize(
    ("line", "kind", "columns"),
    [
        ("slot print_timing: id  3 | task 73 |    graphs reused =        139", "graphs_reused", {"count": 139}),
        (
            "slot print_timing: id  0 | task 0 | draft acceptance = 0.28957 (  161 accepted /   556 generated), mean",
            "draft",
            {"accepted": 161, "drafted": 556},
        ),
        (
            "draft acceptance rate = 0.57576 (   19 accepted /    33 generated)",
            "draft",
            {"accepted": 19, "drafted": 33},
        ),
        ("slot launch_slot_: id  3 | task 9 | processing task, is_child = 1", "launch", {"child": 1}),
        (
            "slot      release: id  0 | task 4 | stop processing: n_tokens = 99, truncated = 1",
            "release",
            {"truncated": 1},
        ),
        (
            "slot update_slots: id  0 | task 4 | n_tokens = 2048, memory_seq_rm [2048, end)",
            "cache_position",
            {"cached": 2048},
        ),
        (
            "slot get_availabl: id  3 | task -1 | selected slot by LCP similarity, f_sim_best = 0.998 (> 0.100 thold)",
            "similar_slot",
            {"similarity": 0.998, "task": -1},
        ),
        (
            "slot get_availabl: id  3 | task -1 | selected slot by lcs similarity, lcs_len = 52, similarity = 0.754",
            "similar_slot",
            {"similarity": 0.754},
        ),
        ("2.13.151.057 W srv          stop: cancel task, id_task = 10", "cancel", {"task": 10}),
        ("2.13.151.006 E srv    send_error: task id = 10, error: decode() failed: lost", "error_sent", {"task": 10}),
        ("srv    load_model: initializing slots, n_slots = 4", "slots", {"slots": 4}),
        (
            "srv    load_model: initializing, n_slots = 1, n_ctx_slot = 4096, kv_unified = 'true'",
            "slots",
            {"context": 4096},
        ),
        ('INFO [ init] initializing slots | tid="1" timestamp=1 n_slots=2', "slots", {"slots": 2}),
        ("slot   load_model: id  0 | task -1 | new slot, n_ctx = 8192", "slot_context", {"context": 8192}),
        ("slot         init: id  0 | task -1 | new slot n_ctx_slot = 4096", "slot_context", {"context": 4096}),
        ('INFO [ init] new slot | tid="1" timestamp=1 id_slot=0 n_ctx_slot=32768', "slot_context", {"context": 32768}),
        ("llama_kv_cache:    Vulkan0 KV buffer size =  1536.00 MiB", "kv_buffer", {"mib": 1536}),
        ("llama_kv_cache: size = 3102.00 MiB (132352 cells,  12 layers,  1/1 seqs)", "kv_cache", {"mib": 3102}),
        (
            "llama_new_context_with_model: KV self size  = 1166.62 MiB, c^KV (q8_0): 1166.62 MiB",
            "kv_cache",
            {"mib": 1166.62},
        ),
        ("llama_memory_recurrent:    Vulkan0 RS buffer size =    62.81 MiB", "state_buffer", {"mib": 62.81}),
        ("load_tensors:   CPU_Mapped model buffer size =   456.11 MiB", "model_buffer", {"mib": 456.11}),
        ("llm_load_tensors:      CUDA0 buffer size = 61878.12 MiB", "model_buffer", {"mib": 61878.12}),
        ("sched_reserve: Vulkan_Host compute buffer size =   266.52 MiB", "compute_buffer", {"mib": 266.52}),
        ("llama_context:        CPU  output buffer size =     0.58 MiB", "output_buffer", {"mib": 0.58}),
        ("load_tensors: offloaded 29/33 layers to GPU", "offload", {"layers": 29, "of": 33}),
        ("build_info: b9010-d05fe1d7d", "build", {"number": 9010}),
        ("main: server is listening on http://127.0.0.1:8080 - starting the main loop", "ready", {}),
        ("0.06.034.205 I srv  llama_server: listening on http://127.0.0.1:8094", "ready", {}),
    ],
)
def test_a_line_is_told_from_all_others(line: str, kind: str, columns: dict[str, float]) -> None:
    assert counted(line) == {kind: 1}
    assert row(line, kind).items() >= columns.items()


@pytest.mark.parametrize(
    "line",
    [
        "srv  update_slots: failed to decode the batch: KV cache is full - try increasing it, i = 0",
        "2.13.150.991 E srv  update_slots: decode() failed: vk::Queue::submit: ErrorDeviceLost",
        "srv  update_slots: Context size has been exceeded. off = 0",
        "srv    load_model: failed to load model, 'm.gguf'",
        "/src/ggml/src/ggml-cuda/rope.cu:370: GGML_ASSERT(src0->type == GGML_TYPE_F32) failed",
    ],
)
def test_failures_of_the_engine(line: str) -> None:
    assert counted(line) == {"error": 1}


@pytest.mark.parametrize(
    "line",
    [
        "srv  update_slots: failed to find free space in the KV cache, retrying with smaller batch size, i = 0",
        "0.16.623.997 W srv  decode: failed to find free space in the KV cache, retrying with smaller batch size",
    ],
)
def test_a_full_pool_that_is_tried_again_is_no_failure_yet(line: str) -> None:
    assert counted(line) == {"kv_full": 1}


@pytest.mark.parametrize(
    "line",
    [
        "E llama_init_from_model: failed to initialize the context: (this warning is normal during memory fitting)",
        "W common_fit_params: failed to fit params to free device memory",
        "slot launch_slot_: id  3 | task -1 | sampler chain: logits -> top-k -> temp-ext -> greedy",
        "slot get_availabl: id  3 | task -1 | selected slot by LRU, t_last = -1",
        "main: HTTP server is listening, hostname: 127.0.0.1, port: 8080, http threads: 7",
        "srv  log_server_r: done request: POST /v1/completions 127.0.0.1 200",
        "slot print_timing: id  0 | task 1 | prompt processing, n_tokens =   2048, progress = 0.25, t =   3.10 s",
        "the user says: slot launch_slot_: id  3 | task 9 | processing task, is_child = 0",
        "> slot launch_slot_: id  3 | task 9 | processing task",
    ],
)
def test_other_lines_are_no_events(line: str) -> None:
    assert counted(line) == {}


def test_a_decimal_comma_and_a_division_by_zero() -> None:
    log = """\
llama_print_timings: prompt eval time =     405,00 ms /    10 tokens (   40,50 ms per token,    24,69 tokens per second)
llama_print_timings: prompt eval time =       0.00 ms /     1 tokens (    0.00 ms per token,      inf tokens per second)
llama_print_timings:        eval time =       -nan ms /     1 runs   (    -nan ms per token,     -nan tokens per second)
"""
    found = events_of(log, EVENTS)

    assert found["prompt_timing"].columns["ms"].tolist() == [405, 0]
    assert np.isnan(found["decode_timing"].columns["ms"]).tolist() == [True]
    assert found["decode_timing"].columns["tokens"].tolist() == [1]


def test_the_time_of_a_line_is_that_since_the_start() -> None:
    # 12 min 5.449356 s, behind our own clock
    ours = "18562762756904 2026-11-29T22:28:48.711968Z | "
    line = f"{ours}12.05.449.356 I slot launch_slot_: id  1 | task 8 | processing task"
    table = events_of(line, EVENTS)["launch"]

    assert table.own.tolist() == [pytest.approx(725.449356)]
    assert table.clock.tolist() == [18562.762756904]


def test_every_kind_is_found_by_plain_words() -> None:
    assert [kind.key for kind in EVENTS if not re.match(rb"[A-Za-z_ ]{2,}", kind.pattern.pattern)] == []
