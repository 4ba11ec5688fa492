"""Whether both sides of a level did the same work: what was asked of them, and what came out."""

from __future__ import annotations

from typing import Final

from generator.comparing.records import SAME_WORK
from generator.comparing.shares import quantity_of
from generator.comparing.sides import Side

ASKED_METRICS: Final = ("asked_input_tokens", "asked_output_tokens", "input_tokens_mean")
"""What was asked at a level: where it differs, nothing of it can be compared."""
OUTPUT_METRICS: Final = ("output_tokens_mean", "short_answer_share")
"""What came out of it: how long the answers are, and how many of them ended before they were asked to."""
OF_WHOLE_ANSWERS: Final = frozenset({
    "request_throughput", "request_goodput", "total_token_throughput", "output_throughput",
})  # fmt: skip
"""Metrics that depend on how long the answers are, beside E2EL: each answer has its prefill, however long it is."""
WHOLE: Final = "e2el"


def was_asked_alike(base: Side, head: Side) -> bool:
    """Say whether both sides were asked for the same, as far as it is known."""
    return not any(_is_apart(base, head, metric) for metric in ASKED_METRICS)


def has_like_output(base: Side, head: Side) -> bool:
    """Say whether answers of the same length came of both sides, as far as it is known."""
    return not any(_is_apart(base, head, metric) for metric in OUTPUT_METRICS)


def depends_on_output(metric: str) -> bool:
    """Say whether a metric changes with the length of the answers alone."""
    return metric in OF_WHOLE_ANSWERS or quantity_of(metric) == WHOLE


def _is_apart(base: Side, head: Side, metric: str) -> bool:
    one, other = (None if found is None else found.value for found in (base.value(metric), head.value(metric)))
    if one is None or other is None:
        return False
    whole = 1.0 if metric.endswith("_share") else max(one, other)
    return abs(one - other) > SAME_WORK * whole
