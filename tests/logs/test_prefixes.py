from __future__ import annotations

import pytest

from generator.logs.prefixes import MOST, peel
from generator.logs.shapes import ALIKE

WORDS = b"launch_slot_: id  7 | task 2 | processing task"


@pytest.mark.parametrize(
    "before",
    [
        b"slot ",
        b"0.20.832.571 I slot ",
        b"1621.16.348.559 W slot ",
        b"18562762756904 2026-11-29T22:28:48.711968Z | 0.05.449.356 I slot ",
        b"Feb 18 10:54:35 host llama[140011]: slot ",
        b"2026-02-18T10:54:35+01:00 gemma3.server[140011]: slot ",
        b"2026-02-18T10:54:35.123456789Z stdout F slot ",
        b"2026-02-18T10:54:35.123Z slot ",
        b"[18441] 0.20.832.571 I slot ",
        b"\x1b[34m0.20.832.571\x1b[0m \x1b[32mI \x1b[0mslot ",
        b'{"type":"log","time":7000000,"level":"info","msg":"slot ',
        b"100%|####|\r100%|####|\rslot ",
        b"\xff\xfe\x00slot ",
        b"\xef\xbb\xbfslot ",
    ],
)
def test_what_a_server_or_its_keeper_puts_in_front_is_taken_off(before: bytes) -> None:
    assert len(before) in peel((before + WORDS).translate(ALIKE)).places


@pytest.mark.parametrize(
    ("before", "words"),
    [
        (b"(EngineCore_0 pid=1257) (pid=374, ip=10.0.0.1) INFO 05-12 10:11:12 [loggers.py:123] ", b"Engine 000:"),
        (b"\x1b[1;36m(EngineCore_0 pid=1159)\x1b[0;0m INFO 05-12 10:11:12 [core.py:7] ", b"Engine"),
        (b"vLLM STDOUT: INFO 05-12 10:11:12 loggers.py:123] ", b"Engine 000:"),
        (b"(APIServer pid=9) ", b'INFO:     127.0.0.1:5 - "POST'),
        (b"[2026-01-05 10:00:00.123 DP0 TP0] ", b"Decode batch"),
        (b'time=2026-08-19T15:03:39.876+03:00 level=INFO source=routes.go:1990 msg="', b"Listening on"),
        (b"INFO [   launch_slot_with_task] ", b"slot is processing task"),
        (b'{"tid":"1365","timestamp":1748,"level":"INFO","function":"f","line":10,"msg":"', b"slot is processing"),
        (b"llama_kv_cache:      CUDA0 ", b"KV buffer size"),
        (b"/a/b/rope.cu:370: ", b"GGML_ASSERT("),
    ],
)
def test_the_heads_of_other_lines_are_taken_off(before: bytes, words: bytes) -> None:
    assert len(before) in peel((before + words).translate(ALIKE)).places


@pytest.mark.parametrize(
    "before", [b"the log says: slot ", b"> slot ", b'prompt: "slot ', b"x slot ", b"Received request 1: slot "]
)
def test_what_a_user_quotes_is_no_line_of_the_server(before: bytes) -> None:
    assert max(peel(before + WORDS).places) < len(before)


def test_the_parts_with_a_meaning_are_told() -> None:
    line = b"18562762756904 2026-11-29T22:28:48.711968Z | 12.05.449.356 I slot print_timing: id  3 | task 88 | eval"
    head = peel(line)

    assert {name: line[slice(*span)] for name, span in head.spans.items()} == {
        "read": b"18562762756904",
        "minutes": b"12",
        "second": b"05",
        "part": b"449.356",
        "slot": b"3",
        "task": b"88",
    }


def test_of_two_times_the_inner_one_is_the_logs_own() -> None:
    line = b'time=2026-08-19T15:03:39.876Z level=INFO source=a.go:1 msg="0.05.449.356 I slot'
    assert sorted(peel(line).spans) == ["minutes", "part", "second"]


def test_a_line_of_nothing_but_heads_is_given_up() -> None:
    assert len(peel(b"I " * 10_000).places) == MOST + 1
