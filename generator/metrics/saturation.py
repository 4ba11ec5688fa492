"""Saturation: the load beyond which more requests in flight wait longer and get hardly more out of the engine."""

from __future__ import annotations

from typing import Final

import numpy as np

from generator.kinds import Column, Picked, Unknown, metric
from generator.numeric.statistics import count_between
from generator.runs.requests import NOTHING_STEADY
from generator.text import Text
from generator.themes import SATURATION

THEME: Final = SATURATION

FLAT: Final = 0.05
"""Growth of throughput for a doubling of the concurrency, below which the engine is full."""
FEWEST: Final = 2
"""Levels that a step of the curve needs."""
DOUBLING: Final = 2
"""How far above a knee the levels must reach: over less, growth cannot be told from the noise of two runs."""
SLACK: Final = 0.05
"""Share of a rate that may stay unanswered while it is still called served."""
DEVIATIONS: Final = 2
"""Arrivals drawn at random vary by their square root: by more of it than this hardly ever."""
FEWEST_DUE: Final = 20
"""Requests due at a rate below which nothing can be said of it."""
TOO_FEW: Final = Unknown(
    Text(zh="可用的闭环档位不足两个，或者吞吐为零", en="fewer than two usable levels of a closed loop deliver anything")
)
SAME_LOAD: Final = Unknown(Text(zh="有几个档位的并发相同", en="several levels have the same concurrency"))
STILL_GROWS: Final = Unknown(
    Text(
        zh="到有回答的最高档位，吞吐仍在随并发增长",
        en="throughput still grows with the concurrency at the highest level with any answers",
    )
)
ENDS_TOO_SOON: Final = Unknown(
    Text(
        zh="吞吐不再增长的那一档之上，没有并发至少翻一番的档位来证实",
        en="above the level at which throughput stops growing there is none of twice the concurrency to confirm it",
    )
)
TOO_FEW_DUE: Final = Unknown(
    Text(
        zh="没有哪个到达率下应答的请求多到可以判断",
        en="at no rate were enough requests due to tell whether they were served",
    )
)
NONE_SERVED: Final = Unknown(Text(zh="最低的到达率也没有跟上", en="not even the lowest rate was served"))
ALL_SERVED: Final = Unknown(Text(zh="最高的到达率仍然跟得上", en="the highest rate is still served"))
SAME_RATE: Final = Unknown(Text(zh="有几个档位的到达率相同", en="several levels have the same rate"))


def knee(kept_in_flight: Column, throughput: Column, latency: Column) -> Picked | Unknown:
    """Return the lowest concurrency above which no level delivers more for its load; it rests on the whole curve.

    Each level above is compared with the knee itself, not against its neighbour: a dip between two levels, or a step of
    less than a doubling, is no growth. Levels under a rate, where none are kept in flight, are no points of the curve.
    """
    rows = np.flatnonzero((kept_in_flight > 0) & (throughput > 0))
    if len(rows) < FEWEST:
        return TOO_FEW
    loads = kept_in_flight[rows]
    if (np.diff(loads) <= 0).any():
        return SAME_LOAD
    begins = next(
        (i for i in range(len(rows) - 1) if _is_flat(loads[i:], throughput[rows[i:]], latency[rows[i:]])), None
    )
    if begins is None:
        return STILL_GROWS
    if loads[-1] < DOUBLING * loads[begins]:
        return ENDS_TOO_SOON
    return Picked(float(loads[begins]), rows=tuple(int(row) for row in rows))


def _is_flat(loads: Column, throughput: Column, latency: Column) -> bool:
    """Say whether all levels above the first gain less than FLAT a doubling, over one doubling at least, and wait longer."""
    doublings = np.maximum(np.log2(loads[1:] / loads[0]), 1)
    gains = throughput[1:] / throughput[0]
    return bool(((gains < (1 + FLAT) ** doublings) & (latency[1:] > latency[0])).all())


@metric(
    "knee(kept_in_flight, output_throughput, e2el_p50)",
    scope="series",
    over="ladder",
    unit="1",
    symbol="C_knee",
    title=Text(zh="饱和点", en="saturation knee"),
    meaning=Text(
        zh="再往上的每一档，并发每翻一番吞吐比它只多不到 {flat}，而 E2EL 更长：多出来的请求只是在等。之上须有并发至少翻一番的档位。",
        en="The lowest concurrency above which every level gains less than {flat} of its throughput for a doubling of the "
        "concurrency, and has a longer E2EL: further requests only wait. The levels must reach twice its concurrency.",
    ).format(flat=f"{FLAT:.0%}"),
)
def knee_concurrency(kept_in_flight: Column, output_throughput: Column, e2el_p50: Column) -> Picked | Unknown:
    """Return the knee by the median E2EL."""
    return knee(kept_in_flight, output_throughput, e2el_p50)


