from __future__ import annotations

import numpy as np

from generator.runs.gauges import NO_POOL_USE, NO_SHARE, NONE_SETTLED
from tests.support.gauged_rounds import readings

NAN = float("nan")


def test_a_moment_is_settled_where_no_prompt_is_being_computed() -> None:
    # of two that wait for a first token one is in the queue and one is being computed; of one, it is in the queue
    said = readings([1, 2, 3], awaiting=[2, 1, 0], waiting=[1, 1, 0], tokens=[10, 20, 30], kv_usage=[0.1, 0.2, 0.3])

    assert said.settled.tolist() == [False, True, True]
    assert said.settled_tokens.tolist() == [20, 30]
    assert said.settled_usage.tolist() == [0.2, 0.3]


def test_an_engine_that_does_not_say_who_waits_has_nobody_waiting() -> None:
    said = readings([1, 2], awaiting=[1, 0], tokens=[10, 20])

    assert said.settled.tolist() == [False, True]


def test_moments_without_a_reading_of_the_pool_are_left_out_where_others_have_one() -> None:
    said = readings([1, 2], awaiting=[0, 0], tokens=[10, 20], kv_usage=[NAN, 0.2], slot_tokens=[11, 21])

    assert said.settled_tokens.tolist() == [20]
    assert said.settled_usage.tolist() == [0.2]
    assert said.settled_slot_tokens.tolist() == [21]


def test_tokens_in_slots_stand_in_for_a_share() -> None:
    said = readings([1, 2], awaiting=[0, 0], tokens=[10, 20], sequences=[1, 2], slot_tokens=[12, NAN])

    assert (said.settled_slot_tokens.tolist(), said.settled_sequences.tolist()) == ([12], [1])
    assert len(said.settled_usage) == 0


def test_it_says_why_nothing_is_settled() -> None:
    computing = readings([1], awaiting=[1], tokens=[10], kv_usage=[0.1])
    silent = readings([1], awaiting=[0], tokens=[10])

    assert computing.why_none("settled_usage") is NONE_SETTLED
    assert computing.why_none("settled_tokens") is NONE_SETTLED
    assert silent.why_none("settled_usage") is NO_POOL_USE
    slots = readings([1], awaiting=[0], tokens=[10], slot_tokens=[10])
    assert slots.why_none("settled_usage") is NO_SHARE
    assert len(silent) == 1
    assert np.isnan(silent.kv_usage[0])


def test_a_moment_is_not_settled_while_a_request_that_spoke_is_preempted() -> None:
    # of two requests with a first token, the engine computes one at the second moment: the other takes no KV then
    said = readings(
        [0, 1, 2], running=[2, 1, float("nan")], waiting=[0, 1, 0], kv_usage=[0.2, 0.1, 0.2], tokens=[20, 22, 24],
        sequences=[2, 2, 2], awaiting=[0, 0, 0],
    )  # fmt: skip

    assert said.settled.tolist() == [True, False, True]
