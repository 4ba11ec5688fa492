from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from generator.declared.round_tables import SeriesTable
from generator.errors import InputError
from generator.model import Level, Series
from generator.store.beside import Beside
from generator.store.counters import read_counters
from generator.values import Address
from tests.support.memory_round import GRAPH
from tests.support.sampled import page

TRIAL: Final = "s/levels/c1/1"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / TRIAL).mkdir(parents=True)
    return tmp_path


def put(path: Path, **pages: str) -> None:
    for name, text in pages.items():
        (path / f"metrics-{name.removeprefix('n')}.prom").write_text(text, encoding="utf-8")


def counted(folder: Path) -> Beside:
    series = [Series(SeriesTable(id="s"), (Level("c1", 1.0, from_runs=True),))]
    return read_counters(folder, series, GRAPH.places())


def numbers(found: Beside) -> dict[str, float]:
    return {o.address.metric: o.value for o in found.observations if o.address.scope == "level"}


def test_what_counters_grew_by_is_of_the_run(folder: Path) -> None:
    before = page(prefix_cache_queries=500, prefix_cache_hits=100, generation_tokens=70, num_preemptions=2)
    after = page(prefix_cache_queries=900, prefix_cache_hits=200, generation_tokens=170, num_preemptions=2)
    put(folder / TRIAL, before=before, after=after)

    found = counted(folder)

    assert numbers(found) == {
        "server_prefix_cache_queries": 400,
        "server_cached_prompt_tokens": 100,
        "server_output_tokens": 100,
        "server_preemptions": 0,
        "server_restarts": 0,
    }
    places = {str(o.source) for o in found.observations if o.address.metric == "server_preemptions"}
    assert places == {f"{TRIAL}/metrics-before.prom, preemptions, metrics-before.prom to metrics-after.prom"}


def test_a_counter_that_is_on_no_page_has_the_reason(folder: Path) -> None:
    put(folder / TRIAL, before=page(generation_tokens=1), after=page(generation_tokens=2))

    why = counted(folder).unread[Address("server_preemptions", "level", "s", "c1")]

    assert why.en == "metrics-before.prom to metrics-after.prom do not have this counter"


def test_a_counter_that_fell_is_unknown_and_never_negative(folder: Path) -> None:
    put(folder / TRIAL, before=page(num_preemptions=140), after=page(num_preemptions=6))

    found = counted(folder)

    assert numbers(found) == {"server_restarts": 1}
    assert found.unread[Address("server_preemptions", "level", "s", "c1")].en.startswith("unknown (restart)")


def test_numbered_pages_are_taken_pair_by_pair_in_the_order_of_their_numbers(folder: Path) -> None:
    put(folder / TRIAL, n2=page(num_preemptions=30), n10=page(num_preemptions=4), n9=page(num_preemptions=50))

    found = counted(folder)

    # 50 − 30 from 2 to 9; from 9 to 10 the server was restarted
    assert numbers(found) == {"server_preemptions": 20, "server_restarts": 1}


def test_pages_beside_a_series_are_of_the_series(folder: Path) -> None:
    put(folder / "s", before=page(prompt_tokens=5), after=page(prompt_tokens=25))

    found = counted(folder)

    assert [(o.address, o.value) for o in found.observations if o.value] == [
        (Address("server_prompt_tokens_of_series", "series", "s"), 20)
    ]
    assert numbers(found) == {}


def test_a_page_alone_is_refused(folder: Path) -> None:
    put(folder / TRIAL, before=page(prompt_tokens=5))

    with pytest.raises(InputError, match="stands alone: what counters grew by takes two pages"):
        counted(folder)


def test_two_ways_of_naming_pages_are_refused(folder: Path) -> None:
    put(folder / TRIAL, before=page(prompt_tokens=5), after=page(prompt_tokens=6), n1=page(prompt_tokens=5))

    with pytest.raises(InputError, match="keep one way of naming"):
        counted(folder)


@pytest.mark.parametrize(
    "text", ["", "<html>", "# HELP x y\nother_total 5\n", "vllm:num_preemptions_total NaN\n", "\x00\xff"]
)
def test_a_page_without_a_known_counter_is_refused(folder: Path, text: str) -> None:
    put(folder / TRIAL, before=text, after=page(prompt_tokens=5))

    with pytest.raises(InputError, match="no counter of a server that is known"):
        counted(folder)


def test_a_link_out_of_the_round_is_refused(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "page"
    outside.write_text(page(prompt_tokens=5), encoding="utf-8")
    put(folder / TRIAL, after=page(prompt_tokens=6))
    (folder / TRIAL / "metrics-before.prom").symlink_to(outside)

    with pytest.raises(InputError, match="leads out of the round's folder"):
        counted(folder)
