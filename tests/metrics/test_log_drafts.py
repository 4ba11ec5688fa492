from __future__ import annotations

import pytest

from generator.metrics import log_drafts
from generator.places import log
from tests.support.memory_round import read_typed


@pytest.mark.parametrize(
    ("key", "fact"),
    [("log_draft_tokens_of_series", "draft_tokens"), ("log_draft_accepted_of_series", "draft_accepted")],
)
def test_observed_in_the_log_of_a_series(key: str, fact: str) -> None:
    assert read_typed(key, log(fact, "tok", "series"), 900) == (900, 900)


def test_log_draft_acceptance_is_a_share_of_drafted_tokens() -> None:
    # 600 of 800
    assert log_drafts.log_draft_acceptance(600, 800) == 0.75


def test_log_draft_acceptance_of_series() -> None:
    # 90 of 360
    assert log_drafts.log_draft_acceptance_of_series(90, 360) == 0.25
