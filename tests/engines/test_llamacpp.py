from __future__ import annotations

import pytest

from generator.engines.llamacpp import LAUNCH


@pytest.mark.parametrize(
    "line",
    [
        b"0.20.832.571 I slot launch_slot_: id  7 | task 2 | processing task, is_child = 0",
        b"slot launch_slot_: id 12 | task 4711 | processing task",
        b'INFO [   launch_slot_with_task] slot is processing task | tid="1365" timestamp=1748 id_slot=0 id_task=0',
        b'{"level":"INFO","function":"launch_slot_with_task","line":1036,"msg":"slot is processing task","id_slot":0}',
        b'{"type":"log","time":7,"level":"info","msg":"slot launch_slot_: id  0 | task 1 | processing task\\n"}',
    ],
    ids=["2026", "2024", "before", "before, as JSON", "2026, as JSON"],
)
def test_a_request_put_into_a_slot_is_found(line: bytes) -> None:
    assert len(LAUNCH.findall(line)) == 1


@pytest.mark.parametrize(
    "line",
    [
        b"slot launch_slot_: id  3 | task -1 | sampler chain: logits -> top-k -> temp-ext -> greedy",
        b"slot launch_slot_: id  3 | task 9 | processing task, is_child = 1",
        b"slot      release: id  3 | task 9 | stop processing: n_tokens = 2643, truncated = 0",
        b"srv  log_server_r: done request: POST /v1/completions 127.0.0.1 200",
    ],
    ids=["sampler", "a further answer to the same request", "release", "HTTP"],
)
def test_other_lines_of_a_slot_are_no_request(line: bytes) -> None:
    assert LAUNCH.search(line) is None
