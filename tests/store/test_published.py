from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import InputError
from generator.kinds import Metric
from generator.model import Level
from generator.places import Place, column
from generator.store.published import Published, read_published
from generator.text import same
from generator.values import Address
from tests.support.rounds import places, write_round


def metric(key: str, *columns: Place) -> Metric:
    return Metric(key, "level", "s", same(key), key, same(key), places=columns)


def read(tmp_path: Path, table: str, known: dict[Place, Metric] | None = None) -> Published:
    folder = write_round(tmp_path / "round", tables={"alpha": table})
    return read_published(folder, "alpha", places() if known is None else known, "transcribed")


def test_levels_are_named_after_their_load_and_sorted_by_it(tmp_path: Path) -> None:
    published = read(tmp_path, "concurrency,rate\n16,\n,2.5\n1000000,\n8,\n")
    assert published.levels == (
        Level("c8", 8.0),
        Level("c16", 16.0),
        Level("c1000000", 1e6),
        Level("r2.5", rate=2.5),
    )


def test_a_level_column_names_levels_that_share_their_load(tmp_path: Path) -> None:
    published = read(tmp_path, "level,concurrency\nc1-in4096,1\n,1\n")
    assert [level.id for level in published.levels] == ["c1-in4096", "c1"]


def test_the_first_place_of_a_metric_has_the_best_priority(tmp_path: Path) -> None:
    load, seconds, millis = column("concurrency", "1"), column("wait_s", "s"), column("wait_ms", "ms")
    wait = metric("wait", seconds, millis)
    known = {load: metric("concurrency", load), seconds: wait, millis: wait}
    published = read(tmp_path, "concurrency,wait_ms,wait_s\n1,250,0.3\n", known)
    found = [(o.value, o.priority) for o in published.observations if o.address.metric == "wait"]
    assert found == [(0.25, 1), (0.3, 0)]  # 250 ms is 0.25 s


def test_a_number_under_another_definition_keeps_its_basis_and_may_be_negative(tmp_path: Path) -> None:
    published = read(tmp_path, "concurrency,stall_share_as_published\n1,-0.002\n")
    [share] = [o for o in published.observations if o.address.metric == "stall_share"]
    assert share.address == Address("stall_share", "level", "alpha", "c1", basis="as_published")
    assert (share.value, share.decimals) == (-0.002, 3)


@pytest.mark.parametrize("name", [place.name for place in places() if place.kind == "column"])
def test_no_other_column_may_be_negative(name: str, tmp_path: Path) -> None:
    if name.endswith("_as_published"):
        return
    header, row = (name, "-1") if name == "concurrency" else (f"concurrency,{name}", "1,-1")
    with pytest.raises(InputError, match=rf"line 2, column {name}: '-1' is negative"):
        read(tmp_path, f"{header}\n{row}\n")
