from __future__ import annotations

import numpy as np
import pytest

from generator.metrics import anatomy_neighbours as family
from tests.support.memory_round import memory_round
from tests.support.request_rows import answer, requests_of
from tests.support.telling import analysed

GAPS = np.array([0.01, 0.02, 0.06])


def test_itl_p50_beside_prefill() -> None:
    assert family.itl_p50_beside_prefill(GAPS) == 0.02


def test_itl_p50_undisturbed() -> None:
    assert family.itl_p50_undisturbed(GAPS) == 0.02


def test_itl_beside_prefill_ratio() -> None:
    assert family.itl_beside_prefill_ratio(0.03, 0.02) == pytest.approx(1.5)


def test_longest_gap_beside_prefill() -> None:
    assert family.longest_gap_beside_prefill(GAPS) == 0.06


def test_gaps_beside_prefill_share() -> None:
    # 3 of 3 + 9
    assert family.gaps_beside_prefill_share(GAPS, np.full(9, 0.01)) == 0.25


def test_the_gaps_of_a_run_are_told_apart_by_the_prefills_of_others() -> None:
    # The first request decodes from 0.1 s on, with chunks at 0.1, 0.2, 0.3, 0.6 and 0.7 s. The second was sent at
    # 0.35 s and has its first token at 0.55 s, then one at 0.65 s: its prefill falls into the gap from 0.3 to 0.6 s.
    # During its only gap no other waits, and its own prefill is no neighbour's.
    first = answer(0.1, 0.1, 0.1, 0.3, 0.1, start=0.0)
    second = answer(0.2, 0.1, start=0.35)
    round_ = memory_round({"a": {"c2": {"concurrency": 2.0}}}, runs={("a", "c2", None): requests_of(first, second)})

    frame = analysed(round_).frame

    assert frame.of_level("itl_p50_beside_prefill", "a", "c2").value == pytest.approx(0.3)
    assert frame.of_level("itl_p50_undisturbed", "a", "c2").value == pytest.approx(0.1)
    assert frame.of_level("gaps_beside_prefill_share", "a", "c2").value == pytest.approx(1 / 5)


def test_of_one_request_at_a_time_no_gap_has_a_prefill_beside_it() -> None:
    alone = requests_of(answer(0.1, 0.1, start=0.0), answer(0.1, 0.1, start=1.0))
    round_ = memory_round({"a": {"c1": {"concurrency": 1.0}}}, runs={("a", "c1", None): alone})

    beside = analysed(round_).frame.of_level("itl_p50_beside_prefill", "a", "c1")

    assert beside.value is None
    assert beside.reason is not None
    assert "no gap overlaps" in beside.reason.en


def test_a_request_that_is_sent_as_the_one_before_it_ends_is_no_neighbour() -> None:
    # The second is sent at the last chunk of the first, at 0.2 s; rounding may put that half a microsecond earlier.
    alone = requests_of(answer(0.1, 0.1, start=0.0), answer(0.1, 0.1, start=0.2 - 5e-7))
    round_ = memory_round({"a": {"c1": {"concurrency": 1.0}}}, runs={("a", "c1", None): alone})

    assert analysed(round_).frame.of_level("itl_p50_beside_prefill", "a", "c1").value is None
