from __future__ import annotations

from typing import get_args

import pytest
from pydantic import ValidationError

from generator.declared.profiles import KINDS, NOTES, REASONS, Bins, Kind, Note, Reason
from tests.support.loads import EVEN, load_of


def test_every_kind_reason_and_note_has_its_words() -> None:
    assert set(KINDS) == set(get_args(Kind))
    assert set(REASONS) == set(get_args(Reason))
    assert set(NOTES) == set(get_args(Note))


def test_the_reason_of_a_whole_holds_for_its_parts() -> None:
    profile = load_of(EVEN)

    assert profile.why_unknown("service.p50_s") == REASONS["no_durations"]
    assert profile.why_unknown("arrivals.windows.w60.dispersion") == REASONS["short_span"]
    assert profile.why_unknown("arrivals.rate") is None


def test_a_profile_has_no_number_that_is_none() -> None:
    with pytest.raises(ValidationError):
        Bins(edges=(0.0, float("nan")), counts=(1,))
    with pytest.raises(ValidationError):
        Bins(edges=(0.0, 1.0), counts=(-1,))
