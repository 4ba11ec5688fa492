from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.analysis.resolve import Resolver
from generator.metrics import floor
from generator.metrics.load import NOT_COUNTED
from generator.places import Place, setting
from generator.values import Value
from tests.support.memory_round import GRAPH, address, memory_round, read_typed

POSITIVE = st.floats(min_value=1e-3, max_value=1e3)


@pytest.mark.parametrize(
    ("key", "place", "typed", "base", "reported"),
    [
        ("layers", setting("model.layers", "1"), 28, 28, 28),
        ("kv_heads", setting("model.kv_heads", "1"), 4, 4, 4),
        ("head_dim", setting("model.head_dim", "1"), 128, 128, 128),
        ("kv_dtype_bytes", setting("model.kv_dtype_bytes", "B"), 2, 2, 2),
        ("matmul_params", setting("model.matmul_params", "1"), 7_070_619_136, 7_070_619_136, 7_070_619_136),
        ("memory_bandwidth", setting("hardware.memory_bandwidth_gb_s", "GB/s"), 1008, 1.008e12, 1008),
        ("weight_params", setting("series.weight_params", "1"), 7_070_619_136, 7_070_619_136, 7_070_619_136),
        ("weight_dtype_bytes", setting("series.weight_dtype_bytes", "B"), 0.5, 0.5, 0.5),
        ("embedding_bytes", setting("series.embedding_bytes", "B"), 306_561_024, 306_561_024, 0.306561024),
        ("weight_bytes_per_step", setting("series.weight_bytes", "B"), 4.68e9, 4.68e9, 4.68),
    ],
)
def test_observed(key: str, place: Place, typed: float, base: float, reported: float) -> None:
    assert read_typed(key, place, typed) == (base, reported)


def test_weight_bytes_from_params_is_their_number_times_their_size() -> None:
    # 7 000 000 000 × 2
    assert floor.weight_bytes_from_params(7e9, 2) == 14e9


def test_weight_bytes_from_model_is_its_parameters_times_their_size() -> None:
    # 8 000 000 000 × 0.5
    assert floor.weight_bytes_from_model(8e9, 0.5) == 4e9


def test_weight_bytes_per_step__without_embedding_leaves_the_table_out() -> None:
    # 4.5 GB − 0.5 GB
    assert floor.weight_bytes_per_step__without_embedding(4.5e9, 0.5e9) == 4e9


def test_kv_bytes_per_token_counts_keys_and_values() -> None:
    # 2 × 28 × 4 × 128 × 2 = 57344 = 56 KiB
    assert floor.kv_bytes_per_token(28, 4, 128, 2) == 57_344


def test_kv_bytes_by_files_are_taken_as_they_are() -> None:
    assert floor.kv_bytes_by_files(70_272) == 70_272


def test_weight_bytes_by_files_are_taken_as_they_are() -> None:
    assert floor.weight_bytes_by_files(14e9) == 14e9


def test_mean_context_is_the_input_and_half_the_output() -> None:
    # 1024 + 256 ÷ 2
    assert floor.mean_context(1024, 256) == 1152


def test_kv_bytes_per_step_are_of_all_decoded_together() -> None:
    # 8 × 66 060 288
    assert floor.kv_bytes_per_step(8, 66_060_288) == 528_482_304


def test_bytes_per_step_are_weights_and_kv() -> None:
    # 14 GB + 0.5 GB
    assert floor.bytes_per_step(14e9, 0.5e9) == 14.5e9


def test_decode_floor_is_bytes_over_bandwidth() -> None:
    # (14 GB + 10 × 100 MB) ÷ 1 TB/s = (14 GB + 1 GB) ÷ 1 TB/s
    assert floor.decode_floor(14e9, 10, 100e6, 1e12) == 0.015


def test_floor_ratio_is_floor_over_step() -> None:
    # 6 ms ÷ 8 ms
    assert floor.floor_ratio(0.006, 0.008) == 0.75


def test_mbu_is_achieved_over_peak_bandwidth() -> None:
    # 4 GB ÷ 5 ms ÷ 1 TB/s = 0.8 TB/s ÷ 1 TB/s
    assert floor.mbu(4e9, 0.005, 1e12) == 0.8


def test_achieved_bandwidth_is_bytes_over_step() -> None:
    # 4 GB ÷ 5 ms
    assert floor.achieved_bandwidth(4e9, 0.005) == 8e11


def test_throughput_floor_ratio_counts_the_stalls() -> None:
    # 6 ms ÷ (8 ÷ 400 s) = 6 ms ÷ 20 ms
    assert floor.throughput_floor_ratio(0.006, 8, 400) == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("metric", "as_declared", "without_embedding"),
    [
        # 10 GB − 2 GB
        ("weight_bytes_per_step", 10e9, 8e9),
        # KV: 4 × (900 + 200 ÷ 2) × (2 × 50 × 5 × 500 × 2 = 500 kB) = 2 GB; 10 GB + 2 GB
        ("bytes_per_step", 12e9, 10e9),
        # ÷ 1 TB/s
        ("decode_floor", 0.012, 0.010),
        # ÷ 20 ms
        ("floor_ratio", 0.6, 0.5),
        ("mbu", 0.6, 0.5),
        ("achieved_bandwidth", 6e11, 5e11),
        # ÷ (4 ÷ 100 s) = ÷ 40 ms
        ("throughput_floor_ratio", 0.3, 0.25),
    ],
)
def test_bases_follow_the_weights(metric: str, as_declared: float, without_embedding: float) -> None:
    round_ = memory_round(
        {
            "a": {
                "c4": {
                    "concurrency": 4,
                    "asked_input_tokens": 900,
                    "asked_output_tokens": 200,
                    "itl_p50": 0.020,
                    "output_throughput": 100,
                }
            }
        },
        of_series={"a": {"weight_bytes_per_step": 10e9, "embedding_bytes": 2e9}},
        of_round={
            "layers": 50,
            "kv_heads": 5,
            "head_dim": 500,
            "kv_dtype_bytes": 2,
            "memory_bandwidth": 1e12,
        },
    )
    resolver = Resolver(GRAPH, round_)
    scope = GRAPH.metrics[metric, None].scope
    level = "c4" if scope == "level" else None

    def found(basis: str | None) -> float | None:
        return resolver.value(address(metric, scope, "a", level, basis)).value

    assert found(None) == pytest.approx(as_declared)
    assert found("without_embedding") == pytest.approx(without_embedding)


