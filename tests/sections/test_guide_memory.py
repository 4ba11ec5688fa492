from __future__ import annotations

from generator.model import Round
from tests.support.choices import levels
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.telling import analysed, chapter_of, said, text_of

GIB = 2.0**30


def with_weights(gib: float, **more: float) -> Round:
    at = levels(output_throughput=[100], asked_input_tokens=[1024], asked_output_tokens=[256])
    declared = {"memory_capacity": 24 * GIB, "layers": 28.0, "kv_heads": 4.0, "head_dim": 128.0, "kv_dtype_bytes": 2.0}
    return memory_round({"s": at}, of_series={"s": {"weights_loaded": gib * GIB, **more}}, of_round=declared)


def test_a_budget_is_set_out_of_each_series() -> None:
    analysis = analysed(published("round-2"))
    text = text_of(chapter_of("guide_memory", analysis), analysis)

    assert "vLLM BF16 (BF16): of 24 GiB, weights of 14.49 GiB leave 9.51 GiB for KV at most" in text
    # 9.51 GiB ÷ 56 KiB = 178 070.7 tok, ÷ 1280 = 139.1, both rounded down; the pool has 6.41 GiB: 93.8.
    assert "If all of it went to KV, 178,070 tok of context would fit, or 139 requests of this round's length." in text
    assert "The pool configured here is full at C = 93.8." in text
    assert "its scheduler wall comes first, at 64 requests" in text


def test_weights_that_do_not_fit_are_said_to() -> None:
    text = said(chapter_of("guide_memory", analysed(with_weights(30))), with_weights(30))

    assert "do not fit into 24.0 GiB" in text
    assert "would fit" not in text


def test_requests_that_fit_are_counted() -> None:
    # 24 − 10 = 14 GiB ÷ 56 KiB = 262 144 tokens ÷ 1280 = 204.8
    round_ = with_weights(10)

    text = said(chapter_of("guide_memory", analysed(round_)), round_)
    assert "262,144 tok of context would fit, or 204 requests" in text


def test_without_a_capacity_there_is_no_budget() -> None:
    round_ = memory_round({"s": levels(output_throughput=[100])}, of_series={"s": {"weights_loaded": GIB}})

    assert chapter_of("guide_memory", analysed(round_)) is None
