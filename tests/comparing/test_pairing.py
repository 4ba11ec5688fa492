from __future__ import annotations

from dataclasses import replace

import pytest

from generator.comparing.pairing import might_pair, named_pairs, paired
from generator.errors import InputError
from generator.frame import Analysis
from generator.machines.records import Machine
from generator.model import Series
from tests.comparing.two_rounds import analysed

NO_PAIRS: dict[str, str] = {}


def with_series(round_id: str, *series: str, pairs: dict[str, str] | None = None) -> Analysis:
    """Return a round of some series, named like their engines; ``pairs`` is what its round.toml says."""
    analysis = analysed({"c8": {"output_throughput": (100.0,)}}, name=round_id)
    (known,) = analysis.round.series
    made = tuple(
        Series(known.table.model_copy(update={"id": one, "engine": one.partition("-")[0]}), known.levels)
        for one in series
    )
    table = analysis.round.file.round.model_copy(update={"pairs": pairs or {}})
    file = analysis.round.file.model_copy(update={"round": table})
    machines: dict[str, Machine] = {}
    return replace(analysis, round=replace(analysis.round, series=made, file=file, machines=machines))


def test_series_of_one_id_are_paired_unless_one_of_them_is_named() -> None:
    assert paired(["a", "b", "c"], ["b", "a", "d"], NO_PAIRS) == [("a", "a"), ("b", "b")]
    # a is held against d, and c against a: neither a is left for the other.
    assert paired(["a", "b", "c"], ["b", "a", "d"], {"a": "d", "c": "a"}) == [("a", "d"), ("b", "b"), ("c", "a")]


def test_a_round_names_series_of_another_one_whichever_of_them_is_the_base() -> None:
    old, new = with_series("one", "vllm-old"), with_series("two", "vllm-new", pairs={"vllm-old": "vllm-new"})
    assert named_pairs(old, new, NO_PAIRS) == {"vllm-old": "vllm-new"}
    assert named_pairs(new, old, NO_PAIRS) == {"vllm-new": "vllm-old"}


def test_what_another_round_does_not_have_is_no_matter() -> None:
    new = with_series("two", "vllm-new", pairs={"vllm-older": "vllm-new"})
    assert named_pairs(with_series("one", "vllm-old"), new, NO_PAIRS) == {}


def test_a_command_is_heard_before_the_rounds() -> None:
    old = with_series("one", "vllm-old", "vllm-other")
    new = with_series("two", "vllm-new", pairs={"vllm-old": "vllm-new"})
    assert named_pairs(old, new, {"vllm-other": "vllm-new"}) == {"vllm-other": "vllm-new"}


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ({"vllm-lod": "vllm-new"}, "--pair: one has no series 'vllm-lod'; did you mean 'vllm-old'?"),
        ({"vllm-old": "vllm"}, "--pair: two has no series 'vllm'; did you mean 'vllm-new'?"),
        ({"vllm-old": "vllm-new", "b": "vllm-new"}, "--pair: 'vllm-new' is named twice; name each series once"),
    ],
)
def test_a_command_that_names_what_is_not_there_is_refused(asked: dict[str, str], line: str) -> None:
    with pytest.raises(InputError) as refused:
        named_pairs(with_series("one", "vllm-old", "b"), with_series("two", "vllm-new"), asked)
    assert str(refused.value) == line


def test_a_round_that_names_what_it_does_not_have_is_refused() -> None:
    new = with_series("two", "vllm-new", pairs={"vllm-old": "vllm-knew"})
    with pytest.raises(InputError, match=r"two/round\.toml, \[round\] pairs: the round has no series 'vllm-knew'"):
        named_pairs(with_series("one", "vllm-old"), new, NO_PAIRS)


def test_rounds_that_pair_one_series_with_two_are_refused() -> None:
    old = with_series("one", "x", "y", pairs={"b": "x"})
    new = with_series("two", "a", "b", pairs={"x": "a"})
    with pytest.raises(InputError, match="is compared with another series already"):
        named_pairs(old, new, NO_PAIRS)


def test_what_might_be_one_series_is_named_and_only_where_the_engine_may_be_the_same() -> None:
    old, new = with_series("one", "vllm-old", "llama-q4"), with_series("two", "sglang-x", "vllm-new")
    assert might_pair(old, new, ["vllm-old", "llama-q4"], ["sglang-x", "vllm-new"]) == ["--pair vllm-old=vllm-new"]
