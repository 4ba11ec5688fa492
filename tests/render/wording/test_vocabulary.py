from __future__ import annotations

from dataclasses import replace

import pytest

from generator.render.wording.numbers import Printer
from generator.render.wording.vocabulary import in_words
from generator.text import Lang, Text
from generator.told.sentence import say
from tests.support.machines import machine
from tests.support.memory_round import memory_round
from tests.support.telling import analysed, catalogue

WALL = Text(zh="显存墙：KV 池在显存里占的大小。", en="Device memory: what the KV pool takes in device memory.")
NONE = Text(zh="没有 GPU，也就没有显存可核对。", en="There was no GPU, and so no device memory.")


@pytest.mark.parametrize(
    ("text", "lang", "has_gpu", "told"),
    [
        (WALL, "zh", True, "显存墙：KV 池在显存里占的大小。"),
        (WALL, "zh", False, "内存墙：KV 池在内存里占的大小。"),
        (WALL, "en", False, "Memory: what the KV pool takes in memory."),
        (NONE, "zh", False, "没有 GPU，也就没有显存可核对。"),
        (NONE, "en", False, "There was no GPU, and so no device memory."),
    ],
)
def test_the_memory_of_a_machine_without_a_gpu_is_just_memory(text: Text, lang: Lang, has_gpu: bool, told: str) -> None:
    assert in_words(text, lang, has_gpu=has_gpu) == told


@pytest.mark.parametrize(("gpu", "told"), [("none (CPU)", "内存墙"), ("NVIDIA L4", "显存墙")])
def test_a_round_is_told_in_the_words_of_its_machines(gpu: str, told: str) -> None:
    round_ = replace(memory_round({"s": {}}), machines={"s": machine({"gpu.gpus.name": gpu})})
    printer = Printer(analysed(round_), catalogue().graph, "zh")
    wall = Text(zh="显存墙", en="memory wall")

    assert printer.plain(wall) == told
    assert printer.plain_sentence(say(zh="{w}在前", en="{w} first", w=wall)) == f"{told}在前"
    assert printer.html_sentence(say(zh="显存墙", en="memory wall")) == told
