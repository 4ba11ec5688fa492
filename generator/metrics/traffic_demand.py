"""What the load of users asks of an engine: requests under way, tokens a second, and what that is of each level."""

from __future__ import annotations

from typing import Final

from generator.kinds import metric
from generator.text import Text
from generator.themes import TRAFFIC

THEME: Final = TRAFFIC


@metric(
    "traffic_rate × traffic_duration_mean",
    scope="round",
    unit="1",
    symbol="N_traffic",
    title=Text(zh="平均并发（Little 定律）", en="concurrency by Little's law"),
    meaning=Text(
        zh="到达率 × 平均时长：平均有多少条请求同时在途。",
        en="Arrival rate × mean time of a request: how many are under way at once on average.",
    ),
)
def traffic_concurrency(traffic_rate: float, traffic_duration_mean: float) -> float:
    """Return λ × D."""
    return traffic_rate * traffic_duration_mean


@metric(
    "traffic_window_peak × traffic_duration_mean",
    scope="round",
    unit="1",
    symbol="N_peak",
    title=Text(zh="最满窗口的并发（Little 定律）", en="concurrency of the fullest window by Little's law"),
    meaning=Text(
        zh="假定高峰时请求的时长不变；实际往往更长。",
        en="As if requests took no longer at the peak, where they usually do.",
    ),
)
def traffic_concurrency_peak(traffic_window_peak: float, traffic_duration_mean: float) -> float:
    """Return the peak of λ × D."""
    return traffic_window_peak * traffic_duration_mean


@metric(
    "traffic_rate × traffic_output_mean",
    scope="round",
    unit="tok/s",
    symbol="X_traffic",
    title=Text(zh="负载所需的输出吞吐", en="output throughput that the load asks for"),
    meaning=Text(zh="平均到达率 × 平均输出长度。", en="Mean arrival rate × mean output length."),
)
def traffic_output_rate(traffic_rate: float, traffic_output_mean: float) -> float:
    """Return λ × mean output."""
    return traffic_rate * traffic_output_mean


@metric(
    "traffic_window_peak × traffic_output_mean",
    scope="round",
    unit="tok/s",
    symbol="X_peak",
    title=Text(zh="最满窗口所需的输出吞吐", en="output throughput that the fullest window asks for"),
    meaning=Text(zh="最满窗口的到达率 × 平均输出长度。", en="Arrival rate of the fullest window × mean output length."),
)
def traffic_output_rate_peak(traffic_window_peak: float, traffic_output_mean: float) -> float:
    """Return the peak of λ × mean output."""
    return traffic_window_peak * traffic_output_mean


@metric(
    "traffic_rate × (traffic_input_mean + traffic_output_mean)",
    scope="round",
    unit="tok/s",
    symbol="X_all",
    title=Text(zh="负载所需的总 token 吞吐", en="throughput of all tokens that the load asks for"),
    meaning=Text(
        zh="平均到达率 × 平均（输入 + 输出）长度。", en="Mean arrival rate × mean length of input and output."
    ),
)
def traffic_total_rate(traffic_rate: float, traffic_input_mean: float, traffic_output_mean: float) -> float:
    """Return λ × mean of all tokens."""
    return traffic_rate * (traffic_input_mean + traffic_output_mean)


@metric(
    "traffic_window_peak × (traffic_input_mean + traffic_output_mean)",
    scope="round",
    unit="tok/s",
    symbol="X_all,peak",
    title=Text(zh="最满窗口所需的总 token 吞吐", en="throughput of all tokens that the fullest window asks for"),
    meaning=Text(
        zh="最满窗口的到达率 × 平均（输入 + 输出）长度。",
        en="Arrival rate of the fullest window × mean length of input and output.",
    ),
)
def traffic_total_rate_peak(traffic_window_peak: float, traffic_input_mean: float, traffic_output_mean: float) -> float:
    """Return the peak of λ × mean of all tokens."""
    return traffic_window_peak * (traffic_input_mean + traffic_output_mean)


@metric(
    "traffic_output_rate ÷ output_throughput",
    scope="level",
    unit="ratio",
    symbol="ρ_out",
    style="percent",
    title=Text(zh="平均负载占该档输出吞吐的比例", en="share of the level's output throughput that the load asks for"),
    meaning=Text(
        zh="超过 100% 时，这一档的吞吐不够平均负载用。",
        en="Above 100%, the level does not produce what the load asks for on average.",
    ),
)
def traffic_use(traffic_output_rate: float, output_throughput: float) -> float:
    """Return asked ÷ produced output tokens a second."""
    return traffic_output_rate / output_throughput


@metric(
    "traffic_total_rate ÷ total_token_throughput",
    scope="level",
    unit="ratio",
    symbol="ρ_all",
    style="percent",
    title=Text(
        zh="平均负载占该档总 token 吞吐的比例",
        en="share of the level's throughput of all tokens that the load asks for",
    ),
    meaning=Text(
        zh="超过 100% 时，这一档的吞吐不够平均负载用。",
        en="Above 100%, the level does not produce what the load asks for on average.",
    ),
)
def traffic_use_total(traffic_total_rate: float, total_token_throughput: float) -> float:
    """Return asked ÷ processed tokens a second."""
    return traffic_total_rate / total_token_throughput


@metric(
    "traffic_output_rate_peak ÷ output_throughput",
    scope="level",
    unit="ratio",
    symbol="ρ_out,peak",
    style="percent",
    title=Text(
        zh="最满窗口占该档输出吞吐的比例", en="share of the level's output throughput that the fullest window asks for"
    ),
    meaning=Text(
        zh="超过 100% 时，最满的窗口会排队。",
        en="Above 100%, requests of the fullest window queue.",
    ),
)
def traffic_use_peak(traffic_output_rate_peak: float, output_throughput: float) -> float:
    """Return asked at the peak ÷ produced output tokens a second."""
    return traffic_output_rate_peak / output_throughput


@metric(
    "traffic_total_rate_peak ÷ total_token_throughput",
    scope="level",
    unit="ratio",
    symbol="ρ_all,peak",
    style="percent",
    title=Text(
        zh="最满窗口占该档总 token 吞吐的比例",
        en="share of the level's throughput of all tokens that the fullest window asks for",
    ),
    meaning=Text(
        zh="超过 100% 时，最满的窗口会排队。",
        en="Above 100%, requests of the fullest window queue.",
    ),
)
def traffic_use_total_peak(traffic_total_rate_peak: float, total_token_throughput: float) -> float:
    """Return asked at the peak ÷ processed tokens a second."""
    return traffic_total_rate_peak / total_token_throughput


@metric(
    "traffic_rate × e2el_mean",
    scope="level",
    unit="1",
    symbol="N_level",
    title=Text(zh="按该档时延的并发", en="concurrency at the latency of the level"),
    meaning=Text(
        zh="假如每条请求都和这一档一样久，负载平均会有多少条在途（Little 定律）。",
        en="How many requests of the load would be under way if each took as long as at this level (Little's law).",
    ),
)
def traffic_in_flight(traffic_rate: float, e2el_mean: float) -> float:
    """Return λ × mean E2EL of the level."""
    return traffic_rate * e2el_mean


@traffic_in_flight.otherwise("traffic_rate × e2el_p50")
def traffic_in_flight_by_median(traffic_rate: float, e2el_p50: float) -> float:
    """Return λ × median E2EL, where the mean is not known."""
    return traffic_rate * e2el_p50
