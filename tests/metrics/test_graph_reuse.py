from __future__ import annotations

import pytest

from generator.kinds import Place, column
from generator.metrics import graph_reuse
from tests.support.memory_round import read_typed


@pytest.mark.parametrize(
    ("key", "place"),
    [
        ("log_timing_lines", column("log_timing_lines", "1")),
        ("graphs_reused_increment", column("graphs_reused_increment", "1")),
    ],
)
def test_observed(key: str, place: Place) -> None:
    assert read_typed(key, place, 6487) == (6487, 6487)


def test_graph_reuse_per_step_counts_a_batch_as_one_step() -> None:
    # 1280 ÷ (40 × 256 ÷ 4) = 1280 ÷ 2560
    assert graph_reuse.graph_reuse_per_step(1280, 40, 256, 4) == 0.5


def test_graph_reuse_per_step_is_zero_where_the_counter_stood_still() -> None:
    assert graph_reuse.graph_reuse_per_step(0, 318, 256, 32) == 0


def test_graph_reuse_per_token__as_published_counts_each_token_as_a_step() -> None:
    # 1280 ÷ (40 × 256) = 1280 ÷ 10240
    assert graph_reuse.graph_reuse_per_token__as_published(1280, 40, 256) == 0.125


def test_decode_steps_are_request_tokens_over_concurrency() -> None:
    # 120 lines × 256 tokens ÷ 8 slots = 30 720 ÷ 8
    assert graph_reuse.decode_steps(120, 256, 8) == 3840
