from __future__ import annotations

import numpy as np
import pytest

from generator.kinds import Unknown
from generator.metrics import slots

STARTS = np.array([0.0, 0.0, 1.1, 1.3])
ENDS = np.array([1.0, 1.0, 2.0, 2.5])


def test_refill_p50_is_from_an_end_to_the_start_that_replaces_it() -> None:
    assert slots.refill_p50(STARTS, ENDS, 2) == pytest.approx(0.2)  # 1.1 − 1.0 and 1.3 − 1.0


def test_idle_slots_while_waiting_are_a_share_of_the_time_of_all_slots() -> None:
    # 0.1 s and 0.3 s, of two slots from 0 to 1.3 s: 0.4 ÷ 2.6
    assert slots.idle_slots_while_waiting(STARTS, ENDS, 2) == pytest.approx(0.4 / 2.6)


def test_idle_slots_while_waiting_are_unknown_where_all_was_sent_at_once() -> None:
    assert isinstance(slots.idle_slots_while_waiting(np.zeros(3), np.ones(3), 2), Unknown)


@pytest.mark.parametrize(("kept", "why"), [(0.0, "at a rate"), (4.0, "used again"), (1.5, "used again")])
def test_without_a_slot_that_was_used_twice_there_is_no_refill(kept: float, why: str) -> None:
    for answer in (slots.refill_p50(STARTS, ENDS, kept), slots.idle_slots_while_waiting(STARTS, ENDS, kept)):
        assert isinstance(answer, Unknown)
        assert why in answer.reason.en


def test_concurrency_share_is_mean_over_asked() -> None:
    assert slots.concurrency_share(6.0, 8.0) == 0.75
    assert isinstance(slots.concurrency_share(6.0, 0.0), Unknown)


def test_stream_token_time_is_that_of_a_slot_for_a_token() -> None:
    assert slots.stream_token_time(8.0, 400.0) == 0.02
    assert isinstance(slots.stream_token_time(0.0, 400.0), Unknown)
