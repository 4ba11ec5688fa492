"""Why a latency of exactly 0 is no measurement: time passes between any two things that are told apart."""

from __future__ import annotations

from typing import Final

from generator.text import Text

OF_GAPS: Final = Text(
    zh="{name} 正好是 0，这不是测量值：几个 chunk 在一次读取里到齐，或者压测工具没有测",
    en="{name} is exactly 0, which is no measurement: several chunks came in one read, or the client measured none",
)
OF_REQUESTS: Final = Text(
    zh="{name} 正好是 0，这不是测量值：压测工具没有测",
    en="{name} is exactly 0, which is no measurement: the client measured none",
)


def zero_gap(name: Text) -> Text:
    """Say why a gap between chunks is not known where it is exactly 0."""
    return OF_GAPS.format(name=name)


def zero_latency(key: str) -> Text:
    """Say why a statistic of a latency, as ``itl_p50``, is not known where it is exactly 0."""
    quantity, _, statistic = key.partition("_")
    name = Text(zh=f"{quantity.upper()} {statistic}".replace("mean", "均值"), en=f"{quantity.upper()} {statistic}")
    return zero_gap(name) if quantity == "itl" else OF_REQUESTS.format(name=name)
