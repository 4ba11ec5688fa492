from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.declared.profiles import PROFILE_FILE
from generator.errors import InputError
from generator.store.profile import NO_PROFILE, read_profile, with_profile
from generator.traffic.keeping import profile_json
from generator.values import Address, Source
from tests.support.loads import EVEN, SECRET, SHAREGPT, profiled, put, trace_of, under_load
from tests.support.memory_round import GRAPH

PLACES = GRAPH.places()
Json = dict[str, Any]


def kept(folder: Path, text: str = trace_of(EVEN)) -> Path:
    """Write the profile of a load into a folder."""
    put(folder, profile_json(profiled(put(folder, text))), PROFILE_FILE)
    return folder


def test_what_is_written_is_read_as_it_was(tmp_path: Path) -> None:
    profile, _ = read_profile(kept(tmp_path), PLACES)

    assert profile == profiled(tmp_path / "data")


def test_each_number_names_its_place(tmp_path: Path) -> None:
    _, beside = read_profile(kept(tmp_path), PLACES)
    (rate,) = [seen for seen in beside.observations if seen.address.metric == "traffic_rate"]

    assert (rate.value, rate.origin, rate.source) == (2.05, "measured", Source(PROFILE_FILE, "arrivals.rate"))
    assert rate.decimals == 2
    assert (
        beside.unread[Address("traffic_duration_mean", "round")].en == "the sources do not say how long requests took"
    )


def test_a_round_without_one_says_how_it_is_made(tmp_path: Path) -> None:
    profile, beside = read_profile(tmp_path, PLACES)

    assert profile is None
    assert beside.observations == []
    assert set(beside.unread.values()) == {NO_PROFILE}
    assert under_load(None).profile is None


def test_another_load_takes_the_place_of_the_first(tmp_path: Path) -> None:
    first = under_load(profiled(put(tmp_path, trace_of(EVEN))))
    second = with_profile(first, profiled(put(tmp_path, SHAREGPT)), PLACES)

    assert [seen for seen in second.observations if seen.address.metric == "traffic_rate"] == []
    assert second.unread[Address("traffic_rate", "round")].en == "the sources give no time of a request"


def changed(change: Callable[[Json], object]) -> Callable[[Json], Json]:
    def make(told: Json) -> Json:
        change(told)
        return told

    return make


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (changed(lambda told: told.update(schema=2)), "profile.json, schema: written by a newer Rounds; update"),
        (
            changed(lambda told: told.update(prompt="x")),
            "profile.json: is not as Rounds writes it; make it anew",
        ),
        (changed(lambda told: told.pop("requests")), "profile.json, requests: is not as Rounds writes it"),
        (
            changed(lambda told: told["arrivals"].update(rate=-1)),
            "profile.json, arrivals.rate: is not as Rounds writes",
        ),
        (changed(lambda told: told["unknown"].update(x="because")), "is not as Rounds writes it"),
        (changed(lambda told: told["sources"][0].update(name="a.log")), "is not as Rounds writes it"),
        (lambda _: [], "profile.json: is not as Rounds writes it"),
    ],
)
def test_what_rounds_did_not_write_is_refused(tmp_path: Path, change: Callable[[Json], object], line: str) -> None:
    told = json.loads((kept(tmp_path) / PROFILE_FILE).read_text())
    put(tmp_path, json.dumps(change(told)), PROFILE_FILE)

    with pytest.raises(InputError) as error:
        read_profile(tmp_path, PLACES)
    assert line.removeprefix("profile.json") in str(error.value)


@pytest.mark.parametrize("text", ["", "{", "nan", "[" * 100_000])
def test_what_is_no_json_is_told(tmp_path: Path, text: str) -> None:
    put(tmp_path, text, PROFILE_FILE)
    with pytest.raises(InputError, match=r"profile\.json: is not|profile\.json.*as Rounds writes it"):
        read_profile(tmp_path, PLACES)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("schema", 0), ("input.n", 0), ("input.mean", 0), ("input.mean", 1e18), ("output.p5", 0.5),
        ("input.histogram.edges", [3.0, 2.0, 1.0]), ("input.histogram.counts", [1] * 400),
        ("input.histogram.edges", [0.0, 1.0]), ("input_fit.mu", 1e308), ("output_share", 0), ("output_share", 1),
        ("arrivals.rate", 5e-324), ("arrivals.span_s", 1e18), ("arrivals.span_s", 5e-324),
        ("arrivals.course.width_s", 5e-324), ("arrivals.hours", [1.0]), ("arrivals.windows.w1.peak_over_mean", 0),
        ("gap_fit", {"poisson_ks": 0, "gamma_ks": 0, "shape": 5e-324}),
    ],
)  # fmt: skip
def test_numbers_that_no_load_has_are_refused_in_one_line(tmp_path: Path, place: str, value: object) -> None:
    path = kept(tmp_path) / PROFILE_FILE
    told: Json = json.loads(path.read_text())
    *above, last = place.split(".")
    within = told
    for step in above:
        within = within[step]
    within[last] = value
    path.write_text(json.dumps(told))

    with pytest.raises(InputError) as error:
        read_profile(tmp_path, PLACES)
    assert str(error.value).endswith("is not as Rounds writes it; make it anew with rounds profile, or remove it")
    assert PROFILE_FILE in str(error.value)


@pytest.mark.parametrize(
    ("above", "place"), [((), ""), (("unknown",), ", unknown"), (("arrivals", "windows"), ", arrivals.windows")]
)
def test_a_name_that_is_not_ours_is_not_repeated(tmp_path: Path, above: tuple[str, ...], place: str) -> None:
    path = kept(tmp_path) / PROFILE_FILE
    told: Json = json.loads(path.read_text())
    within = told
    for step in above:
        within = within[step]
    within[SECRET] = 1
    path.write_text(json.dumps(told))

    with pytest.raises(InputError) as error:
        read_profile(tmp_path, PLACES)
    assert SECRET not in str(error.value)
    assert f"{PROFILE_FILE}{place}: is not as Rounds writes it" in str(error.value)
