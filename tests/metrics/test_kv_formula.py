from __future__ import annotations

import numpy as np
import pytest

from generator.analysis.stages import analyse
from generator.metrics.kv_formula import (
    OUTGROWN,
    kv_beyond_no_window,
    kv_beyond_window,
    kv_bytes_over_formula,
    kv_bytes_per_token_everywhere,
    kv_bytes_per_token_here,
)
from generator.values import Value
from tests.support.gauged_rounds import SHAPE
from tests.support.memory_round import GRAPH, memory_round

WINDOWED = {"kv_elements": 512.0, "kv_window_elements": 2560.0, "kv_element_bytes": 2.0}


def here(window: float) -> Value:
    """Return the bytes of a token of a model with windows and a plain shape, whose requests have 600 tokens."""
    levels = {"c1": {"concurrency": 1.0, "request_tokens": 600.0}}
    constants = {**WINDOWED, "attention_window": window}
    round_ = memory_round({"a": levels}, of_series={"a": constants}, of_round=SHAPE)
    return analyse(round_, GRAPH, ()).frame.of_series("kv_bytes_per_token_here", "a")


@pytest.mark.parametrize(("window", "beyond"), [(512.0, 1.0), (513.0, 0.0), (1024.0, 0.0)])
def test_kv_beyond_window_is_of_the_longest_request(window: float, beyond: float) -> None:
    assert kv_beyond_window(np.array([224.0, 513.0]), window) == beyond


def test_kv_beyond_no_window_is_none() -> None:
    assert kv_beyond_no_window(18432.0) == 0


def test_kv_bytes_per_token_here_counts_all_layers_within_the_window_and_is_unknown_beyond() -> None:
    assert kv_bytes_per_token_here(1536.0, 7680.0, 2.0, 0.0) == 18432  # (1536 + 7680) × 2
    assert kv_bytes_per_token_here(1536.0, 7680.0, 2.0, 1.0) == OUTGROWN


def test_kv_bytes_per_token_everywhere_is_that_of_the_plain_shape_and_unknown_beyond_a_window() -> None:
    assert kv_bytes_per_token_everywhere(3072.0, 0.0) == 3072
    assert kv_bytes_per_token_everywhere(18432.0, 1.0) == OUTGROWN


def test_kv_bytes_over_formula_is_measured_over_computed() -> None:
    assert kv_bytes_over_formula(3000.0, 2000.0) == 1.5


def test_no_plainer_formula_stands_in_where_requests_outgrow_the_window() -> None:
    assert here(600.0).value == 6144  # (512 + 2560) × 2
    assert here(599.0).value is None
    assert here(599.0).reason == OUTGROWN.reason
