from __future__ import annotations

import pytest

from generator.logs.vllm import ACCESS, EVENTS, FACTS
from generator.runs.log_events import Events
from tests.support.engine_logs import events_of, told

OLD = "INFO 06-12 09:00:00 metrics.py:396] "
V0 = "INFO 04-16 09:00:00 [metrics.py:489] "
V1 = "(APIServer pid=7) INFO 08-19 14:00:00 [loggers.py:310] "
NEWEST = "(EngineCore pid=21) INFO 11-02 10:00:00 [gpu_worker.py:359] "
CONFIG = "INFO 05-01 10:00:00 [core.py:58] Initializing a V1 LLM engine (v0.10.2) with config: model='m', "
SETTINGS = (
    "speculative_config=None, dtype=torch.bfloat16, max_seq_len=4096, tensor_parallel_size=1, "
    "pipeline_parallel_size=1, data_parallel_size=1, quantization=fp8, enforce_eager=False, kv_cache_dtype=auto, "
    "seed=11, served_model_name=m, enable_prefix_caching=True, use_async_output_proc=True"
)
GIB = 2.0**30


def log(*lines: str) -> Events:
    return events_of(EVENTS, *lines)


def facts(*lines: str) -> dict[str, float]:
    return told(FACTS, log(*lines))


@pytest.mark.parametrize(
    "line",
    [
        b'INFO:     127.0.0.1:57776 - "POST /v1/completions HTTP/1.1" 200 OK',
        b'(APIServer pid=9) INFO:     10.0.0.7:5 - "POST /v1/chat/completions HTTP/1.1" 200 OK',
        b'INFO:     ::1:40066 - "POST /v1/completions HTTP/1.1" 500 Internal Server Error',
        b'INFO:     ***:44802 - "POST /v1/completions HTTP/1.1" 200 OK',
    ],
    ids=["completions", "chat, behind a prefix", "refused, but there", "its address was struck out"],
)
def test_a_request_of_a_load_is_found(line: bytes) -> None:
    assert len(ACCESS.findall(line)) == 1
    assert facts(line.decode())["launches"] == 1


@pytest.mark.parametrize(
    "line",
    [
        'INFO:     127.0.0.1:57776 - "POST /tokenize HTTP/1.1" 200 OK',
        'INFO:     127.0.0.1:57776 - "GET /metrics HTTP/1.1" 200 OK',
        'INFO:     127.0.0.1:57776 - "POST /v1/completions/x HTTP/1.1" 404 Not Found',
        "INFO 11-02 10:00:00 [async_llm.py:1] Added request cmpl-1.",
        f"{V0}Received request cmpl-1: prompt: 'Avg prompt throughput: 9.0 tokens/s, Running: 9 reqs', params: …",
        f"{V1}Engine 000: vllm cache_config_info with initialization after num_gpu_blocks is: 900",
        "",
    ],
    ids=["another path", "metrics", "no such path", "an id", "a prompt that quotes a log", "blocks", "nothing"],
)
def test_other_lines_tell_of_nothing(line: str) -> None:
    assert ACCESS.search(line.encode()) is None
    assert facts(line) == {}


def test_answers_that_are_errors() -> None:
    access = '"POST /v1/completions HTTP/1.1"'

    # 400 and 503, not 200
    lines = [f"INFO:     10.0.0.7:{port} - {access} {status} x" for port, status in ((1, 200), (2, 400), (3, 503))]
    assert facts(*lines)["error_answers"] == 2
    assert facts(lines[0])["error_answers"] == 0


# Statistics


