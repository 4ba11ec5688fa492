"""Nothing is typed: a number that changes in a file changes all that is said to rest on it, and nothing else."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Final

import pytest

from generator.analysis.graph import OVER_STARTS
from generator.analysis.stages import analyse
from generator.frame import Frame
from generator.kinds import Over
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
    ("output_throughput", "scaling_efficiency"): "it cancels where one request is alone: it is the unit",
    ("asked_input_tokens", "scaling_efficiency"): "it cancels: one place asks the same of all levels",
    ("asked_output_tokens", "scaling_efficiency"): "the same",
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
    ("rate", "requests_due"): "of a table, those that were sent are due under any rate",
    ("rate", "knee_rate"): "a rate that is served, or missed by far, stays so",
    ("requests", "knee_rate"): "the same",
    ("completed", "knee_rate"): "the same",
    ("duration", "knee_rate"): "the same",
    ("e2el_p50", "knee_rate"): "the same",
    ("duration", "best_throughput"): "the largest is that of one level",
    ("e2el_p50", "knee_concurrency"): "a wait that is longer is still longer",
    ("completed", "prompt_cache_hit_ratio"): "no hits are no hits among however many",
    ("asked_output_tokens", "graph_reuse_per_step"): "no reuse is no reuse over however many steps",
    ("concurrency", "graph_reuse_per_step"): "the same",
    ("log_timing_lines", "graph_reuse_per_step"): "the same",
    ("asked_output_tokens", "graph_reuse_per_token"): "the same",
    ("kv_pool_tokens", "kv_fit_r2"): "it cancels: where the use is tokens over the pool, all of it scales alike",
    ("kv_pool_tokens", "kv_places_per_token"): "the same",
    ("asked_output_tokens", "short_answer_share"): "answers that are all short stay all short",
    ("log_timing_lines", "prefill_speed"): "it cancels: tokens and seconds of the log are both per timing line",
    ("engine_block_tokens_of_series", "kv_fit_correlation"): "it cancels where all samples have as many sequences",
    ("engine_block_tokens_of_series", "kv_fit_tokens_sd"): "the same",
    ("engine_block_tokens_of_series", "kv_fit_samples_total"): "it counts samples",
    ("log_waiting_most", "cliff_waiting"): "none waiting is none waiting",
    ("log_waiting_share", "cliff_waiting"): "the same",
    ("requests", "failure_ratio"): "no failures are none of however many",
    ("requests", "failure_ratio_total"): "the same",
    ("requests", "server_preemption_share"): "the same",
    ("itl_p50", "step_growth"): "it cancels at one level: it is against itself",
    ("itl_p50", "step_increase"): "the same",
    ("log_timing_lines", "graph_reuse_per_token"): "the same",
}
"""(what was changed, what is listed as resting on it and may stay) -> why the change need not show."""
RESTING: Final = {
    "break_even_time": "it hangs on the smaller of demand and capacity",
    "answer_tokens": "it cancels: requests and tokens are of one count",
    "cliff_gap_levels": "it counts levels",
    "cliff_observed": "it is the load of a level, also where its signs are stronger",
    "cliff_refused": "it is the lower of two counts",
    "cliff_wall": "it is the lower of two walls",
    "cost_per_mtok_output": "it hangs on the smaller of demand and capacity",
    "cost_per_mtok_total": "the same",
    "cold_start_perceived": "it cancels: where no T2 is printed, it is the first token less the T1 that it is added to",
    "decoded_together": "it is no more than the slots, or than what the engine computes",
    **{
        f"elasticity_{of}": "it is a part of a whole, in which both scale alike, or says which of two binds"
        for of in ("demand", "image", "lifetime", "ops", "price", "startup", "throughput", "utilisation")
    },
    "kv_beyond_window": "it is none where no request goes beyond",
    "kv_blocks_of_request": "it is in whole blocks",
    "kv_slot_context": "it cancels: it is the contexts of all slots over the pool, times the pool, over the slots",
    "lifetime_to_ignore": "it cancels where capacity binds: what is served and what a start costs scale alike",
    "output_share": "it cancels: tokens of both sides are of one count",
    "startup_ratio": "it cancels where capacity binds",
    "server_hours_per_mtok": "it hangs on the smaller of demand and capacity",
    "tokens_served": "it is the smaller of demand and capacity",
    "prefill_floor": "it is the larger of two times",
    "prefill_weight_bytes": "it is no more than all weights",
    "short_answers": "it counts answers",
    "prefill_fit_points": "it counts runs",
    "wall_memory": "it is in whole blocks and whole requests",
}
"""What may stay whatever is changed, and all that rests on nothing else with it -> why."""
WITHIN: Final = frozenset({"kv_bytes_of_sequence", "kv_bytes_per_step", "prefill_window_pairs"})
"""What an attention window does not change that no request goes beyond."""
NOT_PRINTED: Final = frozenset({"tpot_mean_implied", "kv_pool_bytes_per_token"})
"""What is taken back out of a number that is derived from it, where the number was not printed."""
OF_ENGINES: Final = frozenset({
    "kv_fit_correlation", "kv_fit_r2", "kv_fit_samples_total", "kv_fit_tokens_sd", "kv_places_per_token",
    "cliff_waiting", "failure_ratio", "failure_ratio_total", "prefill_speed", "server_preemption_share",
    "short_answer_share", "step_growth", "step_increase",
})  # fmt: skip
"""What only rounds have that were sampled, logged or read from the files of a model, or that have one level."""
ONLY_OF_NOUGHT: Final = frozenset({
    "cliff_waiting", "failure_ratio", "failure_ratio_total", "graph_reuse_per_step", "graph_reuse_per_token",
    "prompt_cache_hit_ratio", "server_preemption_share",
})  # fmt: skip
"""Excused only where the value is 0."""
LENGTHS: Final = frozenset({f"asked_{side}_tokens" for side in ("input", "output")}) | frozenset(
    {"input_tokens_counted", "output_tokens_counted", "completed"}
)
"""By what levels are of one length."""
CHOICES: Final[Mapping[str, Collection[Over]]] = {
    **dict.fromkeys(LENGTHS, ("ladder", "whole_ladder", "reachable")),
    "cold_start_resident": OVER_STARTS,
}
"""What a choice goes by -> the columns that are chosen so."""


def changed_at(round_: Round, source: Source) -> Round:
    """Change the number at one place of one file; nought becomes one."""
    observations = tuple(
        seen._replace(value=seen.value * STEP or 1.0) if seen.source == source else seen for seen in round_.observations
    )
    return replace(round_, observations=observations)


def differing(before: Frame, after: Frame) -> set[Address]:
    return {where for where, value in before.values.items() if not same(value, after.values[where])}


def same(before: Value, after: Value) -> bool:
    if before.value is None or after.value is None:
        return before.value is after.value
    return math.isclose(before.value, after.value, rel_tol=SAME, abs_tol=1e-15)


def may_stay(value: Value, cause: str) -> bool:
    """Say whether a value need not show each change: a trial that is not in the middle of several may move."""
    rests = RESTING.keys() | WITHIN if cause == "attention_window" else RESTING.keys()
    return (value.n or 0) > 1 or value.address.metric in rests


def that_stay(before: Frame, after: Frame, cause: str) -> set[Address]:
    """Return the values that are as they were and may be."""
    stay = {where for where, value in before.values.items() if may_stay(value, cause)}
    return {where for where in stay if same(before.values[where], after.values[where])}


Listing = Mapping[Address, Collection[Address]]
"""A value -> the values that list it among their inputs."""


def listing_of(frame: Frame) -> Listing:
    found: dict[Address, list[Address]] = {where: [] for where in frame.values}
    for where, value in frame.values.items():
        for listed in value.inputs:
            found[listed.address].append(where)
    return found


def dependents(listing: Listing, changed: Collection[Address], staying: set[Address]) -> set[Address]:
    """Return all that lists one of the changed numbers among its inputs, or something that does and does not stay."""
    found: set[Address] = set()
    ahead = [where for where in changed if where in listing]
    while ahead:
        where = ahead.pop()
        if where not in found:
            found.add(where)
            ahead.extend(above for above in listing[where] if above not in staying)
    return found


def chosen_anew(listing: Listing, cause: str) -> set[Address]:
    """Return what rests on levels or starts that were chosen by what changed: the choice is no input."""
    chosen = {key for key, metric in GRAPH.metrics.items() if metric.over in CHOICES.get(cause, ())}
    return dependents(listing, [where for where in listing if (where.metric, where.basis) in chosen], set())


def sources(round_: Round, frame: Frame) -> Iterator[tuple[Source, set[Address]]]:
    """Yield each place of a file, and what is read there: what a level declares is read for each of its trials."""
    for source in dict.fromkeys(seen.source for seen in round_.observations):
        read = {where for where, value in frame.values.items() if value.source == source and value.formula is None}
        found = {seen.address for seen in round_.observations if seen.source == source}
        yield source, read | {where for where in found if not is_read_elsewhere(frame, where, source)}


def is_read_elsewhere(frame: Frame, where: Address, source: Source) -> bool:
    """Say whether another file goes before the one that gives a number, as a declaration does before a data sheet."""
    value = frame.values.get(where)
    return value is not None and value.formula is None and value.source not in {None, source}


def excuse(cause: str, value: Value) -> tuple[str, str] | None:
    """Return under which heading a value may stay as it is; None where it may not."""
    heading = (cause, value.address.metric)
    if heading not in EXCUSED or (value.address.metric in ONLY_OF_NOUGHT and value.value != 0):
        return None
    return heading


def excuses_used(round_: Round) -> set[tuple[str, str]]:
    """Change every number of a round in turn; return the excuses that were needed."""
    before = analyse(round_, GRAPH, ()).frame
    listed_before = listing_of(before)
    used: set[tuple[str, str]] = set()
    for source, touched in sources(round_, before):
        if not touched:  # another place goes before it
            continue
        after = analyse(changed_at(round_, source), GRAPH, ()).frame
        cause = next(iter(touched)).metric
        staying = that_stay(before, after, cause)
        listed_after = listing_of(after)
        expected = dependents(listed_before, touched, staying) | dependents(listed_after, touched, staying)
        changed = differing(before, after)
        anew = chosen_anew(listed_before, cause) | chosen_anew(listed_after, cause)
        excuses = {where: excuse(cause, before.values[where]) for where in expected - changed}
        excuses = {where: heading for where, heading in excuses.items() if heading or where not in anew}

        assert changed - expected - anew == set(), f"{source}: changed though not listed as resting on it"
        assert None not in excuses.values(), f"{source}: stayed though listed as resting on it: {excuses}"
        used.update(heading for heading in excuses.values() if heading is not None)
    return used


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("example", EXAMPLES)
def test_a_changed_number_changes_what_rests_on_it_and_nothing_else(example: str) -> None:
    slopes = {"marginal_step_cost", "marginal_step_cost_excess", "step_lines_meet"}
    of_ladders = {
        "kv_pool_bytes_per_token", "marginal_step_cost", "output_tokens_per_request", "output_tokens_total",
        "scaling_efficiency",
    }  # fmt: skip
    needed = {
        "round-1": {"prompt_cache_hit_ratio", *slopes, *NOT_PRINTED},
        "round-2": {metric for _, metric in EXCUSED}
        - {
            "prompt_cache_hit_ratio",
            "tpot_mean_implied",
            "kept_in_flight",
            "output_tokens_missing",
            "knee_concurrency",
            "best_throughput",
            "knee_rate",
            "requests_due",
            *OF_ENGINES,
        },
        "one series": {
            "scaling_efficiency",
            "output_tokens_total",
            "output_tokens_per_request",
            "marginal_step_cost",
            *NOT_PRINTED,
        },
        "runs": {
            "crossover_count",
            "output_tokens_total",
            "output_tokens_per_request",
            "output_tokens_missing",
            "kept_in_flight",
            "knee_concurrency",
            "requests_due",
        },
        "ladder and sweep": {"knee_concurrency", *of_ladders},
        "rates": {
            "best_throughput",
            "kept_in_flight",
            "knee_rate",
            "output_tokens_per_request",
            "output_tokens_total",
            "requests_due",
        },
        "walls": of_ladders,
        "anatomy": {"prefill_speed"},
        "sampled blocks": {"kv_fit_correlation", "kv_fit_samples_total", "kv_fit_tokens_sd"},
        "sampled share": set(),
        "sampled slots": {"kv_fit_r2", "kv_places_per_token"},
        "models of several kinds": {
            "kv_pool_bytes_per_token",
            "short_answer_share",
            "step_growth",
            "step_increase",
            "tpot_mean_implied",
        },
        "cliffs": {
            "cliff_waiting",
            "failure_ratio",
            "failure_ratio_total",
            "scaling_efficiency",
            "server_preemption_share",
        },
        "starts": set(),
        "under load": {"crossover_count", "crossover_concurrency_equal_tokens", "throughput_ratio_equal_tokens"}
        | {"output_tokens_per_request", "output_tokens_total", "scaling_efficiency"},
        "economics": {"crossover_count"},
        "economics without demand": {"crossover_count"},
        "held up": set(),
        "logged": set(),
        "saturated": {"knee_concurrency"},
        "three series": {metric for cause, metric in EXCUSED if cause in ("output_throughput", "completed")}
        - {"prompt_cache_hit_ratio", "output_tokens_missing", "knee_concurrency", "knee_rate"}
        | NOT_PRINTED
        | slopes,
    }

    assert {metric for _, metric in excuses_used(EXAMPLES[example]())} == needed[example]
