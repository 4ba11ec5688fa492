from __future__ import annotations

import pytest

from generator.declared.profiles import PROFILE_FILE
from generator.metrics import traffic
from generator.places import record
from tests.support.memory_round import read_typed

PLACES = [
    ("traffic_input_mean", "input.mean", "tok"), ("traffic_input_p5", "input.p5", "tok"),
    ("traffic_input_p25", "input.p25", "tok"), ("traffic_input_p50", "input.p50", "tok"),
    ("traffic_input_p75", "input.p75", "tok"), ("traffic_input_p90", "input.p90", "tok"),
    ("traffic_input_p95", "input.p95", "tok"), ("traffic_input_p99", "input.p99", "tok"),
    ("traffic_input_max", "input.max", "tok"), ("traffic_output_mean", "output.mean", "tok"),
    ("traffic_output_p5", "output.p5", "tok"), ("traffic_output_p25", "output.p25", "tok"),
    ("traffic_output_p50", "output.p50", "tok"), ("traffic_output_p75", "output.p75", "tok"),
    ("traffic_output_p90", "output.p90", "tok"), ("traffic_output_p95", "output.p95", "tok"),
    ("traffic_output_p99", "output.p99", "tok"), ("traffic_output_max", "output.max", "tok"),
    ("traffic_requests", "requests", "1"), ("traffic_unanswered", "unanswered", "1"), ("traffic_bad", "bad", "1"),
    ("traffic_span", "arrivals.span_s", "s"), ("traffic_rate", "arrivals.rate", "req/s"),
    ("traffic_window", "arrivals.window.width_s", "s"), ("traffic_window_mean", "arrivals.window.mean", "req/s"),
    ("traffic_window_peak", "arrivals.window.peak", "req/s"),
    ("traffic_dispersion", "arrivals.window.dispersion", "ratio"), ("traffic_gap_mean", "arrivals.gap_mean_s", "s"),
    ("traffic_gap_cv", "arrivals.gap_cv", "ratio"), ("traffic_output_share", "output_share", "ratio"),
    ("traffic_correlation", "correlation", "ratio"), ("traffic_correlation_log", "correlation_log", "ratio"),
    ("traffic_characters_p50", "input_characters.p50", "1"), ("traffic_characters_p95", "input_characters.p95", "1"),
    ("traffic_duration_mean", "service.mean_s", "s"), ("traffic_duration_p50", "service.p50_s", "s"),
    ("traffic_duration_p95", "service.p95_s", "s"), ("traffic_in_flight_most", "service.in_flight_most", "1"),
    ("traffic_input_mu", "input_fit.mu", "ratio"), ("traffic_input_sigma", "input_fit.sigma", "ratio"),
    ("traffic_input_ks", "input_fit.ks", "ratio"), ("traffic_output_mu", "output_fit.mu", "ratio"),
    ("traffic_output_sigma", "output_fit.sigma", "ratio"), ("traffic_output_ks", "output_fit.ks", "ratio"),
    ("traffic_gap_poisson_ks", "gap_fit.poisson_ks", "ratio"), ("traffic_gap_shape", "gap_fit.shape", "ratio"),
    ("traffic_gap_gamma_ks", "gap_fit.gamma_ks", "ratio"),
    ("traffic_burstiness_w1", "arrivals.windows.w1.peak_over_mean", "ratio"),
    ("traffic_burstiness_w10", "arrivals.windows.w10.peak_over_mean", "ratio"),
    ("traffic_burstiness_w60", "arrivals.windows.w60.peak_over_mean", "ratio"),
    ("traffic_burstiness_w600", "arrivals.windows.w600.peak_over_mean", "ratio"),
    ("traffic_burstiness_w3600", "arrivals.windows.w3600.peak_over_mean", "ratio"),
    ("traffic_dispersion_w1", "arrivals.windows.w1.dispersion", "ratio"),
    ("traffic_dispersion_w10", "arrivals.windows.w10.dispersion", "ratio"),
    ("traffic_dispersion_w60", "arrivals.windows.w60.dispersion", "ratio"),
    ("traffic_dispersion_w600", "arrivals.windows.w600.dispersion", "ratio"),
    ("traffic_dispersion_w3600", "arrivals.windows.w3600.dispersion", "ratio"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "place", "unit"), PLACES)
def test_observed_numbers_of_the_profile(key: str, place: str, unit: str) -> None:
    assert read_typed(key, record(PROFILE_FILE, place, unit), 1.5) == (1.5, 1.5)


def test_traffic_burstiness_is_the_fullest_window_over_the_mean() -> None:
    assert traffic.traffic_burstiness(12.0, 3.0) == 4.0
