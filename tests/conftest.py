"""Settings of all tests."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from hypothesis import settings

# A busy machine is no reason for a property to fail.
settings.register_profile("rounds", deadline=None, print_blob=True)
settings.load_profile("rounds")


@pytest.fixture(autouse=True)
def _a_loop_of_its_own(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hide the event loop that playwright keeps in a worker for the whole session: a test may run one of its own."""
    kept = asyncio._get_running_loop()
    asyncio._set_running_loop(kept if "browser" in request.fixturenames else None)
    yield
    asyncio._set_running_loop(kept)