@given(step=POSITIVE, slower=POSITIVE)
def test_a_slower_step_lowers_the_share_of_the_floor_alike(step: float, slower: float) -> None:
    share = floor.floor_ratio(0.006, step)
    assert isinstance(share, float)
    assert floor.floor_ratio(0.006, step * slower) == pytest.approx(share / slower)


@given(concurrency=POSITIVE, step=POSITIVE)
def test_mbu_is_the_share_of_the_floor(concurrency: float, step: float) -> None:
    bytes_per_step = floor.bytes_per_step(14e9, floor.kv_bytes_per_step(concurrency, 66_060_288))
    decode_floor = floor.decode_floor(14e9, concurrency, 66_060_288, 1e12)
    assert floor.mbu(bytes_per_step, step, 1e12) == pytest.approx(floor.floor_ratio(decode_floor, step))


def test_floor_gap_is_what_the_step_takes_beyond_its_floor() -> None:
    # 22.5 − 18.25 ms
    assert floor.floor_gap(0.0225, 0.01825) == pytest.approx(0.00425)


def test_floor_gap_is_negative_below_the_floor() -> None:
    assert floor.floor_gap(0.25, 0.5) == -0.25


UNDER_A_LIMIT = {"rate": 10, "concurrency": 128, "asked_input_tokens": 900, "asked_output_tokens": 200}
SHAPE = {"kv_bytes_per_token": 500e3, "weight_bytes_per_step": 10e9}


def floor_at(**seen: float) -> Value:
    """Return the floor of a level under a rate and a limit, with a memory of 1 TB/s."""
    round_ = memory_round(
        {"s": {"r10": {**UNDER_A_LIMIT, **seen}}}, of_series={"s": SHAPE}, of_round={"memory_bandwidth": 1e12}
    )
    return Resolver(GRAPH, round_).value(address("decode_floor", "level", "s", "r10"))


def test_the_floor_under_a_rate_is_that_of_the_mean_in_flight_and_not_of_the_limit() -> None:
    # In flight 2 s × 20 ÷ 10 s = 4; KV 4 × (900 + 200 ÷ 2) × 500 kB = 2 GB; (10 GB + 2 GB) ÷ 1 TB/s
    assert floor_at(e2el_mean=2, completed=20, duration=10).value == pytest.approx(0.012)


def test_the_floor_under_a_rate_is_unknown_where_nobody_knows_how_many_were_in_flight() -> None:
    found = floor_at()
    assert (found.value, found.reason) == (None, NOT_COUNTED.reason)


CLOSED = {"concurrency": 12, "asked_input_tokens": 900, "asked_output_tokens": 200, "output_throughput": 200}


def beyond(metric: str, *, slots: float | None = None, **seen: float) -> float | None:
    """Return a number of a level at C=12, with a memory of 1 TB/s."""
    series = {**SHAPE, **({} if slots is None else {"slots": slots})}
    round_ = memory_round(
        {"s": {"c12": {**CLOSED, **seen}}}, of_series={"s": series}, of_round={"memory_bandwidth": 1e12}
    )
    return Resolver(GRAPH, round_).value(address(metric, "level", "s", "c12")).value


@pytest.mark.parametrize(
    ("slots", "gauges", "decoded"),
    [
        (None, {}, 12),  # nothing is known to keep any of them waiting: as asked
        (12, {}, 12),
        (4, {}, 4),
        (12, {"gauge_running_mean": 3, "gauge_waiting_mean": 8}, 3),
        (12, {"gauge_running_mean": 11, "gauge_waiting_mean": 0}, 12),
    ],
    ids=["as asked", "slots for all", "four slots", "the pool is full", "none waits"],
)
def test_the_floor_counts_the_requests_that_are_decoded_together(
    slots: float | None, gauges: dict[str, float], decoded: int
) -> None:
    # KV: each (900 + 200 ÷ 2) × 500 kB = 0.5 GB. (10 GB + 12 × 0.5 GB) ÷ 1 TB/s = 16 ms; with four of them 12 ms, with
    # three 11.5 ms
    floor = {12: 0.016, 4: 0.012, 3: 0.0115}[decoded]
    assert beyond("decode_floor", slots=slots, **gauges) == pytest.approx(floor)
    assert beyond("floor_throughput", slots=slots, **gauges) == pytest.approx(decoded / floor)
    assert beyond("throughput_floor_ratio", slots=slots, **gauges) == pytest.approx(200 / (decoded / floor))