@knee_concurrency.otherwise("knee(kept_in_flight, output_throughput, e2el_mean)")
def knee_concurrency_by_mean(kept_in_flight: Column, output_throughput: Column, e2el_mean: Column) -> Picked | Unknown:
    """Return the knee by the mean E2EL, where there is no median."""
    return knee(kept_in_flight, output_throughput, e2el_mean)


@metric(
    "count_between(answer_end, steady_start, steady_end) ÷ (rate × (steady_end − steady_start))",
    scope="level",
    unit="ratio",
    symbol="ρ_served",
    better="higher",
    style="percent",
    title=Text(zh="跟上到达率的份额", en="share of the rate that was served"),
    meaning=Text(
        zh="一边发送一边得到的回答 ÷ 同一段时间里到达的请求；少掉的部分进了队列。没有逐条请求时，从总耗时里减去最后一批的时延（E2EL p50）。",
        en="Answers that came while sending went on ÷ requests due in that time: what is missing went into a queue. Without "
        "single requests, the duration less the latency of the last ones (the E2EL p50) stands for that time.",
    ),
)
def served_share(answer_end: Column, steady_start: float, steady_end: float, rate: float) -> float | Unknown:
    """Return answers ÷ requests due in the steady part: a queue grows by just what is missing from one."""
    if steady_end <= steady_start:
        return Unknown(NOTHING_STEADY)
    return count_between(answer_end, steady_start, steady_end) / (rate * (steady_end - steady_start))


@served_share.otherwise("completed ÷ (rate × (duration − e2el_p50))")
def served_share_of_table(completed: float, rate: float, duration: float, e2el_p50: float) -> float | Unknown:
    """Return completed ÷ due, without the time in which the last requests were answered."""
    sending = duration - e2el_p50
    return completed / (rate * sending) if sending > 0 else Unknown(NOTHING_STEADY)


@metric(
    "rate × (steady_end − steady_start)",
    scope="level",
    unit="1",
    symbol="N_due",
    title=Text(zh="应到的请求数", en="requests due"),
    meaning=Text(
        zh="到达率 × 判断是否跟得上的那段时间；没有逐条请求时是发出的请求数。",
        en="Rate × the time over which it is judged; without single requests, the requests sent.",
    ),
)
def requests_due(rate: float, steady_start: float, steady_end: float) -> float | Unknown:
    """Return the requests that were to arrive in the steady part."""
    return rate * (steady_end - steady_start) if steady_end > steady_start else Unknown(NOTHING_STEADY)


@requests_due.otherwise("requests + 0 × rate")
def requests_due_of_table(rate: float, requests: float) -> float:
    """Return the requests that were sent at a rate."""
    return requests + 0 * rate


@metric(
    "highest_served(rate, served_share, requests_due)",
    scope="series",
    over="ladder",
    unit="req/s",
    symbol="λ_knee",
    better="higher",
    title=Text(zh="跟得上的最高到达率", en="highest rate that is served"),
    meaning=Text(
        zh="它和更低的到达率都跟得上，下一档就跟不上：应到的请求有 {slack} 以上没有在发送期间得到回答（已扣去随机到达的波动，应到数的平方根的 {times} 倍）。",
        en="It and all lower ones are served, the next is not: more than {slack} of the requests due were not answered while "
        "sending went on, beyond the scatter of random arrivals ({times} times the square root of those due).",
    ).format(slack=f"{SLACK:.0%}", times=f"{DEVIATIONS}"),
)
def knee_rate(rate: Column, served_share: Column, requests_due: Column) -> Picked | Unknown:
    """Return the highest rate of those below the first that is not served, in requests a second."""
    rows = np.flatnonzero(requests_due >= FEWEST_DUE)
    if not len(rows):
        return TOO_FEW_DUE
    if (np.diff(rate[rows]) <= 0).any():
        return SAME_RATE
    least = 1 - SLACK - DEVIATIONS / np.sqrt(requests_due[rows])
    missed = np.flatnonzero(served_share[rows] < least)
    if not len(missed):
        return ALL_SERVED
    first = int(missed[0])
    if first == 0:
        return NONE_SERVED
    return Picked(float(rate[rows[first - 1]]), rows=tuple(int(row) for row in rows[: first + 1]))
