from __future__ import annotations

from pathlib import Path

import pytest

from generator.engines.sglang import ACCESS, sglang
from generator.engines.vllm import vllm
from generator.store.server_log import count_requests


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


@pytest.mark.parametrize(
    "line",
    [
        b'[2026-01-05 10:00:00] INFO:     127.0.0.1:57776 - "POST /generate HTTP/1.1" 200 OK',
        b'INFO:     127.0.0.1:57776 - "POST /v1/completions HTTP/1.1" 200 OK',
        b"[2026-01-05 10:00:00] Decode batch. #running-req: 1, #token: 7",
    ],
    ids=["its own warm-up", "vLLM's", "statistics"],
)
def test_other_lines_are_none(line: bytes) -> None:
    assert ACCESS.search(line) is None


def test_whose_log_it_is_can_be_told_from_vllm(tmp_path: Path) -> None:
    access = b'INFO:     127.0.0.1:57776 - "POST /v1/completions HTTP/1.1" 200 OK\n'
    (tmp_path / "vllm.log").write_bytes(access)
    (tmp_path / "sglang.log").write_bytes(b"[2026-01-05 10:00:00] " + access)

    assert count_requests(tmp_path / "vllm.log", [sglang, vllm]) == (vllm, 1)
    assert count_requests(tmp_path / "sglang.log", [sglang, vllm]) == (sglang, 1)
