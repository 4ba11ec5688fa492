from __future__ import annotations

import pytest

from generator.logs.sglang import ACCESS, EVENTS, FACTS
from generator.runs.log_events import Events
from tests.support.engine_logs import events_of, told

HEAD = "[2026-01-05 10:00:00] "
RANK = "[2026-01-05 10:00:00.123 DP0 TP0] "
ARGUMENTS = (
    f"{HEAD}server_args=ServerArgs(model_path='m', context_length=None, host='0.0.0.0', port=30000, dtype='bfloat16', "
    "quantization='fp8', tp_size=1, pp_size=1, pp_max_micro_batch_size=None, random_seed=77, dp_size=1, "
    "disable_radix_cache=False, disable_cuda_graph=False, disable_cuda_graph_padding=False)"
)
GIB = 2.0**30


def log(*lines: str) -> Events:
    return events_of(EVENTS, *lines)


def facts(*lines: str) -> dict[str, float]:
    return told(FACTS, log(*lines))


@pytest.mark.parametrize(
    "line",
    [
        b'[2026-01-05 10:00:00] INFO:     127.0.0.1:57776 - "POST /v1/completions HTTP/1.1" 200 OK',
        b'[2026-01-05 10:00:00.123 TP0] INFO:     127.0.0.1:5 - "POST /v1/chat/completions HTTP/1.1" 400 Bad Request',
    ],
    ids=["completions", "chat, with ms and ranks"],
)
def test_a_request_of_a_load_is_found(line: bytes) -> None:
    assert len(ACCESS.findall(line)) == 1
    assert facts(line.decode())["launches"] == 1


@pytest.mark.parametrize(
    "line",
    [
        '[2026-01-05 10:00:00] INFO:     127.0.0.1:57776 - "POST /generate HTTP/1.1" 200 OK',
        'INFO:     127.0.0.1:57776 - "POST /v1/completions HTTP/1.1" 200 OK',
        "[2026-01-05 10:00:00] Receive: text='Decode batch. #running-req: 9, #token: 7, #queue-req: 9'",
        "[2026-01-05 10:00:00] Prefill batch size is limited to 16.",
    ],
    ids=["its own warm-up", "vLLM's", "a prompt that quotes a log", "about batches"],
)
def test_other_lines_tell_of_nothing(line: str) -> None:
    assert ACCESS.search(line.encode()) is None
    assert facts(line) == {}


def test_answers_that_are_errors() -> None:
    line = HEAD + 'INFO:     10.0.0.7:5 - "POST /v1/completions HTTP/1.1" {} x'

    assert facts(line.format(200), line.format(503))["error_answers"] == 1


# Batches


@pytest.mark.parametrize(
    "line",
    [
        (
            "[gpu_id=0] Prefill batch. #new-seq: 2, #new-token: 300, #cached-token: 100, cache hit rate: 25.00%, "
            "#running-req: 5, #queue-req: 3"
        ),
        (
            "[10:00:00 TP0] Prefill batch. #new-seq: 2, #new-token: 300, #cached-token: 100, cache hit rate: 25.00%, "
            "#running-req: 5, #queue-req: 3"
        ),
        (
            f"{HEAD}Prefill batch(mixed #running-req: 1). #new-seq: 2, #new-token: 300, #cached-token: 100, "
            "cache hit rate: 25.00%, #running-req: 5, #queue-req: 3"
        ),
        (
            f"{RANK}Prefill batch. #new-seq: 2, #new-token: 300, #cached-token: 100, token usage: 0.50, "
            "#running-req: 5, #queue-req: 3, "
        ),
        (
            f"{HEAD}Prefill batch [42], #new-seq: 2, #new-token: 300, #cached-token: 100, token usage: 0.50, "
            "#running-req: 5, #queue-req: 3, #pending-token: 9, cuda graph: True, input throughput (token/s): 20.50"
        ),
    ],
    ids=["0.2", "time of day", "0.3, mixed", "0.4, with ranks", "0.5"],
)
def test_prefills(line: str) -> None:
    known = facts(line)

    assert known["prompt_tokens_computed"] == 300
    assert known["cached_tokens"] == 100
    assert known["waiting_most"] == 3
    assert known["running_most"] == (1 if "mixed" in line else 5)
    assert known.get("kv_usage_most") == (0.5 if "token usage" in line else None)


