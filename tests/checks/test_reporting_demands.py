from __future__ import annotations

from dataclasses import replace

import pytest

from generator.declared.round_tables import SeriesTable, WorkloadTable
from generator.model import Round
from generator.told.blocks import Paragraph
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.telling import analysed, chapter_of, found_by, said, text_of

CHECK = "reporting_demands"


def stated(
    *, precision: str | None = "BF16", warm_up: str | None = "warmed", tail: str = "ttft_p99", load: str = "concurrency"
) -> Round:
    """Return a round of one level that states what is asked for, but for what is changed."""
    made = memory_round({"s": {"c1": {load: 1.0, tail: 0.2}}})
    workload = WorkloadTable.model_validate({"warm_up": warm_up} if warm_up else {})
    table = SeriesTable(id="s", precision=precision)
    series = tuple(replace(one, table=table) for one in made.series)
    return replace(made, file=made.file.model_copy(update={"workload": workload, "series": (table,)}), series=series)


def test_what_states_all_four_passes() -> None:
    (finding,) = found_by(CHECK, stated())

    assert finding.status == "pass"
    assert callouts(stated()) == []


@pytest.mark.parametrize(
    ("round_", "lacking"),
    [
        pytest.param(stated(precision=None), "the precision of s", id="precision"),
        pytest.param(stated(load="requests"), "the concurrency or rate of s", id="load"),
        pytest.param(stated(tail="ttft_p50"), "a tail percentile for s", id="percentiles"),
        pytest.param(stated(warm_up=None), "whether the server was warm when each level began", id="warm-up"),
    ],
)
def test_each_of_four_demands_makes_figures_qualitative(round_: Round, lacking: str) -> None:
    (finding,) = found_by(CHECK, round_)

    assert finding.status == "warn"
    assert f"The record does not state {lacking}." in said(finding, round_)


def test_everything_that_is_missing_is_told_at_once() -> None:
    (finding,) = found_by(CHECK, published("round-1"))
    text = said(finding, published("round-1"))

    assert (
        "The record does not state a tail percentile for vLLM BF16 (C=1 and C=8) and llama.cpp Q4_K_M (C=1 and C=8); "
        "whether the server was warm when each level began."
    ) in text
    assert (
        "记录里没有写明：vLLM BF16（C=1、C=8）、llama.cpp Q4_K_M（C=1、C=8）的尾部分位数；各档开始时服务端是否已预热。"
        in text
    )
    assert "仅供定性参考" in text


def test_the_remedy_asks_for_what_is_missing_only() -> None:
    (finding,) = found_by(CHECK, stated(warm_up=None))
    assert finding.remedy is not None
    text = said(finding.remedy, stated(warm_up=None))

    assert "[workload] warm_up" in text
    assert "p99" not in text
    assert "precision" not in text


def test_runs_of_our_own_client_keep_their_warm_up_apart() -> None:
    unstated = stated(warm_up=None)
    collected = replace(unstated, described={("s", "c1", None): {"tool": "rounds collect", "cold_requests": ""}})

    assert [finding.status for finding in found_by(CHECK, collected)] == ["pass"]


def callouts(round_: Round) -> list[str]:
    """Return what stands in a box beside the verdict."""
    analysis = analysed(round_)
    chapter = chapter_of("verdict", analysis)
    assert chapter is not None
    boxes = [block for block in chapter.blocks if isinstance(block, Paragraph) and block.kind == "callout"]
    return [text_of(box, analysis) for box in boxes]
