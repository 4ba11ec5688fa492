"""Settings of all tests."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.sites import published

# A busy machine is no reason for a property to fail.
settings.register_profile("rounds", deadline=None, print_blob=True)
settings.load_profile("rounds")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while tests are found: nearly all that is made is kept."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.fixture(autouse=True, scope="module")
def _little_to_look_through() -> None:
    """Put what is there before the first test of a file where no search for garbage goes.

    There are so many tests, and so much that they keep, that each search would take half a second. The load client
    searches before each run, so tests of it would do little else.
    """
    gc.collect()
    gc.freeze()


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
