"""The rounds that are published with the project: transcriptions, checked against what was printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.model import Round
from generator.store.reading import list_rounds, read_round
from generator.values import Observation
from tests.support.rounds import places

RUNS = Path(__file__).parents[2] / "runs"
VLLM = "vllm-bf16"
LLAMA = "llamacpp-q4_k_m"


@pytest.fixture(scope="module")
def first() -> Round:
    return read_round(RUNS / "round-1", places())


@pytest.fixture(scope="module")
def second() -> Round:
    return read_round(RUNS / "round-2", places())


def found(round_: Round, metric: str, series: str, level: str | None) -> Observation | None:
    hits = [o for o in round_.observations if o.address.metric == metric]
    return next((o for o in hits if (o.address.series, o.address.level) == (series, level)), None)


def as_printed(round_: Round, metric: str, series: str, level: str) -> str:
    """Return a number with the decimals that it was printed with; times in ms."""
    observation = found(round_, metric, series, level)
    assert observation is not None
    factor = 1000 if metric.startswith(("ttft", "itl", "tpot", "e2el")) else 1
    return f"{observation.value * factor:.{observation.decimals}f}"


def test_every_round_here_reads_as_transcribed_and_unsealed() -> None:
    rounds = [read_round(folder, places()) for folder in list_rounds(RUNS) if folder.name in ("round-1", "round-2")]
    assert [round_.id for round_ in rounds] == ["round-1", "round-2"]
    for round_ in rounds:
        assert round_.file.round.origin == "transcribed"
        assert round_.integrity.status == "absent"
        assert [series.id for series in round_.series] == [VLLM, LLAMA]
        assert round_.baseline is round_.series[0]


def test_titles_hold_no_digits(first: Round, second: Round) -> None:
    for title in (first.title, second.title):
        assert not any(letter.isdigit() for letter in title.zh + title.en)


def test_the_second_round_has_seven_levels_of_each_series(second: Round) -> None:
    for series in second.series:
        assert [level.id for level in series.levels] == ["c1", "c2", "c4", "c8", "c16", "c32", "c64"]


@pytest.mark.parametrize(
    ("metric", "series", "level", "printed"),
    [
        ("duration", LLAMA, "c1", "63.40"),
        ("output_throughput", LLAMA, "c16", "548.0"),
        ("output_throughput", LLAMA, "c32", "443.7"),
        ("total_token_throughput", VLLM, "c64", "6939"),
        ("itl_p50", VLLM, "c64", "22.50"),
        ("itl_p99", LLAMA, "c1", "6.0"),
        ("e2el_p50", LLAMA, "c32", "17851"),
        ("ttft_p99", LLAMA, "c64", "6268"),
        ("tpot_p50", LLAMA, "c64", "57.54"),
        ("stall_share", LLAMA, "c64", "1.054"),
        ("stall_share", VLLM, "c1", "0.000"),
        ("graphs_reused_increment", LLAMA, "c32", "0"),
    ],
)
def test_numbers_of_the_second_round_stand_as_printed(
    metric: str, series: str, level: str, printed: str, second: Round
) -> None:
    assert as_printed(second, metric, series, level) == printed


@pytest.mark.parametrize(
    ("metric", "series", "level", "printed"),
    [
        ("ttft_p50", VLLM, "c1", "104.9"),
        ("tpot_mean", LLAMA, "c8", "12.40"),
        ("tpot_mean", LLAMA, "c32", "31.40"),
        ("output_throughput", LLAMA, "c32", "890"),
        ("completed", LLAMA, "c32", "312"),
        ("prompt_cache_hits", LLAMA, "c32", "72"),
    ],
)
def test_numbers_of_the_first_round_stand_as_printed(
    metric: str, series: str, level: str, printed: str, first: Round
) -> None:
    assert as_printed(first, metric, series, level) == printed


def test_what_the_first_round_did_not_print_is_unknown(first: Round) -> None:
    assert found(first, "completed", VLLM, "c8") is None
    assert found(first, "output_throughput", VLLM, "c32") is None


def test_every_request_of_the_second_round_is_there(second: Round) -> None:
    # 40 + 60 + 80 + 120 + 200 + 320 + 512 = 1332; llama.cpp lost one of them at c32
    sums = {
        (o.address.metric, o.address.series): 0.0
        for o in second.observations
        if o.address.metric in ("requests", "completed")
    }
    for o in second.observations:
        if (o.address.metric, o.address.series) in sums:
            sums[o.address.metric, o.address.series] += o.value
    assert sums == {
        ("requests", VLLM): 1332,
        ("completed", VLLM): 1332,
        ("requests", LLAMA): 1332,
        ("completed", LLAMA): 1331,
    }
