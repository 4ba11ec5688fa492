from __future__ import annotations

from generator.across.floors import counts_whole_file, resting_on_whole_files
from generator.values import Address
from tests.support.odd_rounds import ANALYSES


def at(metric: str, series: str, basis: str | None = None) -> Address:
    return Address(metric, "level", series, "c1", basis)


def test_the_size_of_a_file_is_more_than_a_step_reads() -> None:
    analysis = ANALYSES["round-2"]()

    assert [one.id for one in analysis.round.series if counts_whole_file(analysis, one)] == ["llamacpp-q4_k_m"]


def test_what_rests_on_the_size_of_a_file_is_known() -> None:
    found = resting_on_whole_files(ANALYSES["round-2"]())

    assert {at(one, "llamacpp-q4_k_m") for one in ("decode_floor", "floor_ratio", "mbu")} <= found
    assert Address("weight_bytes_per_step", "series", "llamacpp-q4_k_m") in found
    assert Address("predicted_speedup", "pair", "llamacpp-q4_k_m") in found
    assert not {at("itl_p50", "llamacpp-q4_k_m"), at("kv_bytes_per_step", "llamacpp-q4_k_m")} & found
    assert not {one for one in found if one.series == "vllm-bf16"}


def test_the_count_without_the_embedding_is_not_the_whole_file() -> None:
    found = resting_on_whole_files(ANALYSES["round-2"]())

    assert at("decode_floor", "llamacpp-q4_k_m", "without_embedding") not in found


def test_rounds_that_do_not_count_files_rest_on_none() -> None:
    assert resting_on_whole_files(ANALYSES["arrival rates"]()) == frozenset()
