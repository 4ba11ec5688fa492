"""How the numbers of the KV pool are meant, and what makes them mean something else."""

from __future__ import annotations

from typing import Final

from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.told.blocks import Heading, Paragraph, Row, Table
from generator.told.sentence import Sentence, say

TOLD: Final = (
    (
        say(zh="在途 token", en="Tokens in flight"),
        say(
            zh="客户端所知：已有首个 token、还没结束的请求，输入加已收到的输出；一次收到几个 token 的 chunk 按请求的输出总数折算。失败的请求不在其中，它们何时让出 KV 不得而知。",
            en="As the client knows them: of requests that had their first token and were not over, prompt and answer so far; chunks of "
            "several tokens count by the output of their request. Failed requests are left out: when they gave up their KV is not known.",
        ),
    ),
    (
        say(zh="只取哪些采样", en="Which samples count"),
        say(
            zh="有请求正在 prefill 时，池里已有它的一部分 KV，客户端却不知道是多少；有请求被抢占时，它的 KV 已被清掉，客户端却仍把它算作在途。这两种采样不参与拟合；还没开始处理、只在排队的请求则无妨。",
            en="While a prompt is being computed, part of its KV is in the pool already, and the client cannot know how much. Once a "
            "request is preempted its KV is gone, and the client still counts it as in flight. Both kinds of samples are left out of "
            "the line; requests that have not been admitted and only wait do no harm.",
        ),
    ),
    (
        say(zh="占用是谁说的", en="Who says how full the pool is"),
        say(
            zh="vLLM 与 SGLang 报告池占用的份额；llama.cpp 新版本已没有这个量，改用 /slots 里各槽位的 token 数 ÷ 池的 token 数，它只核对计数，不核对内存。",
            en="vLLM and SGLang give the share of the pool in use. Newer llama.cpp no longer does; the tokens in its /slots ÷ tokens "
            "of the pool stand in, which checks the count and not the memory.",
        ),
    ),
    (
        say(zh="共用前缀", en="Shared prefixes"),
        say(
            zh="开着 prompt cache 时，相同的前缀只占一份块，斜率会低于公式；缓存里没人用的块不算占用。",
            en="With the prompt cache on, equal prefixes take their blocks once and the slope falls below the formula; cached blocks "
            "that nobody uses do not count as in use.",
        ),
    ),
    (
        say(zh="不随长度线性的模型", en="Models that are not linear"),
        say(
            zh="滑动窗口的层只留窗口内的 token，线性注意力与 SSM 的层每条序列只有固定大小的状态：长度超过窗口之后，占用不再按公式增长。",
            en="Layers with a sliding window keep the tokens in it alone, and those with linear attention or an SSM have a state of fixed "
            "size for each sequence: beyond the window the use no longer grows as the formula says.",
        ),
    ),
    (
        say(zh="标准误差", en="The standard error"),
        say(
            zh="按各采样独立计算；相邻采样其实是同一批请求，真实的误差更大。",
            en="It takes samples as independent; neighbours see the same requests, so the true error is larger.",
        ),
    ),
)  # fmt: skip


@section()
def kv_traps(_: Analysis) -> Chapter:
    """Define the quantities of the page and name what bends them."""
    return Chapter(say(zh="定义与陷阱", en="Definitions and traps"), (Paragraph(_intro()), _table()))


def _table() -> Table:
    headings = (
        Heading(say(zh="说的是", en="of what")),
        Heading(say(zh="口径与影响", en="how it is meant, and what it bends"), is_text=True),
    )
    caption = say(zh="口径与陷阱", en="Definitions and traps")
    return Table("kv-traps-table", caption, headings, tuple(Row(pair) for pair in TOLD))


def _intro() -> Sentence:
    return say(
        zh="本页的数按以下口径；碰到其中一种情形，斜率就不再是每 token 的字节。",
        en="The numbers of this page are defined as follows; where one of these cases applies, the slope is no longer the bytes of a token.",
    )