@pytest.mark.parametrize("head", [OLD, V0], ids=["no bracket, to 0.7", "bracket"])
def test_statistics_of_v0(head: str) -> None:
    first = (
        f"{head}Avg prompt throughput: 120.5 tokens/s, Avg generation throughput: 30.0 tokens/s, Running: 4 reqs, "
        "Swapped: 1 reqs, Pending: 6 reqs, GPU KV cache usage: 87.5%, CPU KV cache usage: 99.0%."
    )
    second = first.replace("120.5", "0.0").replace("Pending: 6", "Pending: 0").replace("87.5", "3.1")

    known = facts(first, second)

    assert known == {
        "stats_lines": 2,
        "running_most": 4,
        "waiting_most": 6,
        "waiting_share": 0.5,
        "kv_usage_most": 0.875,
        "prompt_throughput_most": 120.5,
        "generation_throughput_most": 30,
    }
    assert log(first)["stats"].columns["swapped"].tolist() == [1]


def test_statistics_of_v1_with_every_field_in_between() -> None:
    table = log(
        f"{V1}Engine 003: Avg prompt throughput: 8.0 tokens/s, Avg generation throughput: 5.5 tokens/s, "
        "Running: 12 reqs, Waiting: 2 reqs, Deferred: 3 reqs, Preemptions: 4, Corrupted: 1 reqs, "
        "XPU KV cache usage: 45.0%, Prefix cache hit rate: 12.5%, External prefix cache hit rate: 50.0%, "
        "MM cache hit rate: 75.0%"
    )["stats"]

    assert {name: cells.tolist() for name, cells in table.columns.items() if cells[0] == cells[0]} == {
        "engine": [3],
        "prompt_throughput": [8],
        "generation_throughput": [5.5],
        "running": [12],
        "waiting": [2],
        "deferred": [3],
        "preemptions": [4],
        "corrupted": [1],
        "kv_usage": [45],
        "prefix_hits": [12.5],
        "external_hits": [50],
        "mm_hits": [75],
    }


STATS = "Avg prompt throughput: 1.0 tokens/s, Avg generation throughput: 2.0 tokens/s, "


def test_an_external_cache_alone_is_not_the_prefix_cache() -> None:
    known = facts(
        f"{V1}Engine 000: {STATS}Running: 1 reqs, Waiting: 0 reqs, GPU KV cache usage: 0.6%, "
        "External prefix cache hit rate: 40.0%"
    )

    assert "prefix_hit_ratio_last" not in known
    assert known["kv_usage_most"] == 0.006


def test_several_engines_in_one_line() -> None:
    table = log(f"{V1}4 Engines Aggregated: {STATS}Running: 40 reqs, Waiting: 0 reqs, GPU KV cache usage: 9.0%")[
        "stats"
    ]

    assert table.columns["engines"].tolist() == [4]
    assert table.columns["running"].tolist() == [40]


def test_prefix_cache_hits() -> None:
    v1 = [
        f"{V1}Engine 000: {STATS}Running: 1 reqs, Waiting: 0 reqs, Prefix cache hit rate: {n}%" for n in (0, 62.5, 50)
    ]

    assert facts(*v1)["prefix_hit_ratio_most"] == 0.625
    assert facts(*v1)["prefix_hit_ratio_last"] == 0.5
    assert facts(f"{V0}Prefix cache hit rate: GPU: 25.00%, CPU: 0.00%")["prefix_hit_ratio_last"] == 0.25
    # V0's word for a cache that is not there.
    assert facts(f"{V0}Prefix cache hit rate: GPU: -1.00%, CPU: 3.00%") == {}


def test_preemptions_of_v1_are_counted_anew_in_each_line() -> None:
    line = f"{V1}Engine 000: {STATS}Running: 1 reqs, Waiting: 0 reqs, {{}}GPU KV cache usage: 99.0%"

    # 2 + 5: the line in between had none and does not mention them.
    known = facts(line.format("Preemptions: 2, "), line.format(""), line.format("Preemptions: 5, "))
    assert known["preemptions"] == 7
    assert "preemptions" not in facts(line.format(""))


