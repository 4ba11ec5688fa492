from __future__ import annotations

import pytest

from generator.runs.error_kinds import were_disconnected


@pytest.mark.parametrize(
    ("kinds", "all_were"),
    [({"aiohttp.ClientOSError": 2}, True), ({"ClientOSError": 2, "TimeoutError": 1}, False), ({}, False)],
)
def test_requests_that_died_of_their_connection(kinds: dict[str, int], all_were: bool) -> None:
    assert were_disconnected(kinds) is all_were
