"""How the positions of a cliff are meant, and what moves them."""

from __future__ import annotations

from typing import Final

from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.told.blocks import Facts, Paragraph
from generator.told.sentence import Sentence, say

TOLD: Final = (
    (
        say(zh="在途请求与槽位", en="Requests in flight and slots"),
        say(
            zh="并发是客户端保持在途的请求数；引擎同时计算的不会比槽位多。槽位先用尽时，排队是调度的结果，KV 池可能还空着一大半。",
            en="The concurrency is what the client keeps in flight; the engine computes no more of them than it has slots. Where slots run "
            "out first, waiting is the scheduler's doing, and much of the KV pool may be empty.",
        ),
    ),
    (
        say(zh="抢占还是排队", en="Preemption or queueing"),
        say(
            zh="vLLM 按需分配：接下的请求写到一半没有位置了，就逐出最晚来的一条，以后重算。为输入加最大输出一次留足的引擎只会让请求排队。llama.cpp 的槽位各有一份上下文时也只排队；共用一个池（--kv-unified）而装不下时，在途的请求会一起失败。",
            en="vLLM gives out KV as requests grow: when none is left, the youngest is evicted and recomputed later. An "
            "engine that keeps room for input and largest output at once only lets requests wait. So does llama.cpp where each slot "
            "has a context of its own; with one shared pool (--kv-unified) that is full, all requests in flight fail together.",
        ),
    ),
    (
        say(zh="上下文太短的槽位", en="Slots with too short a context"),
        say(
            zh="一条请求比一个槽位的上下文长时，会被拒绝或截断，这与并发无关：截断的请求更短，吞吐反而好看。",
            en="A request that is longer than the context of a slot is refused or cut short, at any concurrency; what is cut is shorter, and "
            "makes throughput look good.",
        ),
    ),
    (
        say(zh="池的 token 数", en="Tokens of the pool"),
        say(
            zh="有滑动窗口或混合层的模型，“池能装多少 token”取决于序列有多长：引擎打印的数是按最大上下文折算的，较短的请求能同时装下的要多些或少些。",
            en="For models with sliding windows or layers of several kinds, how many tokens fit depends on how long sequences are. What the "
            "engine prints is for its largest context; of shorter requests more or fewer fit.",
        ),
    ),
    (
        say(zh="prompt cache", en="Prompt cache"),
        say(
            zh="相同的前缀只占一份块，悬崖随之推后；缓存里没人用的块在需要时会被收回，不算占用。",
            en="Equal prefixes take their blocks once, which moves the cliff up; cached blocks that nobody uses are taken back when needed, "
            "and do not count as pool use.",
        ),
    ),
    (
        say(zh="饱和不是悬崖", en="Saturation is not a cliff"),
        say(
            zh="带宽或算力到顶时吞吐也不再上升，但没有请求排队或让出位置。引擎自报的量分得开这两样，单看客户端的时延分不开。",
            en="Throughput no longer rises at the limit of bandwidth or compute either, with no request waiting or giving up its place. What the engine "
            "says of itself tells the two apart; latencies seen by a client alone do not.",
        ),
    ),
)  # fmt: skip


@section()
def cliff_traps(_: Analysis) -> Chapter:
    """Define the quantities of the page and name what moves them."""
    return Chapter(say(zh="定义与陷阱", en="Definitions and traps"), (Paragraph(_intro()), Facts(TOLD)))


def _intro() -> Sentence:
    return say(
        zh="预测与实测按以下口径；碰到其中一种情形，两者本来就不在一处。",
        en="Prediction and observation are defined as follows; where one of these cases applies, they cannot be expected to coincide.",
    )
