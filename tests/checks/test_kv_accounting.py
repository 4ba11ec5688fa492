from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from generator.values import Address
from tests.support.example_rounds import OF_ROUND, published
from tests.support.memory_round import Numbers, memory_round, observation
from tests.support.telling import found_by, said

CHECK = "kv_accounting"
GIB = 2**30
A_TOKEN = 57_344
"""2 × 28 layers × 4 heads × 128 × 2 bytes, by the shape of the round."""


def pooled(of_series: Numbers) -> Round:
    return memory_round({"s": {}}, of_series={"s": of_series}, of_round=OF_ROUND)


def typed(gib: float, tokens: float) -> Round:
    """Return a round with a pool that an author typed in GiB with two decimals."""
    seen = observation(Address("kv_pool_bytes", "series", "s"), gib * GIB)
    further = [seen._replace(decimals=2)]
    return memory_round(
        {"s": {}}, of_series={"s": {"kv_pool_tokens": tokens}}, of_round=OF_ROUND, further=further
    )  # fmt: skip


def test_layers_with_a_window_leave_no_one_number() -> None:
    windowed = {"kv_pool_bytes": 10 * GIB, "kv_pool_tokens": 1000.0, "state_bytes": 0.0}
    finding = examine(pooled(windowed))
    assert finding.status == "unknown"


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


@pytest.mark.parametrize(
    ("round_id", "shown"),
    [
        # 4.64 × 2³⁰ ÷ 86 896 = 57 334.8 B = 55.99 KiB, 9.2 B off; half a digit is 0.005 × 2³⁰ ÷ 86 896 = 61.8 B.
        ("round-1", "55.99 KiB"),
        # 6.41 × 2³⁰ ÷ 120 064 = 57 325.1 B = 55.98 KiB, 18.9 B off, of 44.7 B.
        ("round-2", "55.98 KiB"),
    ],
)
def test_published_pools_meet_the_shape_of_the_model(round_id: str, shown: str) -> None:
    (finding,) = [one for one in found_by(CHECK, published(round_id)) if one.series == "vllm-bf16"]

    assert finding.status == "pass"
    assert f"comes to {shown} per token, which matches the 56.00 KiB" in said(finding, published(round_id))


@pytest.mark.parametrize(
    ("gib", "status"),
    [
        (14.00, "pass"),  # 14 × 2³⁰ ÷ 2¹⁸ = 57 344 B, exactly
        (14.01, "warn"),  # 0.01 GiB off, twice half a digit
        (13.99, "warn"),
    ],
)
def test_typed_pool_may_be_off_by_half_a_digit(gib: float, status: str) -> None:
    assert examine(typed(gib, 262_144)).status == status


def test_typed_pool_is_right_up_to_half_a_digit() -> None:
    # 14 GiB and 80 tokens more hold 262 224 × 57 344 B = 14.0043 GiB, which is typed as 14.00.
    assert examine(typed(14.00, 262_224)).status == "pass"


@pytest.mark.parametrize(("factor", "status"), [(1.009, "pass"), (0.991, "pass"), (1.011, "warn"), (0.989, "warn")])
def test_one_in_a_hundred_is_forgiven_where_nothing_is_known_of_the_rounding(factor: float, status: str) -> None:
    assert examine(pooled({"kv_pool_tokens": 1000, "kv_pool_bytes": 1000 * A_TOKEN * factor})).status == status


def test_pool_of_half_the_bytes_is_of_another_precision() -> None:
    round_ = pooled({"kv_pool_tokens": 1000, "kv_pool_bytes": 500 * A_TOKEN})
    finding = examine(round_)

    assert {doubt.metric for doubt in finding.doubts} == {"kv_pool_bytes_per_token", "kv_bytes_per_token"}
    text = said(finding, round_)
    assert "The KV pool of s comes to 28.00 KiB per token, but 56.00 KiB by the model's shape: the precision" in text
    assert "每 token 占 28.00 KiB，按模型形状算出的却是 56.00 KiB" in text
    assert "the floor of s is too high" in text
    assert finding.looks == "better"


def test_pool_of_more_bytes_makes_the_floor_too_low() -> None:
    round_ = pooled({"kv_pool_tokens": 1000, "kv_pool_bytes": 2000 * A_TOKEN})

    assert "the floor of s is too low" in said(examine(round_), round_)
    assert examine(round_).looks == "worse"


@pytest.mark.parametrize(
    ("of_series", "reason"),
    [
        ({"kv_pool_tokens": 1000}, "its bytes are not on record but computed by the same formula"),
        ({"kv_pool_bytes": 1000}, "for s (<series>/server.log, kv_pool_tokens)"),
        ({}, "for s (<series>/server.log, kv_pool_tokens)"),
    ],
    ids=["derived bytes", "no tokens", "nothing"],
)
def test_unknown_says_why(of_series: Numbers, reason: str) -> None:
    finding = examine(pooled(of_series))

    assert finding.status == "unknown"
    assert reason in said(finding, pooled(of_series))


def test_unknown_without_the_shape_of_the_model() -> None:
    round_ = memory_round({"s": {}}, of_series={"s": {"kv_pool_tokens": 1000, "kv_pool_bytes": 1000}})

    assert examine(round_).status == "unknown"
    assert "no record of layers" in said(examine(round_), round_)


def test_bytes_that_the_server_printed_are_held_against_the_shape() -> None:
    # 1000 tokens of 57 344 bytes each
    assert examine(pooled({"log_kv_pool_bytes_of_series": 1000.0 * A_TOKEN, "kv_pool_tokens": 1000.0})).status == "pass"
    assert examine(pooled({"log_kv_pool_bytes_of_series": 500.0 * A_TOKEN, "kv_pool_tokens": 1000.0})).status == "warn"