def test_tokens_of_all_prefills_are_added_up() -> None:
    line = HEAD + "Prefill batch, #new-seq: 1, #new-token: {}, #cached-token: {}, #running-req: 0, #queue-req: 0"

    known = facts(line.format(6, 0), line.format(1, 24), line.format(2048, 0))

    # 6 + 1 + 2048
    assert known["prompt_tokens_computed"] == 2055
    assert known["cached_tokens"] == 24
    assert known["stats_lines"] == 3


@pytest.mark.parametrize(
    "line",
    [
        (
            "[gpu_id=0] Decode batch. #running-req: 8, #token: 900, token usage: 0.90, "
            "gen throughput (token/s): 55.25, #queue-req: 2"
        ),
        (
            f"{RANK}Decode batch. #running-req: 8, #token: 900, token usage: 0.90, accept len: 2.50, cuda graph: True, "
            "gen throughput (token/s): 55.25, #queue-req: 2, "
        ),
        (
            f"{HEAD}Decode batch [123], #running-req: 8, #token: 900, token usage: 0.90, cuda graph: True, "
            "gen throughput (token/s): 55.25, #queue-req: 2"
        ),
        (
            f"{HEAD}Decode batch, #running-req: 8, #full token: 700, full token usage: 0.70, #swa token: 90, "
            "swa token usage: 0.90, accept len: 2.50, accept rate: 0.60, cuda graph: True, "
            "gen throughput (token/s): 55.25, #queue-req: 2"
        ),
        (
            f"{HEAD}Decode batch, #running-req: 8, #full token: 900, full token usage: 0.90, mamba num: 8, "
            "mamba usage: 0.95, pre-allocated usage: 0.99, #prealloc-req: 1, #transfer-req: 1, #retracted-req: 1, "
            "cpu graph: True, gen throughput (token/s): 55.25, #queue-req: 2"
        ),
        (
            f"{HEAD}Decode batch, #running-req: 8, #gpu token: 900, gpu token usage: 0.90, #cpu token: 9, "
            "cpu token usage: 0.97, cuda graph: True, gen throughput (token/s): 55.25, #queue-req: 2"
        ),
    ],
    ids=["0.2", "0.4, drafting", "0.5, numbered", "sliding window", "Mamba, taken apart", "hierarchical"],
)
def test_decoding(line: str) -> None:
    known = facts(line)

    assert known["running_most"] == 8
    assert known["waiting_most"] == 2
    assert known["kv_usage_most"] == 0.9
    assert known["generation_throughput_most"] == 55.25
    assert known.get("graphs_off") == (0 if "graph: True" in line else None)


def test_what_else_a_line_about_decoding_has() -> None:
    table = log(
        f"{HEAD}Decode batch [7], #running-req: 8, #full token: 9, full token usage: 0.70, mamba num: 8, "
        "mamba usage: 0.25, accept len: 2.50, gen throughput (token/s): 5.00, #queue-req: 0"
    )["stats"]

    assert table.columns["iteration"].tolist() == [7]
    assert table.columns["mamba_usage"].tolist() == [0.25]
    assert table.columns["accepted_length"].tolist() == [2.5]


def test_the_share_of_lines_with_requests_waiting() -> None:
    line = HEAD + "Decode batch, #running-req: 8, #token: 9, token usage: 0.90, #queue-req: {}"

    assert facts(*(line.format(waiting) for waiting in (0, 3, 0, 0)))["waiting_share"] == 0.25


