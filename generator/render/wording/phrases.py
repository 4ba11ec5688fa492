"""The words of the site's chrome: navigation, labels, the names of origins and statuses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.kinds import Better
from generator.text import TAGS, Lang, Text

PHRASES: Final[Mapping[str, Text]] = {
    "lang_tag": Text(zh=TAGS["zh"], en=TAGS["en"]),
    "other_language": Text(zh="English", en="中文"),
    "skip": Text(zh="跳到正文", en="Skip to the text"),
    "contents": Text(zh="目录", en="Contents"),
    "site_pages": Text(zh="本站各页", en="Pages of the site"),
    "menu": Text(zh="菜单", en="Menu"),
    "side_by_side": Text(zh="并排比较", en="Side by side"),
    "licences": Text(zh="程序：Apache-2.0；数据：{}", en="program: Apache-2.0; data: {}"),
    "not_declared": Text(zh="作者没有声明许可证", en="no licence declared"),
    "as_declared": Text(zh="按各轮作者的声明", en="as the author of each round declares"),
    "all_rounds": Text(zh="轮次", en="Rounds"),
    "about": Text(zh="方法", en="Method"),
    "reading": Text(zh="怎样读报告", en="How to read a report"),
    "example": Text(zh="文中的链接指向本站的一轮：", en="Links in the text lead to a round of this site: "),
    "glossary": Text(zh="术语", en="Glossary"),
    "figure": Text(zh="图", en="Figure"),
    "data_table": Text(zh="图中数据", en="Data behind the figure"),
    "downloads": Text(zh="下载：", en="Download: "),
    "between": Text(zh="、", en=" · "),
    "between_sentences": Text(zh="", en=" "),
    "between_notes": Text(zh="；", en=" · "),
    "cite_and_download": Text(zh="引用与下载", en="Cite, download"),
    "everything": Text(
        zh="zip 里有这一轮的源文件、全部数值与各图的数据（CSV），不含绘成的图；引用时连同数据的指纹。",
        en="The zip has the source files of the round, all its values and the data of its figures (CSV), but no "
        "drawings. A citation names its fingerprint.",
    ),
    "cite": Text(zh="引用这一轮", en="Cite this round"),
    "data_licence": Text(zh="数据的许可证：", en="Licence of the data: "),
    "link_to_table": Text(zh="此表的永久链接", en="Permanent link to this table"),
    "permanent": Text(zh="永久链接：", en="Permanent link: "),
    "lost": Text(zh="页面不存在。", en="There is no page at this address."),
    "to_home": Text(zh="返回首页", en="To the home page"),
    "every_page": Text(zh="全部页面与小节", en="All pages and sections"),
    "data": Text(zh="数据", en="Data"),
    "charts_by": Text(zh="图表由 plotly.js 绘制，许可证", en="Charts are drawn by plotly.js, licence"),
    "other_rounds": Text(zh="相邻轮次", en="Rounds beside this one"),
    "against": Text(zh="与 {} 相比", en="Compared with {}"),
    "history": Text(zh="各轮走势", en="History"),
    "guide": Text(zh="选型指南", en="Selection guide"),
    "search": Text(zh="搜索", en="Search"),
    "checks": Text(zh="自检", en="Self-checks"),
    "checks_lead": Text(
        zh="这一轮的每一条自检结论，连同它依据的全部数值。",
        en="Every conclusion of the self-checks of this round, with all the values that it rests on.",
    ),
    "all_findings": Text(zh="全部自检结论与证据", en="All self-checks, with their evidence"),
    "all_checks": Text(zh="每项自检检查什么，按什么规则判断", en="What each check asks, and by which rule"),
    "site_checks_lead": Text(
        zh="每项自检问什么、按什么规则判断、涉及哪些指标、最近一次建议怎么办，以及它在各轮里的结论。“无从检查”是缺了它要用"
        "的数据；“不适用”是这一轮没有它要看的东西。两者都不算通过。只有注明的自检可以把档位排除在结论之外。",
        en="What each check asks, by which rule it decides, which numbers it looks at, what it last advised, and what "
        "it concluded in the rounds. “Unchecked” is where data that it needs are missing, “n/a” where a round has "
        "nothing of the kind; neither counts as passed. Only checks that are marked may exclude levels from "
        "conclusions.",
    ),
    "of_levels": Text(
        zh="先看每个档位自己的数。没通过的，注明了的可以把档位排除在结论之外，其余的只警告。",
        en="These see the numbers of single levels, before anything is concluded. One that fails may exclude levels "
        "where it is marked, and otherwise warns.",
    ),
    "of_conclusions": Text(
        zh="再看由可用档位得出的斜率、交叉点和结论。它们只能警告，不能再排除档位。",
        en="These see the slopes, crossovers and verdicts drawn from usable levels. They may warn, and exclude "
        "nothing.",
    ),
    "looks_at": Text(zh="涉及的指标", en="Numbers that it looks at"),
    "more_rounds": Text(zh="另有 {} 轮", en="and {} more"),
    "meanings": Text(zh="字段含义", en="Field meanings"),
    "meanings_title": Text(zh="同一个词，不同的量", en="Same word, different quantity"),
    "meanings_lead": Text(
        zh="压测工具常用同一个名字指不同的量，也用不同的名字指同一个量。下面按本站的指标列出每个工具的字段、单位与公式。"
        "标为“另一个量”的字段，导入后保留原名，从不参与比较。",
        en="Benchmark tools use one name for different quantities, and different names for one quantity. Below, each "
        "tool's fields, units and formulas are listed under this site's metrics. Fields marked “another quantity” keep "
        "their own name on import and are never compared.",
    ),
    "resembling": Text(zh="名字相近的另一个量", en="Other quantities with a similar name"),
    "another_quantity": Text(zh="另一个量", en="another quantity"),
    "of_versions": Text(zh="版本：", en="versions: "),
    "of_no_metric": Text(zh="没有对应指标的量", en="Without a metric of ours"),
    "conduct": Text(zh="各工具怎样加压", en="How each tool drives a server"),
    "unchecked_why": Text(zh="无从检查的，以及原因", en="What could not be checked, and why"),
    "nothing_grave": Text(zh="没有不通过，也没有警告。", en="Nothing failed, and nothing gave a warning."),
    "more_warnings": Text(zh="另有 {n} 条警告", en="{n} more {n:warning|warnings}"),
    "told_together": Text(
        zh="不通过与警告共 {n} 项；几个系列共有的并成一条，所以上面是 {m} 条。",
        en="{n} {n:finding|findings} failed or warned. What several series share is told once, which leaves {m} "
        "{m:entry|entries} above.",
    ),
    "reports": Text(zh="本轮的报告", en="Reports of this round"),
    "read_on": Text(zh="接着读", en="Read on"),
    "reports_lacking": Text(zh="这一轮缺少数据、没有生成的报告：", en="Reports that this round has no data for: "),
    "not_here": Text(zh="这一轮没有：", en="Not in this round: "),
    "tolerance": Text(zh="允许 ±{}", en="within ±{}"),
    "rule": Text(zh="规则", en="Rule"),
    "may_spoil": Text(zh="可以排除档位", en="may exclude levels"),
    "more_steps": Text(zh="另有 {n} 步", en="{n} more {n:step|steps}"),
    "published": Text(zh="发表值与重算值", en="As published against recomputed"),
    "published_lead": Text(
        zh="报告里写过的每个数，与由数据重算的未舍入值相比；点按重算值看推导。差 = 重算值 − 发表值；没有写明容差的，"
        "按发表的末位舍入来判。",
        en="Every number that the report stated, compared with the unrounded number of the data; click the latter for "
        "its derivation. Difference = recomputed − stated. Where no tolerance is given, the last digit stated decides.",
    ),
    "statement": Text(zh="陈述", en="statement"),
    "stated": Text(zh="发表值", en="stated"),
    "recomputed": Text(zh="重算值", en="recomputed"),
    "difference": Text(zh="差", en="difference"),
    "stands_in": Text(zh="出处", en="where"),
    "trial": Text(zh="，第 {trial} 次", en=", trial {trial}"),
    "start": Text(zh="，第 {trial} 次启动", en=", start {trial}"),
    "derivations": Text(zh="推导", en="Derivations"),
    "derivations_lead": Text(
        zh="报告里每个数怎么算、由哪些数算出、各从哪个文件的哪一处读来。",
        en="How each number of the report is computed, from which numbers, and from which place in which file "
        "those were read.",
    ),
    "back": Text(zh="回到报告", en="Back to the report"),
    "input": Text(zh="输入", en="input"),
    "of": Text(zh="所属", en="of"),
    "value": Text(zh="值", en="value"),
    "exact": Text(zh="未舍入", en="Unrounded"),
    "origin": Text(zh="来源", en="origin"),
    "rests_on": Text(zh="（最弱的输入：{}）", en=" (weakest input: {})"),
    "source": Text(zh="读自", en="read from"),
    "read_from": Text(zh="读自", en="Read from"),
    "more_read": Text(zh="另有 {} 个", en="and {} more"),
    "reason": Text(zh="为何未知", en="Why it is unknown"),
    "caveat": Text(zh="要知道", en="To keep in mind"),
    "whole_round": Text(zh="整轮", en="whole round"),
    "copy": Text(zh="复制 CSV", en="Copy CSV"),
    "copied": Text(zh="已复制", en="Copied"),
    "close": Text(zh="关闭", en="Close"),
    "step_back": Text(zh="返回上一个数", en="Back to the number before"),
    "derived": Text(zh="由输入算出", en="derived from inputs"),
    "open_page": Text(zh="永久链接：推导页上的这个数", en="Permanent link: this number in Derivations"),
    "bias": Text(zh="影响", en="Effect"),
    "remedy": Text(zh="建议", en="Remedy"),
    "for_example": Text(zh="例如 {} 那一轮：", en="for example, for {}: "),
    "evidence": Text(zh="证据", en="Evidence"),
    "why_two": Text(zh="为何有两种定义", en="Why there are two definitions"),
    "not_drawn": Text(zh="缺图", en="No figure."),
    "unreadable": Text(zh="没有收进来的", en="Left out"),
    "not_made": Text(zh="这一页没有生成", en="This page was not made"),
    "not_made_note": Text(
        zh="生成这一页时出了错；站内其余各页照常。", en="Making it failed; the other pages of this site are as usual."
    ),
    "no_rounds": Text(zh="还没有可以发布的轮次。", en="There is no round to publish yet."),
    "doubtful": Text(zh="自检对这些数存疑：", en="A check puts these numbers in doubt: "),
    "transcribed_note": Text(
        zh="这一轮的数据转录自公开报告：", en="The data of this round are transcribed from a published report: "
    ),
    "simulated": Text(zh="模拟", en="simulated"),
    "simulated_note": Text(
        zh="：由 Rounds 自带的参考服务端应答，数字说的是它的模型，不是任何真实的引擎或设备。",
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
    "scenarios": Text(zh="情景", en="Scenarios"),
    "series": Text(zh="系列", en="series"),
    "for_your_inputs": Text(zh="按上面的输入", en="For the inputs above"),
    "numbers_link": Text(
        zh="点按任何一个数，看它是怎么算出来的。C 是并发，即同时在途的请求数。",
        en="Click any number for its derivation. C is the concurrency, the requests in flight at once.",
    ),
}
ORIGINS: Final[Mapping[str, Text]] = {
    "measured": Text(zh="实测", en="measured"),
    "reported": Text(zh="工具自报", en="reported by a tool"),
    "transcribed": Text(zh="转录", en="transcribed"),
    "declared": Text(zh="声明", en="declared"),
    "assumed": Text(zh="假定", en="assumed"),
    "derived": Text(zh="推导", en="derived"),
}
STATUSES: Final[Mapping[str, Text]] = {
    "fail": Text(zh="不通过", en="fail"),
    "warn": Text(zh="警告", en="warn"),
    "unknown": Text(zh="无从检查（缺数据）", en="unchecked"),
    "note": Text(zh="提示", en="note"),
    "pass": Text(zh="通过", en="pass"),
    "empty": Text(zh="不适用", en="n/a"),
}
STAGES: Final[Mapping[str, Text]] = {
    "levels": Text(zh="针对各档位的自检", en="Checks of levels"),
    "conclusions": Text(zh="针对结论的自检", en="Checks of conclusions"),
}
"""The headings of the checks of each stage."""
FOUND: Final[Mapping[str, Text]] = {
    "fail": Text(zh="不通过的", en="Failed"),
    "warn": Text(zh="警告", en="Warnings"),
    "unknown": Text(zh="无从检查的（缺数据）", en="Unchecked"),
    "note": Text(zh="提示", en="Notes"),
    "pass": Text(zh="通过的", en="Passed"),
    "empty": Text(zh="不适用的", en="Not applicable"),
}
"""The headings of the findings of each status, where each status has its own list."""

ARROWS: Final[Mapping[Better | None, Text]] = {
    "higher": Text(zh="↑ 越高越好", en="↑ higher is better"),
    "lower": Text(zh="↓ 越低越好", en="↓ lower is better"),
    None: Text(zh="· 无好坏之分", en="· neither is better"),
}
"""Which direction of a metric is better."""


def phrases(lang: Lang) -> dict[str, str]:
    """Return the chrome in one language."""
    return {name: text[lang] for name, text in PHRASES.items()}
