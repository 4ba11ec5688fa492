from __future__ import annotations

import pytest

from generator.analysis.resolve import Resolver
from generator.kinds import Unknown
from generator.metrics import architecture
from generator.places import architecture as place
from tests.support.memory_round import GRAPH, address, memory_round, read_typed


@pytest.mark.parametrize(
    ("key", "name", "unit", "typed"),
    [
        ("kv_elements", "kv_elements", "1", 28_672),
        ("kv_element_bytes", "kv_element_bytes", "B", 1.0625),
        ("kv_window_elements", "kv_window_elements", "1", 212_992),
        ("attention_window", "attention_window", "tok", 1024),
        ("state_bytes", "state_bytes", "B", 79_036_416),
        ("experts", "experts", "1", 128),
        ("experts_used", "experts_used", "1", 8),
        ("prefill_params", "prefill_params", "1", 6_525_288_448),
        ("head_params", "head_params", "1", 544_997_376),
        ("pair_flops", "pair_flops", "FLOP", 401_408),
        ("window_pair_flops", "window_pair_flops", "FLOP", 851_968),
        ("model_weight_bytes", "weight_bytes", "B", 14_141_238_272),
        ("dense_bytes", "dense_bytes", "B", 3_500_000_000),
        ("expert_bytes", "expert_bytes", "B", 452_984_832),
    ],
)
def test_observed_in_architecture_json(key: str, name: str, unit: str, typed: float) -> None:
    held, reported = read_typed(key, place(name, unit), typed)
    assert held == typed
    assert reported == (typed / 1e9 if key in ("model_weight_bytes", "dense_bytes", "expert_bytes") else typed)


def test_kv_element_bytes_declared_are_taken_where_no_flag_speaks() -> None:
    assert architecture.kv_element_bytes_declared(2) == 2


def test_model_kv_bytes_per_token_is_elements_times_bytes() -> None:
    # MLA: 61 × 576 × 2
    assert architecture.model_kv_bytes_per_token(35_136, 2) == 70_272


def test_kv_bytes_of_sequence_is_capped_in_layers_with_a_window() -> None:
    # 40 960 × 8192 × 2 + 212 992 × 1024 × 2 + 1000; then 512 tokens, within the window
    assert architecture.kv_bytes_of_sequence(40_960, 8192, 212_992, 1024, 2, 1000) == 671_088_640 + 436_207_616 + 1000
    assert architecture.kv_bytes_of_sequence(40_960, 512, 212_992, 1024, 2, 0) == 507_904 * 512


def test_kv_bytes_with_states_add_what_does_not_grow() -> None:
    # 1000 × 24 576 + 79 036 416
    assert architecture.kv_bytes_with_states(1000, 24_576, 79_036_416) == 103_612_416


def test_kv_bytes_of_context_grow_with_it() -> None:
    # 1152 × 57 344
    assert architecture.kv_bytes_of_context(1152, 57_344) == 66_060_288


@pytest.mark.parametrize(("in_flight", "read"), [(1, 8), (4, 29.1), (16, 82.4), (64, 125.9)])
def test_experts_read_are_distinct_ones(in_flight: float, read: float) -> None:
    # 128 × (1 − (120 ÷ 128)^B)
    assert architecture.experts_read(128, in_flight, 8) == pytest.approx(read, abs=0.05)


def test_experts_read_of_all_that_there_are_is_no_expectation() -> None:
    assert isinstance(architecture.experts_read(8, 4, 8), Unknown)


def test_weight_bytes_read_adds_the_experts() -> None:
    # 3.5 GB + 29.1 × 0.45 GB
    assert architecture.weight_bytes_read(3.5e9, 29.1, 0.45e9) == pytest.approx(16.595e9)


def test_weight_bytes_of_any_level_are_those_of_a_step() -> None:
    assert architecture.weight_bytes_of_any_level(14e9) == 14e9


MIXTURE = {
    "model_weight_bytes": 7e9, "dense_bytes": 3e9, "experts": 128, "experts_used": 8, "expert_bytes": 0.5e9,
    "kv_elements": 1000, "kv_element_bytes": 2,
}  # fmt: skip


def test_the_floor_of_a_mixture_rises_with_the_requests_in_flight() -> None:
    asked = {"asked_input_tokens": 900.0, "asked_output_tokens": 200.0}
    levels = {f"c{n}": {"concurrency": n, **asked} for n in (1.0, 8.0)}
    round_ = memory_round({"a": levels}, of_series={"a": MIXTURE}, of_round={"memory_bandwidth": 1e12})
    resolver = Resolver(GRAPH, round_)

    def floor(level: str) -> float | None:
        return resolver.value(address("decode_floor", "level", "a", level)).value

    # (3 GB + 8 × 0.5 GB + 1 × 1000 × 2 kB) ÷ 1 TB/s
    assert floor("c1.0") == pytest.approx(7.002e-3)
    # 128 × (1 − (120 ÷ 128)^8) = 51.62; (3 + 25.81 + 0.016) GB
    assert floor("c8.0") == pytest.approx(28.826e-3, rel=1e-3)


def test_declared_numbers_go_before_those_of_the_files() -> None:
    declared = {"layers": 28.0, "kv_heads": 4.0, "head_dim": 128.0, "kv_dtype_bytes": 1.0}
    both = {"a": {"weight_bytes_per_step": 5e9, **MIXTURE}}
    resolver = Resolver(GRAPH, memory_round({"a": {}}, of_series=both, of_round=declared))
    # 2 × 28 × 4 × 128 × 1, and not 1000 × 2
    assert resolver.value(address("kv_bytes_per_token", "series", "a")).value == 28_672
    assert resolver.value(address("weight_bytes_per_step", "series", "a")).value == 5e9
    alone = Resolver(GRAPH, memory_round({"a": {}}, of_series={"a": MIXTURE}))
    assert alone.value(address("kv_bytes_per_token", "series", "a")).value == 2000
    assert alone.value(address("weight_bytes_per_step", "series", "a")).value == 7e9
