from __future__ import annotations

from dataclasses import replace

from generator.declared.round_tables import HardwareTable, WorkloadTable
from generator.declared.table_types import Words
from generator.frame import Analysis
from generator.text import Lang
from generator.told.blocks import Facts
from tests.support.memory_round import memory_round
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import analysed, chapter_of, text_of


def facts(name: str) -> dict[str, str]:
    return facts_of(ANALYSES[name]())


def facts_of(analysis: Analysis, lang: Lang = "en") -> dict[str, str]:
    told = chapter_of("overview", analysis)
    assert told is not None
    (block,) = told.blocks
    assert isinstance(block, Facts)
    return {text_of(label, analysis, lang): text_of(words, analysis, lang) for label, words in block.facts}


def test_second_round_lists_what_it_declares() -> None:
    assert facts("round-2") == {
        "Model": "Qwen2.5-7B-Instruct",
        "GPU": "RTX 4090",
        "Memory bandwidth": "1,008 GB/s (data sheet)",
        "Driver": "580.159.03 · CUDA 13.0",
        "vLLM BF16": "0.27.1 · BF16",
        "llama.cpp Q4_K_M": "eab8ee41f · Q4_K_M",
        "Input / output": "1,024 / 256 tok",
        "Load levels": "C=1, C=2, C=4, C=8, C=16, C=32 and C=64",
        "Arrivals": "closed loop: each new request is sent when one ends",
        "vLLM BF16 failed / sent": "0 / 1,332",
        "llama.cpp Q4_K_M failed / sent": "1 / 1,332",
    }


def test_what_was_not_declared_is_left_out() -> None:
    assert facts("no levels") == {"Model": "a model", "GPU": "a device", "a": "a", "b": "b"}


def test_words_of_the_author_are_told_in_both_languages() -> None:
    analysis = ANALYSES["round-2"]()
    file = analysis.round.file.model_copy(
        update={
            "hardware": HardwareTable(gpu=Words(zh="一块卡", en="a card")),
            "workload": WorkloadTable(dataset=Words(zh="随机词", en="random words")),
            "round": analysis.round.file.round.model_copy(update={"date": Words(zh="2026 年八月", en="August 2026")}),
        }
    )
    told = replace(analysis, round=replace(analysis.round, file=file))
    assert {"一块卡", "随机词", "2026 年八月"} <= set(facts_of(told, "zh").values())
    assert {"a card", "random words", "August 2026"} <= set(facts_of(told).values())


def test_a_date_without_a_year_says_so() -> None:
    assert facts("round-1")["Date"] == "08-15 / 08-24 (year not recorded)"


def test_lengths_that_differ_between_levels_are_no_fact_of_the_round() -> None:
    assert "Input / output" not in facts("sweep over lengths")


def test_levels_without_a_load_are_all_named() -> None:
    speeds = {"pp512": {"prompt_throughput": 1000.0}, "tg128": {"generation_throughput": 50.0}}

    assert facts_of(analysed(memory_round({"s": speeds})))["Load levels"] == "pp512 and tg128"


def test_each_way_of_arriving_is_named_once() -> None:
    levels = {
        "c1": {"concurrency": 1.0},
        "c2": {"concurrency": 2.0},
        "r1": {"rate": 1.0, "burstiness": 1.0},
        "r2": {"rate": 2.0},
        "all": {"completed": 9.0},
        "tg": {"generation_throughput": 50.0},
    }
    arrivals = facts_of(analysed(memory_round({"s": levels})))["Arrivals"]

    assert arrivals.startswith(
        "all at once, closed loop: each new request is sent when one ends, Poisson and at a rate, the process"
    )


def test_levels_of_one_load_and_several_lengths_are_all_named() -> None:
    lengths = {
        f"i{n}": {"concurrency": 1.0, "asked_input_tokens": float(n), "asked_output_tokens": 8.0} for n in (32, 1536)
    }
    told = facts_of(analysed(memory_round({"a": lengths, "b": lengths})))

    assert told["Load levels"] == "C=1 (input 32) and C=1 (input 1,536)"
