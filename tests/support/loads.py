"""Files of single requests in each format that is read, as small as they can be, and rounds under such a load."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from generator.declared.profiles import ProfileFile
from generator.model import Round
from generator.store.profile import with_profile
from generator.traffic.describing import profile_of
from generator.traffic.gathering import gather
from generator.traffic.mapped import mapping_of
from tests.support.memory_round import GRAPH, Levels, memory_round

SECRET: Final = "xyzzy-the-secret"
"""Stands in prompts, paths and names, and may be in nothing that is written."""

AZURE: Final = """\
TIMESTAMP,ContextTokens,GeneratedTokens
2023-11-16 18:17:03.9799600,4808,10
2023-11-16 18:17:04.0319600,3180,8
2023-11-16 18:17:06.9799600,110,0
"""
BURSTGPT: Final = """\
Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type
5,a,2.5,ChatGPT,472,18,490,Conversation log
45,b,3.5,GPT-4,1087,230,1317,API log
"""
MOONCAKE: Final = """\
{"timestamp": 0, "input_length": 6758, "output_length": 500, "hash_ids": [0, 1]}
{"timestamp": 1500, "input_length": 12, "output_length": 3, "hash_ids": [0]}
"""
SHAREGPT: Final = json.dumps(
    [
        {"id": "a", "conversations": [{"from": "human", "value": f"Who is {SECRET}?"}, {"from": "gpt", "value": "I."}]},
        {"id": "b", "conversations": [{"from": "gpt", "value": "Nobody asked."}]},
        {"id": "c", "conversations": [{"from": "human", "value": "缓存是什么？"}]},
    ]
)
PROMPTS: Final = f"""\
{{"prompt": "Say {SECRET}", "output_tokens": 7, "timestamp": 1000}}
{{"prompt": "Say no more", "output_tokens": 9, "timestamp": 3000}}
"""
ACCESS: Final = f"""\
203.0.113.9 - - [10/Oct/2026:13:55:36 +0200] "POST /v1/{SECRET}?q=1 HTTP/1.1" 200 2326 "-" "curl/8 ({SECRET})" 1.500
203.0.113.9 - {SECRET} [10/Oct/2026:13:55:36 +0200] "GET /health HTTP/1.1" 200 2 "-" "kube" 0.001
203.0.113.9 - - [10/Oct/2026:13:55:40 +0200] "POST /v1/chat/completions HTTP/1.1" 500 - "-" "x" rt=0.250 up=0.2
"""
VLLM: Final = f"""\
INFO 11-16 18:17:00 [api_server.py:1287] vLLM API server version 0.9.2
INFO 11-16 18:17:03 [logger.py:43] Received request cmpl-1-0: prompt: 'Say {SECRET} prompt_token_ids: [9, 9], x', \
params: SamplingParams(n=1, max_tokens=16), prompt_token_ids: [1, 2, 3], lora_request: None.
INFO 11-16 18:17:04 [logger.py:43] Received request cmpl-2-0: prompt: '{SECRET}', params: SamplingParams(n=1), \
prompt_token_ids: None, lora_request: None.
INFO 11-16 18:17:05 [async_llm.py:270] Added request cmpl-1-0.
INFO:     203.0.113.9:5 - "POST /v1/completions HTTP/1.1" 200 OK
INFO 11-16 18:17:08 [async_llm_engine.py:178] Finished request cmpl-1-0.
"""
LLAMA: Final = """\
0.03.000.000 I slot launch_slot_: id  0 | task 0 | processing task, is_child = 0
0.03.100.000 I slot update_slots: id  0 | task 0 | n_tokens = 40, memory_seq_rm [40, end)
0.04.000.000 I slot print_timing: id  0 | task 0 | prompt eval time =     400.00 ms /    60 tokens
0.04.000.001 I slot print_timing: id  0 | task 0 |        eval time =     600.00 ms /    20 tokens
0.04.000.002 I slot print_timing: id  0 | task 0 |       total time =    1000.00 ms /    80 tokens
0.04.000.500 I slot      release: id  0 | task 0 | stop processing: n_tokens = 119, truncated = 0
0.05.000.000 I slot launch_slot_: id  0 | task 2 | processing task, is_child = 0
0.06.500.000 I slot print_timing: id  0 | task 2 | prompt eval time =     500.00 ms /    30 tokens
0.06.500.001 I slot print_timing: id  0 | task 2 |        eval time =    1000.00 ms /    11 tokens
0.06.500.002 I slot print_timing: id  0 | task 2 |       total time =    1500.00 ms /    41 tokens
0.06.500.500 I slot      release: id  0 | task 2 | stop processing: n_tokens = 60, truncated = 0
"""
FILES: Final = {
    "azure": AZURE, "burstgpt": BURSTGPT, "mooncake": MOONCAKE, "sharegpt": SHAREGPT, "jsonl": PROMPTS,
    "access_log": ACCESS, "vllm_log": VLLM, "llamacpp_log": LLAMA,
}  # fmt: skip
"""Kind -> the content of a file."""
MAPPED: Final = {
    "mapped_csv": (
        'id;when;"in";out;took\na;1760000000123;12;3;250\n"b; with ""quotes""";1760000001123;4;;\n',
        "time=when:ms,input=in,output=out,duration=took:ms",
    ),
    "mapped_json": (
        """\
{"created": "2026-10-09T08:53:20Z", "usage": {"prompt": 12, "completion": 3}}
{"created": "2026-10-09T08:53:21Z", "usage": {"prompt": 4, "completion": null}}
""",
        "time=created,input=usage.prompt,output=usage.completion",
    ),
}
"""Kind -> the content of a file whose columns the user names, and the names."""


def put(folder: Path, content: str | bytes, name: str = "data") -> Path:
    """Write a file and return its path."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def profiled(path: Path, *, window: float = 60.0, mapped: str | None = None) -> ProfileFile:
    """Return the profile of one file."""
    return profile_of(gather([path], mapping_of(mapped) if mapped else None), window)


def load_of(rows: Sequence[tuple[float, int, int]], window: float = 1.0) -> ProfileFile:
    """Return the profile of requests: seconds, input and output tokens of each."""
    return load_of_text(trace_of(rows), window)


def load_of_text(content: str, window: float = 1.0) -> ProfileFile:
    """Return the profile of a file with this content."""
    with TemporaryDirectory() as folder:
        return profiled(put(Path(folder), content), window=window)


def trace_of(rows: Sequence[tuple[float, int, int]]) -> str:
    """Return a Mooncake trace: seconds, input and output tokens of each request."""
    told = ({"timestamp": at * 1000, "input_length": given, "output_length": made} for at, given, made in rows)
    return "".join(json.dumps(one) + "\n" for one in told)


EVEN: Final = tuple((number * 0.5, 900 + 10 * number, 100 + number) for number in range(41))
"""Two requests a second for 20 s: 900 to 1,300 tokens of input, 100 to 140 of output."""
BURSTY: Final = tuple(
    (second + number / 100, 1000, 100) for second in range(0, 21, 4) for number in range(12 if second < 20 else 1)
)
"""Twelve requests in a tenth of a second every 4 s."""


def under_load(profile: ProfileFile | None, levels: Levels | None = None) -> Round:
    """Return a round of one series, with these levels, under a load."""
    made = memory_round({"a": levels or {}})
    return made if profile is None else with_profile(made, profile, GRAPH.places())
