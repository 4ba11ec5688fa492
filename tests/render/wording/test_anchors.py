"""Ids of values: short, unique, and the same whatever the numbers are."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.declared.table_types import ID_PATTERN
from generator.render.wording import anchors as module
from generator.render.wording.anchors import anchors, name
from generator.values import Address
from tests.support.analyses import BASELINE, small_analysis, small_round

ids = st.from_regex(ID_PATTERN.replace("{0,79}", "{0,4}"), fullmatch=True)
names = st.from_regex(r"[a-z][a-z0-9_]{0,4}", fullmatch=True)
addresses = st.builds(
    Address,
    metric=names,
    scope=st.sampled_from(["round", "series", "level", "pair", "pair-level"]),
    series=st.none() | ids,
    level=st.none() | ids,
    basis=st.none() | names,
    trial=st.none() | st.integers(0, 3),
)


def test_an_id_is_four_letters_of_a_hash() -> None:
    address = Address("floor_ratio", "level", "llamacpp-q4_k_m", "c64")
    assert name(address) == "level~floor_ratio~llamacpp-q4_k_m~c64"
    assert anchors([address]) == {address: "mk4f"}


@given(addresses, addresses)
def test_two_addresses_never_share_a_name(one: Address, other: Address) -> None:
    assert (name(one) == name(other)) == (one == other)


@given(st.lists(addresses, unique=True, max_size=40))
def test_ids_are_unique_and_need_no_escaping_anywhere(many: list[Address]) -> None:
    found = anchors(many)
    assert set(found) == set(many)
    assert len(set(found.values())) == len(many)
    assert all(re.fullmatch(r"[a-z][a-z2-7]{3,}", id_) for id_ in found.values())


def test_ids_that_would_be_the_same_grow_until_they_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = {"a": "abcdefgh", "b": "abcdefxy", "c": "abczzzzz"}
    monkeypatch.setattr(module, "_codes", lambda many: {address: codes[address.metric] for address in many})
    made = {address.metric: id_ for address, id_ in anchors(Address(key, "round") for key in codes).items()}
    assert made == {"a": "abcdefg", "b": "abcdefx", "c": "abcz"}


def test_ids_do_not_depend_on_the_numbers() -> None:
    rows = {BASELINE: [{"concurrency": "1", "itl_p50_ms": amount} for amount in ("15.83",)]}
    other = {BASELINE: [{"concurrency": "1", "itl_p50_ms": amount} for amount in ("99.99",)]}
    made = [anchors(small_analysis(small_round(table, baseline=None)).frame.values) for table in (rows, other)]
    assert made[0] == made[1]


def test_all_values_of_a_round_have_their_own_id() -> None:
    values = small_analysis().frame.values
    assert len(set(anchors(values).values())) == len(values)
