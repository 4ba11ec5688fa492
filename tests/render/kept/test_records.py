"""An analysis is the same after it was bytes, to the last field of its last record; other bytes are refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from generator.catalogue import load
from generator.frame import Analysis
from generator.model import Round
from generator.render.kept import records as kept_records
from generator.render.kept.records import NotKeptError, State, form, packed, unpacked
from generator.text import Text, same
from generator.told.claims import Claim
from generator.told.sentence import Listing, Part, Sentence, SeriesName, say
from generator.values import Address
from tests.support import example_rounds as examples
from tests.support.analyses import small_analysis

RUNS = Path(__file__).parents[3] / "runs"
ROUNDS: Mapping[str, Callable[[], Round]] = {
    "single requests": examples.runs,
    "server times": examples.logged,
    "held up": examples.held_up,
    "three series": examples.three_series,
}


def assert_same(one: object, other: object) -> None:
    """Assert that two things are equal with all they hold, in the same order; numpy's numbers count as Python's."""
    if isinstance(one, np.ndarray):
        assert isinstance(other, np.ndarray)
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
    elif is_dataclass(one):
        assert type(one) is type(other)
        for field in fields(one):
            assert_same(getattr(one, field.name), getattr(other, field.name))
    elif isinstance(one, Mapping):
        assert isinstance(other, Mapping)
        assert_same(list(one.items()), list(other.items()))
    elif isinstance(one, (list, tuple)):
        assert isinstance(other, type(one))
        for mine, theirs in zip(one, other, strict=True):
            assert_same(mine, theirs)
    else:
        assert one == other
        assert isinstance(one, float) or type(one) is type(other)


def analysed(round_: Round) -> Analysis:
    return load().analyse(round_)


@pytest.mark.parametrize("name", ROUNDS)
def test_the_analysis_of_an_example_comes_back_whole(name: str) -> None:
    analysis = analysed(ROUNDS[name]())
    again = unpacked(packed(analysis))
    assert_same(analysis, again)
    assert packed(again) == packed(analysis)


@pytest.mark.parametrize("name", ["round-2", "keepalive"])
def test_the_analysis_of_a_published_round_comes_back_whole(name: str) -> None:
    catalogue = load()
    analysis = catalogue.analyse(catalogue.read(RUNS / name))
    assert analysis.round.prose
    assert_same(analysis, unpacked(packed(analysis)))


def test_all_that_a_claim_or_a_sentence_can_hold_comes_back() -> None:
    inner = say(zh="{s}", en="{s}", s=SeriesName("alpha"))
    parts: dict[str, Part] = {"a": Listing((same("x"), inner)), "b": inner}
    claim = Claim("one", stated=Decimal("1.50"), text=Text(zh="\u4e00", en="\ud800"))
    analysis = small_analysis()
    held = replace(
        analysis,
        round=replace(analysis.round, claims=(claim,)),
        findings=tuple(replace(one, remedy=Sentence(same("{a} {b}"), parts)) for one in analysis.findings),
    )
    again = unpacked(packed(held))
    assert_same(held, again)
    assert str(again.round.claims[0].stated) == "1.50"  # with the digits that were written


def test_what_occurs_often_is_one_record() -> None:
    analysis = small_analysis()
    again = unpacked(packed(analysis))
    for address, value in again.frame.values.items():
        assert value.address is address


def test_what_is_not_of_the_declared_type_is_not_kept() -> None:
    analysis = small_analysis()
    with pytest.raises(NotKeptError):
        packed(replace(analysis, titles={"check": "no text of two languages"}))  # type: ignore[dict-item]
    with pytest.raises(NotKeptError):
        packed(replace(analysis, round=replace(analysis.round, data_sha256=b"bytes")))  # type: ignore[arg-type]


def test_columns_of_another_kind_or_too_long_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    round_ = examples.runs()
    trial, requests = next(iter(round_.requests.items()))
    narrow = replace(requests, ttft=requests.ttft.astype(np.float32))
    with pytest.raises(NotKeptError):
        packed(Analysis(replace(round_, requests={trial: narrow}), small_analysis().frame, ()))
    monkeypatch.setattr(kept_records, "LARGEST", 100)
    with pytest.raises(NotKeptError):
        packed(Analysis(round_, small_analysis().frame, ()))


@pytest.mark.parametrize(
    "told", ["", "[]", "[[[],[],[]],null]", "[[[],[],[]],[1,2,3]]", "[[[[1,2,3,4,5,6,7]],[],[]],[]]", "{", "[" * 5000]
)
def test_other_bytes_are_refused(told: str) -> None:
    text = told.encode()
    with pytest.raises(NotKeptError):
        unpacked(len(text).to_bytes(8, "big") + text)


def test_bytes_that_were_cut_off_are_refused() -> None:
    analysis = analysed(examples.runs())
    whole = packed(analysis)
    for end in (3, len(whole) // 2, len(whole) - 1):
        with pytest.raises(NotKeptError):
            unpacked(whole[:end])


def test_a_type_that_no_form_is_known_of_is_a_defect() -> None:
    @dataclass(frozen=True)
    class Odd:
        held: set[str]

    with pytest.raises((TypeError, KeyError)):
        form(Odd).write(Odd({"a"}), State())


def test_the_bytes_hold_values_alone() -> None:
    analysis = small_analysis()
    data = packed(analysis)
    end = 8 + int.from_bytes(data[:8], "big")
    (addresses, _, _), _ = json.loads(data[8:end])
    assert Address(*addresses[0]) in analysis.frame.values