def test_preemptions_of_v0_are_counted_from_the_start_on_and_one_in_fifty_is_printed() -> None:
    warning = (
        "WARNING 04-16 09:00:00 [scheduler.py:1754] Sequence group cmpl-{0}-0 is preempted by "
        "PreemptionMode.RECOMPUTE mode because there is not enough KV cache space. This can affect the end-to-end "
        "performance. Increase gpu_memory_utilization or tensor_parallel_size to provide more KV cache memory. "
        "total_num_cumulative_preemption={0}"
    )

    # 51 of the first start, 101 of the second.
    known = facts(*(warning.format(count) for count in (1, 51, 1, 51, 101)))
    assert known == {"preemptions_at_least": 152}


def test_drafts_of_v1_are_added_up() -> None:
    known = facts(
        f"{V1}SpecDecoding metrics: Mean acceptance length: 2.00, Accepted throughput: 9.00 tokens/s, Drafted "
        "throughput: 18.00 tokens/s, Accepted: 90 tokens, Drafted: 180 tokens, Per-position acceptance rate: 0.600, "
        "0.400, Avg Draft acceptance rate: 50.0%",
        f"{V1}SpecDecoding metrics: Draft acceptance rate: 10.0%, Accepted: 10 tokens, Drafted: 100 tokens",
    )

    # 180 + 100; 90 + 10
    assert known == {"draft_tokens": 280, "draft_accepted": 100}


def test_drafts_of_v0_are_counted_from_the_start_on() -> None:
    line = (
        f"{V0}Speculative metrics: Draft acceptance rate: 0.500, System efficiency: 0.600, Number of speculative "
        "tokens: 5, Number of accepted tokens: {}, Number of draft tokens{}: {}, Number of emitted tokens: 9."
    )

    assert facts(line.format(50, "", 100), line.format(70, " tokens", 200)) == {
        "draft_tokens": 200,
        "draft_accepted": 70,
    }


def test_requests_given_up() -> None:
    assert facts(f"{V0}Aborted request cmpl-1.", f"{V1}Aborted request(s) cmpl-2,cmpl-3.")["cancelled"] == 2


# The start


@pytest.mark.parametrize(
    ("line", "size", "seconds"),
    [
        ("INFO 06-12 09:00:00 model_runner.py:146] Loading model weights took 2.5000 GB", 2.5, None),
        (f"{V0}Model loading took 2.5000 GB and 40.250000 seconds", 2.5, 40.25),
        (f"{V0}Model loading took 2.5000 GiB and 40.250000 seconds", 2.5, 40.25),
        (f"{NEWEST}Model loading took 1.9 GiB memory and 40.250000 seconds", 1.9, 40.25),
    ],
    ids=["0.4 to 0.7", "0.8.2", "0.8.5 to 0.12, 0.27", "since 0.13"],
)
def test_weights(line: str, size: float, seconds: float | None) -> None:
    timed = ("weights_seconds", "stage_weights", "stages_told")
    wanted = {"weights_bytes": size * GIB} | ({} if seconds is None else dict.fromkeys(timed, seconds))

    assert facts(line) == pytest.approx(wanted)


def test_stages_of_a_start() -> None:
    assert facts(
        f"{CONFIG}{SETTINGS}",
        f"{V1}torch.compile takes 47.50 s in total",
        f"{V1}torch.compile took 2.50 s in total",
        f"{V1}Available KV cache memory: 8.50 GiB",
        f"{V1}GPU KV cache size: 65,376 tokens",
        f"{V1}Maximum concurrency for 4,096 tokens per request: 15.96x",
        f"{V1}Encoder graph capturing finished in 90 secs, took 4.00 GiB",
        f"{V1}Graph capturing finished in 21 secs, took 1.50 GiB",
        f"{V1}init engine (profile, create kv cache, warmup model) took 65.48 s (compilation: 25.60 s)",
    ) == {
        "compile_seconds": 50,
        "kv_pool_bytes": 8.5 * GIB,
        "kv_pool_tokens": 65376,
        "graph_capture_seconds": 21,
        "graph_capture_bytes": 1.5 * GIB,
        "graphs_off": 0,
        "start_seconds": 65.48,
        "context_length": 4096,
        "prefix_caching": 1,
        "engine_seed": 11,
        "stage_compile": 50,
        "stage_graphs": 21,
        "stage_setup": 0,  # 65.48 s are less than both together: some of them lie outside
        "stages_told": 71,
    }


