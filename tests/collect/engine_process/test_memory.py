from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from generator.collect.engine_process import memory
from generator.collect.engine_process.memory import wait_for

GIB = 2.0**30


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "LOOK_S", 0.001)


def reading(*values: float | None) -> Callable[[], float | None]:
    """Return one value after the other, and the last one for ever."""
    left = list(values)
    return lambda: left.pop(0) if len(left) > 1 else left[0]


def test_it_is_waited_for_until_the_memory_is_back() -> None:
    freed = asyncio.run(wait_for(reading(20 * GIB, 5 * GIB, 1.1 * GIB), 1 * GIB, 10))
    assert (freed.back, freed.used) == (True, 1.1 * GIB)


def test_memory_that_does_not_come_back_is_not_waited_for_for_ever() -> None:
    freed = asyncio.run(wait_for(reading(20 * GIB), 1 * GIB, 0.05))
    assert (freed.back, freed.used) == (False, 20 * GIB)
    assert freed.seconds >= 0.05


def test_memory_that_cannot_be_read_is_not_waited_for() -> None:
    freed = asyncio.run(wait_for(reading(None), 0, 10))
    assert (freed.back, freed.used) == (None, None)
