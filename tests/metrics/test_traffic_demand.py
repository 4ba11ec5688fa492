from __future__ import annotations

from generator.metrics import traffic_demand


def test_traffic_concurrency_is_littles_law() -> None:
    assert traffic_demand.traffic_concurrency(2.0, 3.5) == 7.0


def test_traffic_concurrency_peak_takes_the_fullest_window() -> None:
    assert traffic_demand.traffic_concurrency_peak(8.0, 3.5) == 28.0


def test_traffic_output_rate() -> None:
    assert traffic_demand.traffic_output_rate(2.0, 150.0) == 300.0


def test_traffic_output_rate_peak() -> None:
    assert traffic_demand.traffic_output_rate_peak(8.0, 150.0) == 1200.0


def test_traffic_total_rate_counts_input_and_output() -> None:
    # 2 × (850 + 150)
    assert traffic_demand.traffic_total_rate(2.0, 850.0, 150.0) == 2000.0


def test_traffic_total_rate_peak() -> None:
    assert traffic_demand.traffic_total_rate_peak(8.0, 850.0, 150.0) == 8000.0


def test_traffic_use_is_what_is_asked_over_what_the_level_produces() -> None:
    assert traffic_demand.traffic_use(300.0, 400.0) == 0.75


def test_traffic_use_total() -> None:
    assert traffic_demand.traffic_use_total(2000.0, 1600.0) == 1.25


def test_traffic_use_peak() -> None:
    assert traffic_demand.traffic_use_peak(1200.0, 400.0) == 3.0


def test_traffic_use_total_peak() -> None:
    assert traffic_demand.traffic_use_total_peak(8000.0, 1600.0) == 5.0


def test_traffic_in_flight_is_littles_law_at_the_latency_of_the_level() -> None:
    assert traffic_demand.traffic_in_flight(2.0, 5.0) == 10.0


def test_traffic_in_flight_by_median_where_there_is_no_mean() -> None:
    assert traffic_demand.traffic_in_flight.derivations[1].compute(2.0, 4.0) == 8.0