def test_what_the_configuration_says_in_words() -> None:
    table = log(f"{CONFIG}{SETTINGS}")["config"]

    assert table.texts == {
        "version_text": ("0.10.2",),
        "dtype_text": ("torch.bfloat16",),
        "quantization_text": ("fp8",),
        "eager_text": ("False",),
        "prefix_caching_text": ("True",),
    }


@pytest.mark.parametrize(
    "line",
    [
        "INFO 06-12 09:00:00 api_server.py:177] vLLM API server version 0.4.3",
        "(APIServer pid=1) INFO 11-02 10:00:00 [api_utils.py:1] vLLM server version 0.4.3, serving model m",
    ],
)
def test_the_version(line: str) -> None:
    assert log(line)["version"].texts == {"version_text": ("0.4.3",)}


def test_the_oldest_configuration() -> None:
    line = "INFO 06-12 09:00:00 llm_engine.py:161] Initializing an LLM engine (v0.4.3) with config: model='m', "

    assert facts(
        f"{line}dtype=torch.float16, max_seq_len=2048, tensor_parallel_size=1, enforce_eager=True, seed=0)"
    ) == {
        "context_length": 2048,
        "graphs_off": 1,
        "engine_seed": 0,
    }


def test_the_pool_of_0_33_in_one_line() -> None:
    line = f"{NEWEST}CPU KV cache size: 1,234,560 tokens, Maximum concurrency for 4,096 tokens per request: 301.41x"

    assert facts(line) == {"kv_pool_tokens": 1234560}


@pytest.mark.parametrize("device", ["GPU", "CUDA", "cuda", "cpu"])
def test_the_pool_of_v0_is_counted_in_blocks(device: str) -> None:
    blocks = f"{V0}# {device} blocks: 1000, # CPU blocks: 512"

    # 15.62 × 1024 ÷ 1000 = 15.99: blocks of 16 tokens
    assert facts(blocks, f"{V0}Maximum concurrency for 1024 tokens per request: 15.62x") == {"kv_pool_tokens": 16000}
    # 20.00 × 1024 ÷ 1000 = 20.48: no whole number of tokens
    assert facts(blocks, f"{V0}Maximum concurrency for 1024 tokens per request: 20.00x") == {}
    assert facts(blocks) == {}


def test_the_memory_of_the_pool_of_v0() -> None:
    line = (
        f"{V0}model weights take 2.22GiB; non_torch_memory takes 0.05GiB; PyTorch activation peak memory takes "
        "1.05GiB; the rest of the memory reserved for KV Cache is 4.50GiB."
    )

    assert facts(line) == {"kv_pool_bytes": 4.5 * GIB}


@pytest.mark.parametrize("words", ["Explicitly set", "Auto set"])
def test_the_memory_of_the_pool_on_a_cpu(words: str) -> None:
    assert facts(f"{NEWEST}{words} (1.5/23.54) GiB for KV cache on node 0.") == {"kv_pool_bytes": 1.5 * GIB}


def test_blocks_set_by_hand_are_that_share_of_the_memory() -> None:
    lines = (
        f"{NEWEST}Explicitly set (1.0/23.54) GiB for KV cache on node 0.",
        f"{NEWEST}Overriding num_gpu_blocks=2000 with num_gpu_blocks_override=500",
    )

    assert facts(f"{CONFIG}{SETTINGS}", *lines)["kv_pool_bytes"] == 0.25 * GIB
    # without a start it is not known of how many workers the lines are
    assert "kv_pool_bytes" not in facts(*lines)


