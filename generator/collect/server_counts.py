"""What a run keeps of the server's own counters: by how much each grew, and what of it is a number of the report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.collect.prompts import Plain
from generator.runs.imported import Reported
from generator.telemetry.page import Growth

REPORTED: Final = (("server_prompt_tokens", "prompt_tokens"), ("server_output_tokens", "generation_tokens"))
"""Metrics, and the counter that each is the growth of."""

TIMES: Final = ("queue_seconds", "queue_count", "prefill_seconds", "prefill_count", "ttft_seconds", "ttft_count")
"""Counters that means are taken from: with the warm-up in them, which meets no load, those would be of other ones."""


def times_of(grown: Mapping[str, Growth]) -> dict[str, Growth]:
    """Return the growths that means are taken from."""
    return {name: growth for name, growth in grown.items() if name in TIMES}


def summary_of(grown: Mapping[str, Growth]) -> dict[str, Plain]:
    """Return the entries of level.json's summary; None where a growth is not known."""
    return {f"server_{name}": growth.amount for name, growth in grown.items()}


def reported_of(grown: Mapping[str, Growth]) -> list[Reported]:
    """Return the growths that are numbers of the report, those that are known."""
    found = [(metric, f"server_{name}", grown[name].amount) for metric, name in REPORTED if name in grown]
    return [Reported(metric, key, "tok", amount) for metric, key, amount in found if amount is not None]
