from __future__ import annotations

from collections.abc import Iterator

import pytest

from generator.collect.engine_process.lifecycle import RunningEngine
from generator.collect.reference.process import reference_server
from generator.collect.session import _sources


@pytest.fixture(params=["llamacpp", "vllm"])
def style(request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    with reference_server("--style", request.param, "--slots", "3") as url:
        yield request.param, url


@pytest.mark.slow
def test_slots_are_watched_where_the_server_tells_of_them(style: tuple[str, str]) -> None:
    name, url = style
    watched = {one.name: one for one in _sources(RunningEngine(url))}

    assert {"host", "client", "engine"} <= watched.keys()
    assert "server" not in watched  # it was not started here
    assert ("slots" in watched) == (name == "llamacpp")
    if name == "llamacpp":
        read = {one.field: one.value for one in watched["slots"].read()}
        assert (read["slots"], read["running"]) == (3, 0)