def test_the_weights_on_a_cpu_are_timed_as_they_are_read() -> None:
    read = f"{NEWEST}Loading weights took 5.25 seconds"

    assert facts(read)["weights_seconds"] == 5.25
    # where the whole model has a line, it goes before
    assert facts(read, f"{V1}Model loading took 2.0000 GiB and 40.250000 seconds")["weights_seconds"] == 40.25


def test_workers_print_a_line_each() -> None:
    two = SETTINGS.replace("tensor_parallel_size=1", "tensor_parallel_size=2")
    known = facts(
        f"{CONFIG}{two}",
        f"(Worker_TP0 pid=1) {V0}Model loading took 7.0000 GiB and 10.000000 seconds",
        f"(Worker_TP1 pid=2) {V0}Model loading took 7.0000 GiB and 11.000000 seconds",
        f"{V0}GPU KV cache size: 4,000 tokens",
        f"{V0}GPU KV cache size: 4,016 tokens",
    )

    assert "weights_bytes" not in known
    assert known["kv_pool_tokens"] == 4000


def test_several_engines_each_have_a_pool() -> None:
    two = SETTINGS.replace("data_parallel_size=1", "data_parallel_size=2")

    assert "kv_pool_tokens" not in facts(f"{CONFIG}{two}", f"{V0}GPU KV cache size: 4,000 tokens")


def test_an_engine_that_was_started_twice() -> None:
    start = (f"{CONFIG}{SETTINGS}", f"{V0}Model loading took 2.0000 GiB and 5.000000 seconds")

    assert facts(*start, *start)["weights_bytes"] == 2 * GIB


@pytest.mark.parametrize(
    ("lines", "off"),
    [
        ((f"{V1}Cudagraph is disabled under eager mode",), 1.0),
        ((f"{V1}Enforce eager set, disabling torch.compile and CUDAGraphs.",), 1.0),
        ((CONFIG + SETTINGS.replace("enforce_eager=False", "enforce_eager=True"),), 1.0),
        ((f"{OLD}Graph capturing finished in 12 secs.",), 0.0),
        ((f"{CONFIG}{SETTINGS}",), None),
    ],
    ids=["said", "set", "configured", "captured", "not configured off, and not captured"],
)
def test_graphs_off(lines: tuple[str, ...], off: float | None) -> None:
    assert facts(*lines).get("graphs_off") == off


# Failures


@pytest.mark.parametrize(
    "line",
    [
        "(EngineCore pid=2) ERROR 11-02 10:00:00 [core.py:517] EngineCore encountered a fatal error.",
        "(EngineCore pid=2) ERROR 11-02 10:00:00 [core.py:517] EngineCore failed to start.",
        "(Worker pid=3) ERROR 11-02 10:00:00 [multiproc_executor.py:284] Worker proc VllmWorker-0 died unexpectedly, x",
        "(APIServer pid=1) RuntimeError: Engine core initialization failed. See root cause above.",
        "ERROR 11-02 10:00:00 [async_llm.py:1] vllm.v1.engine.exceptions.EngineDeadError: EngineCore is no more.",
        "vllm.engine.async_llm_engine.AsyncEngineDeadError: Background loop has errored already.",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.",
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.",
        "(EngineCore pid=2) ValueError: No available memory for the cache blocks. Try increasing it.",
        "ValueError: The model's max seq len (32768) is larger than the maximum number of tokens",
        "ValueError: To serve at least one request with the models's max seq len (32768), 3.50 GiB is needed",
        "ValueError: User-specified max_model_len (9999) is greater than the derived max_model_len",
        "(APIServer pid=1)   Value error, User-specified max_model_len (9999) is greater than the derived one",
    ],
)
def test_failures(line: str) -> None:
    assert facts(line) == {"engine_errors": 1}


def test_what_fails_while_the_server_is_stopped_is_no_failure() -> None:
    request = 'INFO:     127.0.0.1:5 - "POST /v1/completions HTTP/1.1" 200 OK'
    start, stop = f"{CONFIG}{SETTINGS}", f"{V1}[shutdown] API server: shutdown triggered"
    error = f"{V1}vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue."

    assert facts(start, request, stop, error)["engine_errors"] == 0
    assert facts(start, request, error, stop)["engine_errors"] == 1
    assert facts(request, error)["engine_errors"] == 1
    # of two starts: stopped and started anew, then it fails
    assert facts(start, request, stop, error, start, error)["engine_errors"] == 1


