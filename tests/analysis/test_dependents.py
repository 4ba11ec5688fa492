"""Nothing is typed: a number that changes in a file changes all that is said to rest on it, and nothing else."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pytest

from generator.analysis.stages import analyse
from generator.frame import Frame
from generator.model import Round
from generator.values import Address, Source, Value
from tests.support.example_rounds import EXAMPLES
from tests.support.memory_round import GRAPH

STEP: Final = 1.07
"""By how much a number is changed: enough to show, too little to turn the order of levels round."""
SAME: Final = 1e-11
"""Relative difference within which two numbers are one, computed in another order."""

EXCUSED: Final = {
    ("output_throughput", "throughput_ratio_equal_tokens"): "it cancels: the counted tokens are derived from it",
    ("output_throughput", "crossover_concurrency_equal_tokens"): "the same",
    ("output_throughput", "crossover_count"): "a larger lead is still one crossing",
    ("duration", "crossover_count"): "the same",
    ("completed", "output_tokens_total"): "it cancels: the mean is derived by dividing by it",
    ("completed", "output_tokens_per_request"): "the same",
    ("completed", "output_tokens_missing"): "the same, where no number of tokens was asked for",
    ("concurrency", "knee_concurrency"): "a knee is the lower of the two levels that it rests on",
    ("output_throughput", "knee_concurrency"): "a flat step may be flatter, or less flat, and stay one",
    ("duration", "knee_concurrency"): "the same",
    ("e2el_mean", "knee_concurrency"): "a wait that is longer is still longer",
    ("asked_output_tokens", "throughput_ratio_equal_tokens"): "it cancels: one place asks the same of both series",
    ("asked_output_tokens", "crossover_concurrency_equal_tokens"): "the same",
    ("itl_p50", "tpot_mean_implied"): "it cancels: without a printed share, the share is derived by dividing by it",
    ("kv_pool_tokens", "kv_pool_bytes_per_token"): "it cancels: without printed bytes, they are derived from it",
    ("asked_input_tokens", "marginal_step_cost"): "it cancels: one place asks the same of all levels",
    ("asked_output_tokens", "marginal_step_cost"): "the same",
    ("asked_input_tokens", "marginal_step_cost_excess"): "the same",
    ("asked_output_tokens", "marginal_step_cost_excess"): "the same",
    ("asked_input_tokens", "step_lines_meet"): "the same",
    ("asked_output_tokens", "step_lines_meet"): "the same",
    ("rate", "kept_in_flight"): "none are kept in flight under any rate",
    ("completed", "prompt_cache_hit_ratio"): "no hits are no hits among however many",
    ("asked_output_tokens", "graph_reuse_per_step"): "no reuse is no reuse over however many steps",
    ("concurrency", "graph_reuse_per_step"): "the same",
    ("log_timing_lines", "graph_reuse_per_step"): "the same",
    ("asked_output_tokens", "graph_reuse_per_token"): "the same",
    ("log_timing_lines", "graph_reuse_per_token"): "the same",
}
"""(what was changed, what is listed as resting on it and may stay) -> why the change need not show."""
NOT_PRINTED: Final = frozenset({"tpot_mean_implied", "kv_pool_bytes_per_token"})
"""What is taken back out of a number that is derived from it, where the number was not printed."""
ONLY_OF_NOUGHT: Final = frozenset({"prompt_cache_hit_ratio", "graph_reuse_per_step", "graph_reuse_per_token"})
"""Excused only where the value is 0."""


def changed_at(round_: Round, source: Source) -> Round:
    """Change the number at one place of one file; nought becomes one."""
    observations = tuple(
        replace(seen, value=seen.value * STEP or 1.0) if seen.source == source else seen for seen in round_.observations
    )
    return replace(round_, observations=observations)


def differing(before: Frame, after: Frame) -> set[Address]:
    return {where for where, value in before.values.items() if not same(value, after.values[where])}


def same(before: Value, after: Value) -> bool:
    if before.value is None or after.value is None:
        return before.value is after.value
    return math.isclose(before.value, after.value, rel_tol=SAME, abs_tol=1e-15)


def medians_that_stay(before: Frame, after: Frame) -> set[Address]:
    """Return the medians of trials that are as they were: a trial that is not in the middle may move."""
    return {where for where, value in before.values.items() if (value.n or 0) > 1 and same(value, after.values[where])}


def dependents(frame: Frame, changed: set[Address], staying: set[Address]) -> set[Address]:
    """Return all that lists one of the changed numbers among its inputs, or something that does and does not stay."""
    found = {**dict.fromkeys(staying, False), **dict.fromkeys(changed, True)}

    def rests(where: Address) -> bool:
        if where not in found:
            found[where] = any(rests(listed.address) for listed in frame.values[where].inputs)
        return found[where]

    return {where for where in frame.values if rests(where)}


def sources(round_: Round, frame: Frame) -> Iterator[tuple[Source, set[Address]]]:
    """Yield each place of a file, and what is read there: what a level declares is read for each of its trials."""
    for source in dict.fromkeys(seen.source for seen in round_.observations):
        read = {where for where, value in frame.values.items() if value.source == source and value.formula is None}
        yield source, read | {seen.address for seen in round_.observations if seen.source == source}


def excuse(cause: str, value: Value) -> tuple[str, str] | None:
    """Return under which heading a value may stay as it is; None where it may not."""
    heading = (cause, value.address.metric)
    if heading not in EXCUSED or (value.address.metric in ONLY_OF_NOUGHT and value.value != 0):
        return None
    return heading


def excuses_used(round_: Round) -> set[tuple[str, str]]:
    """Change every number of a round in turn; return the excuses that were needed."""
    before = analyse(round_, GRAPH, ()).frame
    used: set[tuple[str, str]] = set()
    for source, touched in sources(round_, before):
        after = analyse(changed_at(round_, source), GRAPH, ()).frame
        staying = medians_that_stay(before, after)
        expected = dependents(before, touched, staying) | dependents(after, touched, staying)
        changed = differing(before, after)
        cause = next(iter(touched)).metric
        excuses = {where: excuse(cause, before.values[where]) for where in expected - changed}

        assert changed - expected == set(), f"{source}: changed though not listed as resting on it"
        assert None not in excuses.values(), f"{source}: stayed though listed as resting on it: {excuses}"
        used.update(heading for heading in excuses.values() if heading is not None)
    return used


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_a_changed_number_changes_what_rests_on_it_and_nothing_else(example: str) -> None:
    slopes = {"marginal_step_cost", "marginal_step_cost_excess", "step_lines_meet"}
    needed = {
        "round-1": {"prompt_cache_hit_ratio", *slopes, *NOT_PRINTED},
        "round-2": {metric for _, metric in EXCUSED}
        - {
            "prompt_cache_hit_ratio",
            "tpot_mean_implied",
            "kept_in_flight",
            "output_tokens_missing",
            "knee_concurrency",
        },
        "one series": {"output_tokens_total", "output_tokens_per_request", "marginal_step_cost", *NOT_PRINTED},
        "runs": {
            "crossover_count",
            "output_tokens_total",
            "output_tokens_per_request",
            "output_tokens_missing",
            "kept_in_flight",
            "knee_concurrency",
        },
        "held up": set(),
        "logged": set(),
        "saturated": {"knee_concurrency"},
        "three series": {metric for cause, metric in EXCUSED if cause in ("output_throughput", "completed")}
        - {"prompt_cache_hit_ratio", "output_tokens_missing", "knee_concurrency"}
        | NOT_PRINTED
        | slopes,
    }

    assert {metric for _, metric in excuses_used(EXAMPLES[example]())} == needed[example]
