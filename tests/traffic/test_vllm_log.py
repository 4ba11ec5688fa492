from __future__ import annotations

import pytest

from generator.traffic import vllm_log
from generator.traffic.rows import Row
from generator.traffic.vllm_log import VllmLog
from tests.support.loads import VLLM


def rows_of(text: str) -> tuple[list[Row], VllmLog]:
    log = VllmLog()
    return list(log.rows(text.encode().splitlines())), log


def test_requests_are_told_with_the_tokens_of_their_prompts_and_how_long_they_took() -> None:
    (first, second), log = rows_of(VLLM)

    # the list that a prompt quotes has 2 ids; the server's own has 3. From 18:17:03 to 18:17:08 are 5 s
    assert (first.input_tokens, first.output_tokens, first.duration) == (3, None, 5.0)
    assert (second.input_tokens, second.duration) == (None, None)
    assert (second.at or 0) - (first.at or 0) == 1.0
    assert (log.clock, log.notes) == ("file", set())


def test_answers_are_counted_where_they_are_logged() -> None:
    head, told = "INFO 11-16 18:17:0{} [logger.py:61] ", "output: 'y', output_token_ids: {}, finish_reason: {}\n"
    text = (
        head.format(3) + "Received request chatcmpl-7: params: SamplingParams(n=1), lora_request: None.\n"
        + head.format(3) + "Request chatcmpl-7 details: prompt: 'x', prompt_token_ids: [5, 6], x.\n"
        + head.format(4) + "Generated response chatcmpl-7 (streaming delta): " + told.format("[1]", "None")
        + head.format(5) + "Generated response chatcmpl-7 (streaming complete): " + told.format("[1, 2, 3, 4]", "stop")
    )  # fmt: skip
    ((row,), _) = rows_of(text)

    assert (row.input_tokens, row.output_tokens, row.duration) == (2, 4, 2.0)


def test_lines_of_the_web_server_tell_that_there_were_requests_and_no_more() -> None:
    line = 'INFO:     127.0.0.1:1 - "{} HTTP/1.1" 200 OK\n'
    text = (
        "INFO 11-16 18:17:00 [x.py:1] vLLM API server version 0.11\n"
        + (line.format("POST /v1/chat/completions") + line.format("GET /health")) * 3
    )
    rows, log = rows_of(text)

    assert rows == [Row()] * 3
    assert log.notes == {"ends_not_arrivals"}


def test_a_stamp_in_front_of_a_line_is_its_time() -> None:
    line = '2026-11-16T18:17:0{} | INFO:     127.0.0.1:1 - "POST /v1/completions HTTP/1.1" 200 OK\n'
    rows, _ = rows_of("".join(line.format(second) for second in ("3.500Z", "4.750Z")))

    assert (rows[1].at or 0) - (rows[0].at or 0) == pytest.approx(1.25)


def test_a_year_that_ends_is_no_step_back() -> None:
    line = "INFO {} [async_llm.py:270] Added request r{}.\n"
    rows, _ = rows_of(line.format("12-31 23:59:59", 1) + line.format("01-01 00:00:01", 2))

    assert (rows[1].at or 0) - (rows[0].at or 0) == 2.0


def test_what_a_prompt_quotes_of_a_log_is_no_request() -> None:
    text = "INFO 11-16 18:17:03 [x.py:1] hello: 'Received request a: b'\n\"Finished request a.\"\n"
    assert rows_of(text)[0] == []


def test_requests_without_an_end_are_not_held_without_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vllm_log, "MOST_OPEN", 2)
    line = "INFO 11-16 18:17:03 [async_llm.py:270] Added request r{}.\n"
    log = VllmLog()
    found = log.rows(line.format(number).encode() for number in range(4))

    assert next(found).duration is None  # the first, as the third comes
    assert len(log._open) == 2
    assert len(list(found)) == 3
