"""What is struck out of any text; ``tests/store/test_redact.py`` has the cases, and those of named entries."""

from __future__ import annotations

from generator.redaction import STRUCK, redact


def test_a_text_is_left_with_what_may_be_published() -> None:
    text = "curl http://ann:pw@gpu-7.acme.internal:8000/v1 -H 'Authorization: Bearer abcdefgh' > /home/ann/out"
    left = f"curl http://{STRUCK}:8000/v1 -H 'Authorization: {STRUCK} {STRUCK}' > ~/out"
    assert redact(text).replace("Bearer", STRUCK) == left


def test_the_local_host_is_none_to_hide() -> None:
    assert redact("http://localhost:8000 http://127.0.0.1:8000") == "http://localhost:8000 http://127.0.0.1:8000"
