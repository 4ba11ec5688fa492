from __future__ import annotations

import pytest

from generator.traffic import llamacpp_log
from generator.traffic.llamacpp_log import LlamaLog
from generator.traffic.rows import Row
from tests.support.loads import LLAMA


def rows_of(text: str) -> tuple[list[Row], LlamaLog]:
    log = LlamaLog()
    return list(log.rows([text.encode()])), log


def test_a_prompt_has_what_was_computed_of_it_and_what_was_in_the_cache() -> None:
    (first, second), log = rows_of(LLAMA)

    # 40 in the cache + 60 computed; the end at 4.000002 s less 1 s
    assert (first.input_tokens, first.output_tokens, first.duration) == (100, 20, 1.0)
    assert first.at == pytest.approx(3.0, abs=1e-5)
    # nothing is said of the cache, and the slot holds 60 at the end: 60 − 11 + 1 = 50
    assert (second.input_tokens, second.output_tokens, second.duration) == (50, 11, 1.5)
    assert second.at == pytest.approx(5.0, abs=1e-5)
    assert (log.clock, log.notes) == ("start", {"without_queue"})


def test_where_nothing_tells_of_the_cache_the_length_is_a_bound() -> None:
    without = "".join(
        line for line in LLAMA.splitlines(keepends=True) if "release" not in line and "memory_seq" not in line
    )
    rows, log = rows_of(without)

    assert [row.input_tokens for row in rows] == [60, 30]
    assert "cached_unknown" in log.notes


def test_blocks_of_timings_without_a_slot_are_of_the_line_above() -> None:
    text = (
        "slot print_timing: id  3 | task 9 | \n"
        "prompt eval time =      10.00 ms /     5 tokens\n"
        "       eval time =      90.00 ms /     4 tokens\n"
        "      total time =     100.00 ms /     9 tokens\n"
        "slot      release: id  3 | task 9 | stop processing: n_tokens = 8, truncated = 0\n"
    )
    rows, _ = rows_of(text)

    assert rows == [Row(None, 5, 4, None, 0.1)]


def test_a_server_that_was_started_anew_goes_on_where_it_was() -> None:
    rows, log = rows_of(LLAMA + LLAMA)

    assert [round(row.at or 0, 3) for row in rows] == [3.0, 5.0, 9.5, 11.5]  # 6.5 s on
    assert "restarted" in log.notes


def test_where_the_log_is_cut_makes_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, _ = rows_of(LLAMA)
    monkeypatch.setattr(llamacpp_log, "AT_ONCE", 1)
    log = LlamaLog()

    assert list(log.rows(line.encode() for line in LLAMA.splitlines(keepends=True))) == whole
