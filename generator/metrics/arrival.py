"""The arrival rate that was asked for, against what came of it and what a limit on concurrency allows."""

from __future__ import annotations

from typing import Final

from generator.kinds import metric, observed
from generator.places import column, record
from generator.text import Text
from generator.themes import LOAD

THEME: Final = LOAD

burstiness = observed(
    "burstiness",
    scope="level",
    unit="1",
    symbol="k",
    places=[record("level.json", "summary.burstiness", "1"), column("burstiness", "1")],
    title=Text(zh="突发程度", en="burstiness"),
    meaning=Text(
        zh="到达间隔的 gamma 分布的形状参数：1 是泊松到达，更小则成簇，更大则更均匀；没有到达率时不起作用。",
        en="Shape of the gamma distribution of the gaps between arrivals: 1 is Poisson, below it they come in bursts, above it "
        "more evenly. Without a rate it has no effect.",
    ),
)


@metric(
    "request_throughput ÷ rate",
    scope="level",
    unit="ratio",
    symbol="X_req ÷ λ",
    better="higher",
    style="percent",
    title=Text(zh="实际到达率占要求的比例", en="share of the arrival rate reached"),
    meaning=Text(zh="请求吞吐 ÷ 要求的到达率。", en="Request throughput ÷ the requested arrival rate."),
)
def rate_share(request_throughput: float, rate: float) -> float:
    """Return achieved ÷ asked."""
    return request_throughput / rate


@metric(
    "concurrency ÷ e2el_mean",
    scope="level",
    unit="req/s",
    symbol="λ_max",
    title=Text(zh="并发上限容得下的到达率", en="highest rate that the limit on concurrency allows"),
    meaning=Text(
        zh="并发 ÷ E2EL 均值（Little 定律）：槽位全满时，每秒能发出的请求数。",
        en="Concurrency ÷ mean E2EL (Little's law): what can be sent each second with every place taken.",
    ),
)
def rate_allowed(concurrency: float, e2el_mean: float) -> float:
    """Return the rate at which a closed loop sends (Little 1961), in requests a second."""
    return concurrency / e2el_mean
