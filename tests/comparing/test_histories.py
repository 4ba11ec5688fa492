from __future__ import annotations

from dataclasses import replace

import pytest

from generator.comparing.histories import MOST_LEVELS, ids_of, tracks, version_of
from generator.frame import Analysis
from generator.told.findings import Finding
from generator.told.sentence import say
from tests.comparing.two_rounds import analysed
from tests.support.machines import machine


def measured(name: str, amount: float, version: str = "1", level: str = "c8") -> Analysis:
    on = machine({"engine.version": version}, engine="vLLM")
    return analysed({level: {"output_throughput": (amount,)}}, name=name, machine=on)


STEADY = [100.0, 100.4, 99.8, 100.1, 110.2, 110.0, 109.8, 110.1]
"""Four rounds at one level, four a tenth above it."""
ROUNDS = [measured(f"r{at}", amount, "1" if at < 4 else "2") for at, amount in enumerate(STEADY)]


def test_a_move_is_found_where_it_was_with_what_changed_there() -> None:
    (track,) = tracks(ROUNDS)
    (move,) = track.moves
    assert (track.series, track.level.id, track.metric, len(track.seen)) == ("a", "c8", "output_throughput", 8)
    assert (move.seen.at, move.before, move.after) == (4, "1", "2")
    assert [one.path for one in move.changed] == ["engine.version"]
    assert move.change == pytest.approx(0.0995, abs=0.001)  # 110.0 ÷ 100.1 of the geometric means, less 1


def test_rounds_that_lack_the_level_are_stepped_over_and_spoilt_ones_left_out() -> None:
    finding = Finding("x", "fail", say(zh="坏", en="bad"), "a", ("c8",), spoils=("c8",))
    rounds = [
        ROUNDS[0],
        measured("other", 50.0, level="c1"),
        replace(ROUNDS[1], spoilt={("a", "c8"): finding}),
        ROUNDS[2],
    ]
    (track,) = tracks(rounds)
    assert [one.at for one in track.seen] == [0, 3]


def test_one_round_makes_no_history() -> None:
    assert tracks(ROUNDS[:1]) == []


def test_the_levels_that_most_rounds_have_are_followed() -> None:
    levels = {f"c{2**at}": {"output_throughput": (100.0,)} for at in range(MOST_LEVELS + 2)}
    rounds = [analysed(levels), analysed(levels), analysed({"c32": {"output_throughput": (100.0,)}})]
    assert [track.level.id for track in tracks(rounds)] == ["c1", "c2", "c4", "c32"]


def test_a_version_that_nobody_recorded_is_unknown() -> None:
    assert version_of(analysed({"c8": {"itl_p50": (0.01,)}}), "a") is None


def named(name: str, series: str, amount: float, pairs: dict[str, str] | None = None) -> Analysis:
    one = analysed({"c8": {"output_throughput": (amount,)}}, name=name, series=series)
    table = one.round.file.round.model_copy(update={"pairs": pairs or {}})
    file = one.round.file.model_copy(update={"round": table})
    return replace(one, round=replace(one.round, file=file))


def test_a_series_is_followed_under_the_name_that_a_round_says_it_had() -> None:
    rounds = [named("r1", "a", 100.0), named("r2", "b", 101.0, {"a": "b"}), named("r3", "b", 102.0)]
    assert ids_of(rounds) == [{"a": "a"}, {"a": "b"}, {"a": "b"}]
    (track,) = tracks(rounds)
    assert (track.series, [one.series for one in track.seen]) == ("a", ["a", "b", "b"])


def test_without_a_word_another_id_is_another_series() -> None:
    assert tracks([named("r1", "a", 100.0), named("r2", "b", 101.0)]) == []


def test_a_pair_of_a_series_that_no_earlier_round_has_is_no_name() -> None:
    assert ids_of([named("r1", "a", 1.0), named("r2", "b", 1.0, {"z": "b"})]) == [{"a": "a"}, {"b": "b"}]
