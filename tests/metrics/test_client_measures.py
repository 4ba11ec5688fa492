from __future__ import annotations

import pytest

from generator.places import column
from tests.support.memory_round import read_typed


@pytest.mark.parametrize(
    ("key", "name", "unit", "typed", "held"),
    [
        ("client_cpu_share", "client_cpu_share", "ratio", 0.38, 0.38),
        ("client_processes", "client_processes", "1", 4, 4),
        ("client_cpu_total", "client_cpu_total", "ratio", 1.9, 1.9),
        ("client_schedule_lag_p99", "client_schedule_lag_p99_ms", "ms", 0.25, 0.00025),
        ("client_schedule_lag_mean", "client_schedule_lag_mean_ms", "ms", 12.5, 0.0125),
        ("client_loop_lag_p99", "client_loop_lag_p99_ms", "ms", 4.2, 0.0042),
        ("client_kernel_stamps", "client_kernel_stamps", "ratio", 1, 1),
        ("client_chunks_per_read", "client_chunks_per_read", "1", 1.02, 1.02),
        ("client_retries", "client_retries", "1", 3, 3),
        ("server_prompt_tokens", "server_prompt_tokens", "tok", 704, 704),
        ("server_output_tokens", "server_output_tokens", "tok", 352, 352),
    ],
)
def test_observed_in_its_column(key: str, name: str, unit: str, typed: float, held: float) -> None:
    in_base, as_reported = read_typed(key, column(name, unit), typed)

    assert in_base == pytest.approx(held)
    assert as_reported == typed
