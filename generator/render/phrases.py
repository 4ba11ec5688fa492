"""The words of the site's chrome: navigation, labels, the names of origins and statuses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.text import Lang, Text

PHRASES: Final[Mapping[str, Text]] = {
    "lang_tag": Text(zh="zh-CN", en="en"),
    "other_language": Text(zh="English", en="中文"),
    "skip": Text(zh="跳到正文", en="Skip to the text"),
    "contents": Text(zh="目录", en="Contents"),
    "all_rounds": Text(zh="全部轮次", en="All rounds"),
    "about": Text(zh="方法", en="Method"),
    "figure": Text(zh="图", en="Figure"),
    "data_table": Text(zh="图中数据", en="Data behind the figure"),
    "downloads": Text(zh="机器可读的全部数值：", en="Machine-readable values: "),
    "between": Text(zh="、", en=" · "),
    "data": Text(zh="数据", en="Data"),
    "charts_by": Text(zh="图表由 plotly.js 绘制，许可证", en="Charts are drawn by plotly.js, licence"),
    "other_rounds": Text(zh="相邻轮次", en="Rounds beside this one"),
    "checks": Text(zh="自检", en="Self-checks"),
    "checks_lead": Text(
        zh="这一轮的每一条自检结论，连同它依据的全部数值。",
        en="Every conclusion of the self-checks of this round, with all the values that it rests on.",
    ),
    "all_findings": Text(zh="全部自检结论与证据", en="All self-checks, with their evidence"),
    "trial": Text(zh="，第 {trial} 次", en=", trial {trial}"),
    "derivations": Text(zh="推导", en="Derivations"),
    "derivations_lead": Text(
        zh="报告里每个数怎么算、由哪些数算出、各从哪个文件的哪一行读来。",
        en="How each number of the report is computed, from which numbers, and which line of which file those "
        "were read from.",
    ),
    "back": Text(zh="回到报告", en="Back to the report"),
    "input": Text(zh="输入", en="input"),
    "of": Text(zh="属于", en="of"),
    "value": Text(zh="值", en="value"),
    "exact": Text(zh="未舍入", en="Unrounded"),
    "origin": Text(zh="来源", en="origin"),
    "rests_on": Text(zh="（最弱的输入：{}）", en=" (weakest input: {})"),
    "source": Text(zh="读自", en="read from"),
    "reason": Text(zh="为何未知", en="Why it is unknown"),
    "whole_round": Text(zh="整轮", en="whole round"),
    "copy": Text(zh="复制 CSV", en="Copy CSV"),
    "copied": Text(zh="已复制", en="Copied"),
    "close": Text(zh="关闭", en="Close"),
    "open_page": Text(zh="在推导页打开", en="Open in Derivations"),
    "bias": Text(zh="影响", en="Effect"),
    "remedy": Text(zh="建议", en="Remedy"),
    "evidence": Text(zh="证据", en="Evidence"),
    "why_two": Text(zh="为何有两种定义", en="Why there are two definitions"),
    "not_drawn": Text(zh="缺图", en="No figure."),
    "unreadable": Text(zh="读不出来的轮次", en="Rounds that could not be read"),
    "no_rounds": Text(zh="还没有可以发布的轮次。", en="There is no round to publish yet."),
    "doubtful": Text(zh="自检对这些数存疑：", en="A check puts these numbers in doubt: "),
    "transcribed_note": Text(
        zh="这一轮的数据转录自公开报告：", en="The data of this round are transcribed from a published report: "
    ),
    "simulated": Text(zh="模拟", en="simulated"),
    "simulated_note": Text(
        zh="：由 Rounds 自带的参考服务器应答，数字说的是它的模型，不是任何真实的引擎或设备。",
        en=": answered by the reference server of Rounds. The numbers describe its model, not a real engine or device.",
    ),
    "reference_source": Text(zh="出处：", en="Source: "),
    "t_queue": Text(zh="排队", en="queue"),
    "t_front": Text(zh="前端与网络", en="front end, network"),
    "t_identity": Text(
        zh="TTFT 是前三段，E2EL 是全部。对每条请求都有 E2EL = TTFT + 间隔数 × TPOT；"
        "各量的中位数取自不同的请求，加起来只大致相符。",
        en="TTFT is the interval before the decode, E2EL the whole. For each request E2EL = TTFT + gaps × TPOT; "
        "medians come from different requests and add up only roughly.",
    ),
    "first_last": Text(zh="first、last：列出的最低档与最高档", en="first, last: lowest and highest level listed"),
    "numbers_link": Text(
        zh="点按任何一个数，看它怎么算出来。C 是并发，即同时在途的请求数。",
        en="Click any number for its derivation. C is the concurrency, the requests in flight at once.",
    ),
}
ORIGINS: Final[Mapping[str, Text]] = {
    "measured": Text(zh="实测", en="measured"),
    "reported": Text(zh="工具自报", en="reported by a tool"),
    "transcribed": Text(zh="转录", en="transcribed"),
    "declared": Text(zh="声明", en="declared"),
    "derived": Text(zh="推导", en="derived"),
}
STATUSES: Final[Mapping[str, Text]] = {
    "fail": Text(zh="不通过", en="fail"),
    "warn": Text(zh="警告", en="warn"),
    "unknown": Text(zh="无从检查", en="unchecked"),
    "note": Text(zh="提示", en="note"),
    "pass": Text(zh="通过", en="pass"),
}
FOUND: Final[Mapping[str, Text]] = {
    "fail": Text(zh="不通过的", en="Failed"),
    "warn": Text(zh="警告", en="Warnings"),
    "unknown": Text(zh="无从检查的", en="Unchecked"),
    "note": Text(zh="提示", en="Notes"),
    "pass": Text(zh="通过的", en="Passed"),
}
"""The headings of the findings of each status, where each status has its own list."""


def phrases(lang: Lang) -> dict[str, str]:
    """Return the chrome in one language."""
    return {name: text[lang] for name, text in PHRASES.items()}
