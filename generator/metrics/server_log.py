"""What the server's log says of the requests: how many it took up, to be compared with those that were sent."""

from __future__ import annotations

from typing import Final

from generator.kinds import Column, metric, observed
from generator.places import column, log
from generator.text import Text
from generator.themes import SERVER

THEME: Final = SERVER

MEANING = Text(
    zh="服务端日志里受理请求的行数；若服务端同时受理了预热请求，也在其中。",
    en="Lines of the server's log that tell of a request accepted; warm-up requests that it served are among them.",
)

logged_requests = observed(
    "logged_requests",
    scope="level",
    unit="1",
    symbol="N_log",
    digits=9,
    places=[column("log_launches", "1"), log("launches", "1")],
    title=Text(zh="服务端日志里的请求数", en="requests in the server's log"),
    meaning=MEANING,
)
logged_requests_of_series = observed(
    "logged_requests_of_series",
    scope="series",
    unit="1",
    symbol="ΣN_log",
    over="trials",
    digits=9,
    places=[log("launches", "1", "series")],
    title=Text(zh="该系列的服务端日志里的请求数", en="requests in the server's log of the series"),
    meaning=MEANING,
)
logged_requests_of_round = observed(
    "logged_requests_of_round",
    scope="round",
    unit="1",
    symbol="ΣΣN_log",
    digits=9,
    places=[log("launches", "1", "round")],
    title=Text(zh="整轮的服务端日志里的请求数", en="requests in the server's log of the round"),
    meaning=MEANING,
)


@logged_requests_of_series.otherwise("sum(logged_requests)")
def logged_requests_of_levels(logged_requests: Column) -> float:
    """Add up what the logs of the runs say."""
    return float(logged_requests.sum())


@logged_requests_of_round.otherwise("sum(logged_requests_of_series)")
def logged_requests_of_all_series(logged_requests_of_series: Column) -> float:
    """Add up what the logs of the series say."""
    return float(logged_requests_of_series.sum())


@metric(
    "sum(requests_total)",
    scope="round",
    unit="1",
    symbol="ΣΣN",
    digits=9,
    title=Text(zh="整轮的请求数", en="requests attempted in the round"),
    meaning=Text(zh="全部系列、全部档位的请求数之和。", en="Requests over all levels of all series."),
)
def requests_of_round(requests_total: Column) -> float:
    """Add up the requests of all series."""
    return float(requests_total.sum())


@metric(
    "sum(failed_total)",
    scope="round",
    unit="1",
    symbol="ΣΣN_fail",
    better="lower",
    digits=9,
    title=Text(zh="整轮的失败数", en="requests failed in the round"),
    meaning=Text(zh="全部系列、全部档位的失败数之和。", en="Failed requests over all levels of all series."),
)
def failed_of_round(failed_total: Column) -> float:
    """Add up the failed requests of all series."""
    return float(failed_total.sum())


@metric(
    "failed_total ÷ requests_total",
    scope="series",
    unit="ratio",
    symbol="ΣN_fail ÷ ΣN",
    better="lower",
    style="percent",
    title=Text(zh="全部档位的失败率", en="failure ratio over all levels"),
    meaning=Text(
        zh="该系列全部档位的失败数之和 ÷ 请求数之和。",
        en="Failed requests ÷ requests sent, over all levels of the series.",
    ),
)
def failure_ratio_total(failed_total: float, requests_total: float) -> float:
    """Return failed ÷ attempted over all levels and trials."""
    return failed_total / requests_total
