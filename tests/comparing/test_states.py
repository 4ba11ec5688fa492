from __future__ import annotations

from typing import get_args

import pytest

from generator.comparing import telling
from generator.comparing.records import Difference, Direction, Estimate, Measured, MethodKey, Verdict
from generator.comparing.states import ABSENT, QUIET, STATES, State, counts_of, ordered, state_of
from generator.told.sentence import Sentence
from generator.values import Address

ONE = Measured(1.0, 1)
NONE = Measured(None, 0)
LOST = Measured(None, 0, all_failed=True)


def row(
    verdict: Verdict,
    *reasons: Sentence,
    method: MethodKey = "noise",
    suggests: Direction | None = None,
    base: Measured = ONE,
    head: Measured = ONE,
    log_ratio: float = 0.0,
) -> Difference:
    where = Address("x", "level", "a", "c8")
    return Difference(
        where, "lower", base, head, method, False, 0.05, verdict,  # is_primary
        estimate=Estimate(log_ratio), suggests=suggests, reasons=reasons,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("found", "state"),
    [
        (row("worse"), "worse"),
        (row("better"), "better"),
        (row("confounded", telling.SPOILT), "confounded"),
        (row("same"), "same"),
        (row("same", method="identical"), "identical"),
        (row("inconclusive", telling.NOT_FOUND), "noise"),
        (row("inconclusive", suggests="worse"), "leans_worse"),
        (row("inconclusive", suggests="better"), "leans_better"),
        (row("inconclusive", telling.ZERO_BASE), "zero"),
        (row("inconclusive", telling.NO_DIRECTION), "undirected"),
        (row("inconclusive", telling.UNEVEN_FAILURES), "open"),
        (row("not_comparable", telling.ALL_FAILED, base=LOST), "failed_base"),
        (row("not_comparable", telling.ALL_FAILED, head=LOST), "failed_head"),
        (row("not_comparable", telling.ALL_FAILED, base=LOST, head=LOST), "failed_both"),
        (row("not_comparable", telling.OTHER_WORK, method="identical"), "other_work"),
        (row("not_comparable", telling.ONE_SIDED, base=NONE), "only_head"),
        (row("not_comparable", telling.ONE_SIDED, head=NONE), "only_base"),
        (row("not_comparable", telling.SPOILT), "spoilt"),
        (row("not_comparable", telling.OTHER_WORK), "other_work"),
    ],
)
def test_a_row_has_a_state(found: Difference, state: State) -> None:
    assert state_of(found) == state


def test_every_state_has_a_sign_and_a_word_of_its_own() -> None:
    assert set(STATES) == set(get_args(State))
    assert len({text.en.split()[0] + text.en for text in STATES.values()}) == len(STATES)
    assert not QUIET & ABSENT


def test_rows_are_counted_and_put_in_order() -> None:
    near, far = row("worse", log_ratio=0.1), row("worse", log_ratio=-0.3)
    quiet = row("inconclusive", telling.NOT_FOUND)
    assert counts_of([quiet, near, far]) == {"worse": 2, "noise": 1}
    assert ordered([quiet, near, far]) == [far, near, quiet]
