from __future__ import annotations

import pytest

from generator.machines.fact_kinds import FACT_KINDS, as_shown, kind_of, place_of
from generator.text import Text, same


def test_each_fact_stands_once() -> None:
    paths = [kind.path for kind in FACT_KINDS]
    assert len(set(paths)) == len(paths)
    assert [path for path in paths if kind_of(path.replace("*", "x")) is not FACT_KINDS[paths.index(path)]] == []


def test_a_family_of_facts_is_told_by_what_follows() -> None:
    kind = kind_of("python.packages.torch")
    assert kind is not None
    assert kind.title_of("python.packages.torch") == same("torch")


def test_what_is_not_listed_is_not_compared_and_comes_last() -> None:
    assert kind_of("gpu.gpus.pcie_generation_now") is None
    assert place_of("something") == len(FACT_KINDS) > place_of("gpu.driver")


@pytest.mark.parametrize(
    ("path", "text", "shown"),
    [
        # 25,769,803,776 B ÷ 2^30 = 24 GiB, 1.98e9 Hz = 1980 MHz
        ("gpu.gpus.memory_total_bytes", "25769803776", same("24\u202fGiB")),
        ("gpu.gpus.sm_clock_max_hz", "1980000000", same("1980\u202fMHz")),
        ("gpu.gpus.power_limit_w", "350 / 300", same("350\u202fW / 300\u202fW")),
        ("gpu.gpus.power_limit_w", "much", same("much")),
        ("gpu.gpus.ecc", "true", Text(zh="开", en="on")),
        ("machine.cpu.virtual", "true", Text(zh="是", en="yes")),
        ("host", "x" * 61, same("x" * 60 + "…")),
    ],
)
def test_facts_are_shown_in_words_and_units(path: str, text: str, shown: Text) -> None:
    kind = kind_of(path)
    assert kind is not None
    assert as_shown(kind, text) == shown