@pytest.mark.parametrize(
    "line",
    [
        "decode out of memory happened, #retracted_reqs: 3, #new_token_ratio: 0.5000 -> 0.9000",
        "[10:00:00 TP0] Decode out of memory happened. #retracted_reqs: 3, #new_token_ratio: 0.5000 -> 0.9000",
        f"{HEAD}Decode out of memory happened. #retracted_reqs: 3, #new_token_ratio: 0.5000 -> 0.9000",
        f"{HEAD}KV cache pool is full. Retract requests. #retracted_reqs: 3, #new_token_ratio: 0.5000 -> 0.9000",
        f"{HEAD}KV cache pool is full. Retract requests. #retracted_reqs: 3, #aborted_reqs: 1, #new_token_ratio: 0.1",
        f"{HEAD}KV cache pool is full. Retract requests. #retracted_reqs: 3, #new_tokens_gained: 64",
    ],
    ids=["0.2", "0.3", "0.4", "since 0.4", "with aborted ones", "since 0.5"],
)
def test_retractions(line: str) -> None:
    assert facts(line, line) == {"retracted": 6}


def test_clients_that_left() -> None:
    line = "ValueError: Request is disconnected from the client side (type 1). Abort request obj.rid='x'"

    assert facts(line) == {"cancelled": 1}


# The start


def test_stages_of_a_start() -> None:
    assert facts(
        ARGUMENTS,
        f"{HEAD}Load weight begin. avail mem=16.00 GB",
        f"{HEAD}Load weight end. elapsed=20.25 s, type=QwenForCausalLM, avail mem=13.00 GB, mem usage=3.25 GB.",
        f"{HEAD}KV Cache is allocated. dtype: torch.bfloat16, #tokens: 126333, K size: 1.50 GB, V size: 1.75 GB",
        f"{HEAD}Memory pool end. avail mem=13.37 GB",
        f"{HEAD}Capture cuda graph end. Time elapsed: 12.75 s. mem usage=2.50 GB. avail mem=9.54 GB.",
        f"{HEAD}Capture piecewise CUDA graph end. Time elapsed: 17.50 s. mem usage=0.25 GB. avail mem=9.20 GB.",
        f"{HEAD}max_total_num_tokens=126333, chunked_prefill_size=8192, max_prefill_tokens=16384, "
        "max_running_requests=337, context_len=32768, available_gpu_mem=9.08 GB",
        f"{HEAD}The server is fired up and ready to roll!",
    ) == {
        "weights_bytes": 3.25 * GIB,
        "weights_seconds": 20.25,
        # 1.50 + 1.75
        "kv_pool_bytes": 3.25 * GIB,
        "kv_pool_tokens": 126333,
        # 12.75 + 17.50; 2.50 + 0.25
        "graph_capture_seconds": 30.25,
        "graph_capture_bytes": 2.75 * GIB,
        "graphs_off": 0,
        "context_length": 32768,
        "prefix_caching": 1,
        "engine_seed": 77,
    }


def test_what_the_arguments_say_in_words() -> None:
    assert log(ARGUMENTS)["arguments"].texts == {
        "dtype_text": ("bfloat16",),
        "quantization_text": ("fp8",),
        "graphs_off_text": ("False",),
        "cache_off_text": ("False",),
    }


def test_an_early_start_tells_less() -> None:
    assert facts(
        "[gpu_id=0] Load weight end. type=LlamaForCausalLM, dtype=torch.float16, avail mem=8.00 GB",
        "[gpu_id=0] max_total_num_tokens=5000, max_prefill_tokens=16384, max_running_requests=2500, context_len=4096",
        f"{HEAD}Capture cuda graph end. Time elapsed: 9.50 s",
    ) == {"kv_pool_tokens": 5000, "context_length": 4096, "graph_capture_seconds": 9.5, "graphs_off": 0}


