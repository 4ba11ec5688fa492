"""What the references of the authors' prose stand for."""

from __future__ import annotations

import pytest

from generator.analysis.quotes import quoted
from generator.text import same
from generator.told.references import split
from generator.told.sentence import LevelName, Part, Quantity, SeriesName
from generator.values import Address
from tests.support.analyses import small_analysis

SERIES = "vllm-bf16"


def part(call: str) -> Part | None:
    _, (reference,) = split("{{ " + call + " }}")
    return quoted(reference, small_analysis())


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ('typed("28 layers")', same("28 layers")),
        ('series("vllm-bf16")', SeriesName(SERIES)),
        ('level("c8", series="llamacpp-q4_k_m")', LevelName("llamacpp-q4_k_m", "c8")),
        ('level("c8")', LevelName(SERIES, "c8")),
        ('value("memory_capacity")', Quantity(Address("memory_capacity", "round"))),
        ('value("kv_bytes_per_token", series="vllm-bf16")', Quantity(Address("kv_bytes_per_token", "series", SERIES))),
        ('value("itl_p50", series="vllm-bf16", level="c8")', Quantity(Address("itl_p50", "level", SERIES, "c8"))),
        (
            'value("crossover_concurrency", series="llamacpp-q4_k_m", decimals=1)',
            Quantity(Address("crossover_concurrency", "pair", "llamacpp-q4_k_m"), decimals=1),
        ),
        (
            'value("throughput_ratio", series="llamacpp-q4_k_m", level="c8", style="percent")',
            Quantity(Address("throughput_ratio", "pair-level", "llamacpp-q4_k_m", "c8"), style="percent"),
        ),
        (
            'value("itl_p50", series="vllm-bf16", level="c8", unit="s")',
            Quantity(Address("itl_p50", "level", SERIES, "c8"), unit="s"),
        ),
    ],
)
def test_references_stand_for_parts_of_a_sentence(call: str, expected: Part) -> None:
    assert part(call) == expected


@pytest.mark.parametrize(
    "call",
    [
        'series("nobody")',
        'level("c9")',
        'level("c8", series="nobody")',
        'value("never_was")',
        'value("itl_p50", series="vllm-bf16")',
        'value("throughput_ratio", series="vllm-bf16", level="c8")',
    ],
)
def test_what_the_round_does_not_have_is_nothing(call: str) -> None:
    assert part(call) is None
