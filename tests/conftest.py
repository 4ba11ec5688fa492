"""Settings of all tests."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.sites import published

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


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the published rounds, built once for all workers: a test that changes a site builds its own."""
    own = tmp_path_factory.getbasetemp()
    return published(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)