def test_the_wording_of_late_captures() -> None:
    line = (
        f"{HEAD}Capture target decode CUDA graph end. bs=[1, 2, 4], elapsed=0.75 s, mem usage=0.50 GB, avail mem=9 GB."
    )

    assert facts(line) == {"graph_capture_seconds": 0.75, "graph_capture_bytes": 0.5 * GIB, "graphs_off": 0}


@pytest.mark.parametrize(
    ("line", "size"),
    [
        (f"{HEAD}KV Cache is allocated. #tokens: 674, K size: 0.25 GB, V size: 0.50 GB", 0.75),
        (f"{HEAD}KV Cache is allocated. #tokens: 674, KV size: 2.50 GB", 2.5),
        (
            f"{HEAD}Post-capture KV sizing: KV cache allocated. dtype: x, #tokens: 674, KV size: 2.50 GB, avail mem=9",
            2.5,
        ),
    ],
    ids=["keys and values", "both in one (MLA)", "after the capture"],
)
def test_the_memory_of_the_pool(line: str, size: float) -> None:
    assert facts(line) == {"kv_pool_bytes": size * GIB}


def test_pools_of_layers_with_and_without_a_window_are_added() -> None:
    full = f"{HEAD}KV Cache is allocated. #tokens: 674, K size: 1.00 GB, V size: 1.00 GB"

    assert facts(ARGUMENTS, f"{full}", full.replace("KV Cache", "SWA KV Cache"))["kv_pool_bytes"] == 4 * GIB
    assert "kv_pool_bytes" not in facts(ARGUMENTS, full, f"{HEAD}KV Cache is allocated. #tokens: 674, and cut")


def test_each_of_several_workers_prints_its_own() -> None:
    known = facts(
        ARGUMENTS.replace("tp_size=1", "tp_size=2"),
        f"{HEAD}Load weight end. elapsed=20.25 s, avail mem=13.00 GB, mem usage=3.25 GB.",
        f"{HEAD}max_total_num_tokens=5000, context_len=4096",
    )

    assert "weights_bytes" not in known
    assert known["kv_pool_tokens"] == 5000


DECODE = HEAD + "Decode batch, #running-req: 1, #token: 9, cuda graph: {}, #queue-req: 0"


@pytest.mark.parametrize(
    ("lines", "off"),
    [
        ((f"{HEAD}Disabling CUDA graph capture for this kind of cache.",), 1.0),
        ((ARGUMENTS.replace("disable_cuda_graph=False", "disable_cuda_graph=True"),), 1.0),
        ((DECODE.format("False"), DECODE.format("False")), 1.0),
        ((DECODE.format("False"), DECODE.format("True")), 0.0),
        ((f"{HEAD}Disable piecewise CUDA graph because of an argument",), None),
        ((ARGUMENTS,), None),
    ],
    ids=["said", "an argument", "never used", "used at times", "of prefills alone", "not an argument, and not said"],
)
def test_graphs_off(lines: tuple[str, ...], off: float | None) -> None:
    assert facts(*lines).get("graphs_off") == off


# Failures


@pytest.mark.parametrize(
    "line",
    [
        "[2026-01-05 10:00:00 TP0] Scheduler hit an exception: Traceback (most recent call last):",
        f"{HEAD}DetokenizerManager hit an exception: Traceback (most recent call last):",
        f"{HEAD}Prefill out of memory. Try to lower your batch size.",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.",
        "RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.",
        f"{HEAD}Received sigquit from a child process. It usually means the child failed.",
        f"{HEAD}SIGQUIT received. signum=3, frame=x. It usually means one child failed.",
    ],
)
def test_failures(line: str) -> None:
    assert facts(line) == {"engine_errors": 1}


def test_a_log_that_tells_of_requests_would_tell_of_failures() -> None:
    assert facts(f'{HEAD}INFO:     10.0.0.7:5 - "POST /v1/completions HTTP/1.1" 200 OK')["engine_errors"] == 0
