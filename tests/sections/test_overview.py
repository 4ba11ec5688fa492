from __future__ import annotations

from generator.blocks import Facts
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import chapter_of, text_of


def facts(name: str) -> dict[str, str]:
    analysis = ANALYSES[name]()
    told = chapter_of("overview", analysis)
    assert told is not None
    (block,) = told.blocks
    assert isinstance(block, Facts)
    return {text_of(label, analysis): text_of(words, analysis) for label, words in block.facts}


def test_second_round_lists_what_it_declares() -> None:
    assert facts("round-2") == {
        "Model": "Qwen2.5-7B-Instruct",
        "GPU": "RTX 4090",
        "Memory bandwidth": "1,008 GB/s (datasheet)",
        "Driver": "580.159.03 · CUDA 13.0",
        "vLLM BF16": "0.27.1 · BF16",
        "llama.cpp Q4_K_M": "eab8ee41f · Q4_K_M",
        "Input / output": "1,024 / 256 tok",
        "Load levels": "C=1, C=2, C=4, C=8, C=16, C=32 and C=64",
        "vLLM BF16 failed / sent": "0 / 1,332",
        "llama.cpp Q4_K_M failed / sent": "1 / 1,332",
    }


def test_what_was_not_declared_is_left_out() -> None:
    assert facts("no levels") == {"Model": "a model", "GPU": "a device", "a": "a", "b": "b"}


def test_lengths_that_differ_between_levels_are_no_fact_of_the_round() -> None:
    assert "Input / output" not in facts("sweep over lengths")