def test_a_log_that_tells_of_requests_would_tell_of_failures() -> None:
    assert facts('INFO:     10.0.0.7:5 - "POST /v1/completions HTTP/1.1" 200 OK')["engine_errors"] == 0


@pytest.mark.parametrize(
    "line",
    [
        "ERROR 09-03 04:00:00 [config.py:130] Error retrieving safetensors: 'm' is not a safetensors repo, retrying",
        "ERROR 05-01 10:00:00 [fa_utils.py:57] Cannot use FA version 2 is not supported",
        "INFO 11-02 10:00:00 [launcher.py:1] User said: EngineCore encountered a fatal error.",
    ],
)
def test_errors_that_stop_nothing(line: str) -> None:
    assert facts(line) == {}


# The stages of a start


STAMP = "{ns} 2026-11-30T04:02:06.577965Z | "


def at(seconds: float, line: str) -> str:
    return STAMP.format(ns=round(seconds * 1e9)) + line


ON_A_CPU = (
    at(146.25, f"{CONFIG}{SETTINGS}"),
    at(171.0, "(Worker pid=9) INFO 11-30 04:03:07 [cpu_model_runner.py:68] Starting to load model models/m..."),
    at(173.5, "(Worker pid=9) INFO 11-30 04:03:10 [default_loader.py:501] Loading weights took 1.46 seconds"),
    at(178.0, "(Worker pid=9) INFO 11-30 04:03:14 [cpu_model_runner.py:87] Warming up model for the compilation..."),
    at(383.5, "(Worker pid=9) INFO 11-30 04:06:40 [monitor.py:91] [backbone] Initial profiling/warmup run took 6.5 s"),
    at(389.0, f"{NEWEST}init engine (profile, create kv cache, warmup model) took 210.5 s"),
    at(426.5, "(APIServer pid=7) INFO:     Application startup complete."),
)


def test_stages_of_a_start_on_a_cpu() -> None:
    told_ = facts(*ON_A_CPU)

    assert (told_["start_clock"], told_["ready_clock"]) == (146.25, 426.5)
    # 171 − 146.25; compiling is from 178 to 383.5 without the 6.5 s of the run that it is part of
    assert (told_["stage_engine"], told_["stage_weights"], told_["stage_compile"]) == (24.75, 1.46, 199)
    # what is left of init engine: 210.5 − 199
    assert told_["stage_setup"] == 11.5
    assert "stage_graphs" not in told_
    assert told_["stages_told"] == pytest.approx(24.75 + 1.46 + 199 + 11.5)


def test_stages_of_a_start_on_a_gpu_are_in_its_own_words() -> None:
    told_ = facts(
        f"{CONFIG}{SETTINGS}",
        f"{NEWEST}Model loading took 15.27 GiB memory and 4.5 seconds",
        f"{NEWEST}torch.compile took 30.5 s in total",
        f"{NEWEST}Graph capturing finished in 20 secs, took 0.61 GiB",
        f"{NEWEST}init engine (profile, create kv cache, warmup model) took 58.0 s",
    )
    # 58 − 30.5 − 20
    assert (told_["stage_weights"], told_["stage_compile"], told_["stage_graphs"], told_["stage_setup"]) == (
        4.5, 30.5, 20, 7.5,
    )  # fmt: skip
    assert "start_clock" not in told_  # nobody stamped these lines


def test_stages_of_several_workers_are_not_added_up() -> None:
    several = SETTINGS.replace("tensor_parallel_size=1", "tensor_parallel_size=2")
    assert "stage_weights" not in facts(f"{CONFIG}{several}", *ON_A_CPU[1:])
