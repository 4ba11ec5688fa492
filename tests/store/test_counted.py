from __future__ import annotations

import pytest

from generator.errors import InputError
from generator.imported import Reported, Run
from generator.store.counted import answered

COUNTS = {"requests": {"total": 10, "failures": 1, "incomplete": 2}}


def test_what_failed_is_taken_off_what_was_sent() -> None:
    run = answered(Run("x"), COUNTS, "requests.total", "requests.failures", "requests.incomplete", file="a")

    key = "requests.total − requests.failures − requests.incomplete"
    assert run.reported == (Reported("completed", key, "1", 7),)  # 10 − 1 − 2


def test_without_a_count_nothing_is_said() -> None:
    assert answered(Run("x"), COUNTS, "requests.total", "requests.lost", file="a").reported == ()


def test_what_the_file_says_itself_stays() -> None:
    said = Reported("completed", "ok", "1", 9)

    assert answered(Run("x", reported=(said,)), COUNTS, "requests.total", "requests.failures", file="a").reported == (
        said,
    )


def test_more_lost_than_sent_is_refused() -> None:
    with pytest.raises(InputError, match=r"count more requests than 'requests\.failures'"):
        answered(Run("x"), COUNTS, "requests.failures", "requests.total", file="a")
