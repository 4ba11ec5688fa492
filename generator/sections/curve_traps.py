"""How the numbers of the curve are meant, and what makes a curve mean something else."""

from __future__ import annotations

from typing import Final

from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.told.blocks import Facts, Paragraph
from generator.told.sentence import say

TOLD: Final = (
    (
        say(zh="闭环与开环", en="Closed loop and open loop"),
        say(
            zh="闭环里一条结束才发下一条，引擎慢下来，客户端就跟着少发：队列不会无限长，时延有上限。开环按到达率发，跟不上就越积越长。同一个引擎，两条曲线的横轴不能互换。",
            en="In a closed loop the next request is sent as one ends: a slow engine is sent less, so the queue stays bounded, and the "
            "latency with it. In an open loop requests come at a rate, and what is not served piles up. The two cannot share an axis.",
        ),
    ),
    (
        say(zh="协同遗漏（coordinated omission）", en="Coordinated omission"),
        say(
            zh="闭环客户端在引擎停顿时停止发送，停顿期间本该到达的请求没有被量到，p99 因此偏低。要问真实用户等多久，用开环，且从计划的发送时刻起算。",
            en="While an engine stalls, a closed loop sends nothing: the requests that would have come meanwhile are not measured, and "
            "the p99 is too low. To ask how long users wait, use an open loop and count from the time a request was due.",
        ),
    ),
    (
        say(zh="在途数与批大小", en="In flight and in the batch"),
        say(
            zh="客户端的并发不等于引擎同时计算的条数：排队的、正在 prefill 的、刚回完还没有接上的，都算在途。两者分开时以引擎自报的为准。",
            en="What the client keeps in flight is not what the engine computes together: queued requests, those in prefill and gaps "
            "between two requests are in it. Where they part, go by what the engine says.",
        ),
    ),
    (
        say(zh="请求太少的 p99", en="The p99 of few requests"),
        say(
            zh="请求不到几百条时，p99 就是最慢的一两条；并发越高，每一档需要的请求越多。首批请求同时到达空的引擎，收尾时并发下降，都不是稳态。",
            en="With fewer than some hundreds of requests the p99 is one or two of them, and the higher the concurrency, the more are "
            "needed. The first ones meet an empty engine all at once and the last ones run at falling load: neither is steady.",
        ),
    ),
    (
        say(zh="预热", en="Warm-up"),
        say(
            zh="刚启动的引擎还要编译 kernel、捕获 CUDA graph：没有预热的第一档吃下全部代价，扩展效率因为分母偏低而偏高。",
            en="An engine just started still compiles kernels and captures CUDA graphs. Without warm-up the lowest level pays for that, "
            "and the scaling efficiency of the others looks too good.",
        ),
    ),
    (
        say(zh="饱和点不是能用的负载", en="Do not run at the knee"),
        say(
            zh="饱和点只说明再往上加并发没有收益。到达有起伏的服务要留余量：到达率越接近能力，排队的时间涨得越快。",
            en="The knee only says where more load stops paying. Where arrivals vary, leave room: the closer their rate is to what is "
            "served, the faster the queue grows.",
        ),
    ),
)  # fmt: skip


@section()
def curve_traps(_: Analysis) -> Chapter:
    """Name what bends a concurrency curve."""
    intro = say(
        zh="读并发曲线之前，先看它是怎么测的。",
        en="Before reading a concurrency curve, check how it was measured.",
    )
    return Chapter(say(zh="定义与陷阱", en="Definitions and traps"), (Paragraph(intro), Facts(TOLD)))
