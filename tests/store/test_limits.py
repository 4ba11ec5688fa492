"""Limits of a load in foreign files."""

from __future__ import annotations

import pytest

from generator.store.limits import limit_at


@pytest.mark.parametrize(
    ("written", "limit"),
    [(8, 8.0), ("2.5", 2.5), (0, None), (-1, None), (None, None), ("inf", None), (1e300, None), (True, None)],
)
def test_what_is_no_limit_is_none(written: object, limit: float | None) -> None:
    assert limit_at({"load": {"concurrency": written}}, "load.concurrency") == limit


def test_the_first_path_with_a_number_counts() -> None:
    assert limit_at({"a": None, "b": 4, "c": 8}, "a", "b", "c") == 4.0
