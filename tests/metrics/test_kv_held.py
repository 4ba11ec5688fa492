from __future__ import annotations

import pytest

from generator.analysis.resolve import Resolver
from generator.kinds import Unknown
from generator.metrics import kv_held
from generator.model import Round
from generator.runs.gauges import Gauges
from generator.values import Value
from tests.support.gauged_rounds import gauged_round, readings
from tests.support.memory_round import GRAPH, address


def of_series(round_: Round, key: str) -> Value:
    return Resolver(GRAPH, round_).value(address(key, "series", "a"))


def of_level(round_: Round, key: str, level: str = "c1") -> Value:
    return Resolver(GRAPH, round_).value(address(key, "level", "a", level))


def settled(tokens: list[float], use: list[float], sequences: list[float] | None = None) -> Gauges:
    zeros = [0.0] * len(tokens)
    return readings(list(range(len(tokens))), tokens=tokens, kv_usage=use, awaiting=zeros, sequences=sequences or zeros)


def test_kv_block_rounding_is_half_a_block_less_half_a_token() -> None:
    # the last block of 16 has 0 to 15 free places, all alike: 7.5 on average
    round_ = gauged_round({"c1": settled([0, 100], [0.1, 0.2])}, {"engine_block_tokens_of_series": 16})

    assert of_series(round_, "kv_block_rounding").value == 7.5
    assert kv_held.kv_block_rounding(1) == 0


def test_kv_fragmentation_of_blocks_is_what_no_token_fills_of_those_in_use() -> None:
    # on average 200 tokens in flight, and 0.25 of 1000 places in use: 1 − 200 ÷ 250
    round_ = gauged_round({"c1": settled([100, 300], [0.2, 0.3])}, {"kv_pool_tokens": 1000})

    assert of_level(round_, "kv_fragmentation").value == pytest.approx(0.2)


def test_kv_fragmentation_of_slots_is_what_no_token_fills_of_their_contexts() -> None:
    # two slots of 512 at work with 256 tokens: 1 − 256 ÷ 1024
    said = readings([0, 1], tokens=[256, 256], sequences=[2, 2], awaiting=[0, 0])
    slots = {"kv_pool_tokens": 2048.0, "log_slots_of_series": 4.0, "log_slot_context_of_series": 512.0}
    round_ = gauged_round({"c1": said}, slots)

    assert of_series(round_, "kv_slots_over_pool").value == 1
    assert of_series(round_, "kv_slot_context").value == 512
    assert of_level(round_, "kv_fragmentation").value == 0.75


def test_kv_slots_over_pool_is_what_all_slots_may_have_of_it() -> None:
    assert kv_held.kv_slots_over_pool(2048.0, 4.0, 2048.0) == 4  # 2048 × 4 ÷ 2048


def test_kv_slot_context_of_slots_that_share_a_pool_is_none() -> None:
    assert isinstance(kv_held.kv_slot_context(4.0, 2048.0, 4.0), Unknown)
    assert kv_held.kv_slot_context(1.0, 2048.0, 4.0) == 512  # 2048 ÷ 4


def test_more_tokens_than_places_are_no_share() -> None:
    # 200 tokens in 0.1 of 1000 places
    round_ = gauged_round({"c1": settled([100, 300], [0.05, 0.15])}, {"kv_pool_tokens": 1000})
    found = of_level(round_, "kv_fragmentation")

    assert found.value is None
    assert found.reason is not None
    assert found.reason.en.startswith("fewer places are taken than tokens are in flight")
