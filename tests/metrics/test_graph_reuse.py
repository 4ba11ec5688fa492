from __future__ import annotations

import pytest

from generator.kinds import Unknown
from generator.metrics import graph_reuse
from generator.places import Place, column, log
from tests.support.memory_round import read_typed


@pytest.mark.parametrize(
    ("key", "place"),
    [
        ("log_timing_lines", column("log_timing_lines", "1")),
        ("log_timing_lines", log("timing_lines", "1")),
        ("graphs_reused_increment", column("graphs_reused_increment", "1")),
        ("graphs_reused_increment", log("graphs_reused", "1")),
        ("log_graph_intervals", log("graph_intervals", "1")),
    ],
)
def test_observed(key: str, place: Place) -> None:
    assert read_typed(key, place, 6487) == (6487, 6487)


def test_graph_reuse_per_step_counts_the_steps_behind_the_first_reading() -> None:
    # 48 requests in 4 slots, 47 readings behind the first: 48 − 1 × 4 requests are behind it. 667 ÷ (44 × 64 ÷ 4)
    assert graph_reuse.graph_reuse_per_step(667, 48, 47, 64, 4) == pytest.approx(667 / 704)


def test_graph_reuse_per_step_counts_all_steps_where_a_warm_up_was_read_first() -> None:
    # 16 readings behind that of the warm-up: 992 ÷ (16 × 64 ÷ 1)
    assert graph_reuse.graph_reuse_per_step(992, 16, 16, 64, 1) == 0.96875


def test_graph_reuse_per_step_is_not_known_of_a_single_batch() -> None:
    assert graph_reuse.graph_reuse_per_step(60, 4, 3, 64, 4) == Unknown(graph_reuse.TOO_FEW)


def test_graph_reuse_per_step_of_lines_counts_a_batch_as_one_step() -> None:
    # 1280 ÷ (40 × 256 ÷ 4) = 1280 ÷ 2560
    assert graph_reuse.graph_reuse_per_step_of_lines(1280, 40, 256, 4) == 0.5


def test_graph_reuse_per_step_is_zero_where_the_counter_stood_still() -> None:
    assert graph_reuse.graph_reuse_per_step(0, 318, 318, 256, 32) == 0


def test_graph_reuse_per_token__as_published_counts_each_token_as_a_step() -> None:
    # 1280 ÷ (40 × 256) = 1280 ÷ 10240
    assert graph_reuse.graph_reuse_per_token__as_published(1280, 40, 256) == 0.125


def test_decode_steps_are_request_tokens_over_concurrency() -> None:
    # 120 lines × 256 tokens ÷ 8 slots = 30 720 ÷ 8
    assert graph_reuse.decode_steps(120, 256, 8) == 3840
