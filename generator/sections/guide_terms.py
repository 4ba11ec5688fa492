"""What the words of the selection guide mean, and what makes a choice go wrong."""

from __future__ import annotations

from typing import Final

from generator.comparing.records import DEFAULT_MARGIN
from generator.deciding.bounds import CHANCE
from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.text import same
from generator.told.blocks import Facts, Paragraph
from generator.told.sentence import Sentence, say

TOLD: Final = (
    (
        say(zh="领先与把握", en="Lead and certainty"),
        say(
            zh="同一档位上两边都可用时，数值较好的一方领先；倍数是较大的 ÷ 较小的。“可靠”：双方各有几次测量，范围不重叠，而且纯属偶然的机会不到 {chance}。只有一次测量，最多是“倾向”。相差不到 {close}（[round] margin 可改），就不据此选择。",
            en="At a level usable on both sides the one with the better number leads; the factor is the larger ÷ the smaller. “Firm”: several trials of both whose ranges "
            "do not overlap, and a probability below {chance} that chance alone explains it. A single trial is “leaning” at most. Less than {close} apart (margin of [round] changes it), "
            "nothing is chosen by it.",
            chance=same(f"{CHANCE:.0%}"),
            close=same(f"{DEFAULT_MARGIN:.0%}"),
        ),
    ),
    (
        say(zh="交叉点与外推", en="Crossovers and extrapolation"),
        say(
            zh="交叉点在相邻两个可用档位之间按 log–log 直线插值，是估计，不是测量。测过的最低与最高档位以外没有数据，本页不对那里下结论。",
            en="A crossover is interpolated on log–log axes between two neighbouring usable levels: an estimate, not a measurement. Beyond the lowest and the highest "
            "level there are no data, and no claim is made beyond them.",
        ),
    ),
    (
        say(zh="冷启动 × 吞吐", en="Cold start × throughput"),
        say(
            zh="这个乘积是启动期间本可以产出的 token：如果一次运行只产出这么多 token，启动就占了一半时间。它不是两个引擎之间的盈亏平衡；那要看两边的启动之差与每 token 时间之差，慢启动的一方吞吐更高时才存在。",
            en="The product is what could have been produced during the start: once that much is served, the start is half of the time. It is not a break-even between two "
            "engines, which takes the difference of their starts and of their times per token, and exists only where the slower to start is the faster to serve.",
        ),
    ),
    (
        say(zh="持续吞吐", en="Sustained throughput"),
        say(
            zh="本页的吞吐是输出 token；输入加输出的合计另有一个数，长输入时大得多。拿一个的门槛去比另一个的需求，会差好几倍。",
            en="Throughput here is of output tokens; input and output together are another number, far larger for long prompts. A threshold in one compared with a demand in "
            "the other is off by several times.",
        ),
    ),
    (
        say(zh="只看均值", en="Means alone"),
        say(
            zh="均值把排队的长尾摊平了。TTFT 的 p50 与 p99 可以由不同的引擎领先：看哪一个，取决于慢的那几条请求要不要紧。",
            en="A mean hides the tail that queueing makes. Different engines may lead in the p50 and in the p99 of TTFT: which counts depends on whether the slowest few "
            "requests matter.",
        ),
    ),
    (
        say(zh="精度不同", en="Unlike precision"),
        say(
            zh="量化后的权重每步读得少，回答也可能不同。没有同精度的对照，领先的是“引擎加精度”，换引擎时回答的质量要另测。",
            en="Quantised weights are fewer bytes to read in each step, and may answer otherwise. Without a control at one precision, what leads is engine plus precision, and "
            "the quality of answers must be tested separately.",
        ),
    ),
    (
        say(zh="开环与闭环", en="Open and closed loop"),
        say(
            zh="固定并发（闭环）时，引擎慢了请求也来得慢；固定到达率（开环）时队列会积起来。两种负载下的 TTFT 不可互换，真实流量多半是开环。",
            en="At a fixed concurrency (closed loop) a slower engine gets requests more slowly; at a fixed rate (open loop) a queue builds up. TTFTs of the two are not "
            "interchangeable, and real traffic is mostly an open loop.",
        ),
    ),
    (
        say(zh="首条请求混入稳态", en="First requests among the others"),
        say(
            zh="冷的首条请求、预热后的稳态、长时间运行之后，是三种状态。混在一起，慢的那几条就成了引擎的“长尾”。",
            en="The first request of a cold server, the warmed-up state and that after a long time are three things. Mixed, the slow first ones become a “tail” of the "
            "engine.",
        ),
    ),
    (
        say(zh="装得下不等于跑得快", en="Fitting is not the same as running fast"),
        say(
            zh="装得下的请求数只数到显存为止；引擎的槽位、带宽与算力往往先到头。",
            en="How many requests fit is a matter of memory alone; slots, bandwidth and compute often end before it.",
        ),
    ),
)  # fmt: skip


@section()
def guide_terms(_: Analysis) -> Chapter:
    """Define the words of the page and name what bends a choice."""
    return Chapter(say(zh="定义与陷阱", en="Definitions and traps"), (Paragraph(_intro()), Facts(TOLD)))


def _intro() -> Sentence:
    return say(
        zh="本页的用语按以下口径；碰到其中一种情形，结论就不成立。",
        en="The words of this page are defined as follows; where one of these cases applies, its conclusions do not hold.",
    )
