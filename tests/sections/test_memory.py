from __future__ import annotations

from dataclasses import replace

import pytest

from generator.text import Text
from generator.told.blocks import Paragraph
from tests.support.machines import machine
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import chapter_of, text_of


def paragraphs(name: str) -> list[str]:
    analysis = ANALYSES[name]()
    told = chapter_of("memory", analysis)
    assert told is not None
    return [text_of(one, analysis) for one in told.blocks if isinstance(one, Paragraph)]


def test_second_round_leaves_a_remainder() -> None:
    # (18.6416 − 4.3586 − 14) ÷ 18.6416 = 1.5 %; pools 262144 ÷ 120064 = 2.18.
    residual, pools = paragraphs("round-2")

    assert residual.startswith("llama.cpp Q4_K_M uses 18.64 GiB, of which weights of 4.36 GiB and a KV pool of ")
    assert "14.0 GiB leave 1.5% unexplained." in residual
    # What a pool's size is a matter of, its authors say themselves.
    assert pools == ("The KV pool of llama.cpp Q4_K_M holds 262,144 tok, 2.18× the 120,064 tok of vLLM BF16.")


def test_more_than_is_used_is_a_contradiction_and_no_negative_remainder() -> None:
    (told,) = paragraphs("memory overdrawn")

    assert "come to more than that: they cannot all hold" in told
    assert "-" not in told
    assert "remainder" not in told


def test_what_holds_for_all_series_is_said_once() -> None:
    residuals, pools = paragraphs("three series")

    assert residuals.count("it is not an error") == 1
    assert pools.count("not a property of the engine") == 1


def test_without_memory_only_the_figure_speaks_and_the_chapter_says_what_is_lacking() -> None:
    told = chapter_of("memory", ANALYSES["nothing recorded"]())
    assert told is not None

    assert paragraphs("nothing recorded") == []
    assert told.lacking == Text(zh="内存的去向", en="memory")


@pytest.mark.parametrize(("gpu", "heading"), [("L40S", "显存"), ("none (CPU)", "内存")])
def test_without_a_gpu_it_is_not_memory_of_a_gpu(gpu: str, heading: str) -> None:
    analysis = ANALYSES["three series"]()
    machines = {series.id: machine({"gpu.gpus.name": gpu}) for series in analysis.round.series}
    round_ = replace(analysis.round, machines=machines)
    told = chapter_of("memory", replace(analysis, round=round_))
    assert told is not None

    assert text_of(told.heading, replace(analysis, round=round_), "zh").startswith(heading)
