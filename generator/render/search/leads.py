"""Questions that one place of the site answers, in whatever words they are asked: that place comes first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Lead:
    """Where a question leads; the words that are neither the question nor ``besides`` must stand at the place."""

    to: tuple[str, ...]
    """Pages and anchors below the folder of a round or of the site, the best first; ``diff/`` is every comparison, and
    ``diff/#rows`` a section of it."""
    asks: tuple[str, ...]
    """Words of the question, of which one must be there."""
    besides: tuple[str, ...] = ()
    """Words that are often said with it and add nothing."""
    of_one: bool = False
    """Whether it is this question only where a round or a load is named."""
    of_all: bool = False
    """Whether its page of the whole site tells of all rounds, whatever is said of them."""
    of_two: bool = False
    """Whether it is this question only where two rounds are named; then it is without a word of it, too."""


LEVELS: Final = (
    "level", "levels", "a level", "one level", "load", "point",
    "这一档", "那一档", "哪一档", "哪些档", "哪档", "有一档", "一档", "档位", "个档", "档", "被", "了", "的",
)  # fmt: skip
BREAKS: Final = (
    "break", "breaks", "break down", "breaks down", "fall over", "falls over", "fails first", "give out", "gives out",
    "running out", "runs out",
    "崩溃", "崩掉", "崩", "撑不住", "扛不住", "到头", "卡在",
)  # fmt: skip
BINDS: Final = (
    "bottleneck", "bottlenecks", "binds", "bind", "limiting factor", "what limits", "wall", "walls",
    "瓶颈", "受限", "卡脖子", "墙",
)  # fmt: skip
ANOMALIES: Final = (
    "collapse", "collapses", "collapsed", "anomaly", "anomalies", "anomalous", "drop", "drops", "dip", "dips",
    "what is wrong", "what went wrong", "what happened",
    "塌陷", "骤降", "崩塌", "崩溃", "异常", "下跌", "下降", "掉", "有什么问题", "出了什么问题", "怎么回事",
)  # fmt: skip
DIPS: Final = (
    "dip", "dips", "collapse", "collapses", "collapsed", "throughput drop", "throughput drops", "drop in throughput",
    "塌陷", "骤降", "凹陷", "吞吐下跌", "吞吐骤降",
)  # fmt: skip
COMPARISONS: Final = ("diff/", "diff/#fingerprint", "diff/#configuration")
ROUNDS: Final = (
    "between", "with", "against", "round", "rounds", "the two", "two", "than",
    "这两轮", "两轮", "前后两次", "前后", "两次", "各轮", "轮次", "之间", "有什么", "了",
)  # fmt: skip
CHOOSING: Final = "guide"
"""What the script makes of the words with which readers ask which engine to take."""
TRACING: Final = ("reading.html#numbers", "index.html#cite")
"""Where whoever looks for a bare number is led: how a number is traced, and where a round has all of its values."""
LEADS: Final[tuple[Lead, ...]] = (
    Lead(
        ("diff/", "diff/#standing", "glossary.html#term-confounded", "reading.html#compared"),
        (
            "attribution", "attribute", "attributed", "attributable", "due to", "caused by", "because of", "confounded",
            "confounding", "confounder", "confounders",
            "来自引擎", "归因", "归因于", "能归因", "能归因于", "归咎于", "造成", "造成的", "引起", "引起的", "导致",
            "导致的", "混杂", "混杂因素", "有混杂因素", "能怪", "该怪",
        ),
        (
            *ROUNDS, "the engine", "engine", "the engines", "engines", "change", "changes", "changed", "difference",
            "differences", "row", "rows",
            "引擎", "差别", "差异", "变化", "不能", "能不能", "可以",
        ),
    ),
    Lead(
        ("glossary.html#decode_floor", "mechanism.html#batching", "mechanism.html#steps-table", "about.html#floor"),
        (
            "decode floor", "decoding floor", "step floor", "decode step floor", "hardware floor", "hardware limit",
            "roofline", "decode lower bound", "minimum time", "minimum step", "minimum step time",
            "minimum decode time", "least time", "theoretical minimum", "theoretical limit", "theoretical floor",
            "lower bound on step time", "step lower bound",
            "硬件下限", "解码下限", "步长下限", "解码步长下限", "单步下限", "decode 下限", "decode下限", "理论下限",
            "理论最小", "理论最短", "理论极限", "硬件极限", "最短步长", "最小步长", "最短时间", "最小时间",
            "最短单步时间", "最小单步时间",
        ),
        (
            "per token", "a token", "step", "time", "step time", "decode", "decoding", "hardware", "theoretical",
            "minimum", "one step",
            "每 token", "每个 token", "单步", "时间", "单步时间", "步长", "解码", "硬件", "理论",
        ),
    ),
    Lead(
        ("glossary.html#term-excluded_level", "mechanism.html#anomaly"),
        (
            "outlier", "outliers", "bad data", "bad data point", "bad data points", "bad point", "bad points",
            "invalid point", "invalid data", "suspicious point", "anomalous data", "anomalous point", "hollow",
            "hollow point", "hollow points", "spoiled", "spoilt",
            "空心", "空心点", "离群", "离群点", "离群值", "坏点", "坏数据", "异常点", "异常值", "异常数据", "可疑点",
            "有问题", "有问题的", "没算进去", "没有算进去", "不算进去", "没计入", "不计入", "未计入",
            "left out", "leave out", "leaves out", "dropped", "excluded", "exclude", "discard", "omit", "missing",
            "not counted", "does not count",
            "discarded", "omitted", "skipped", "thrown out", "thrown away", "ignored", "ignore", "ignores", "ignoring",
            "don't count", "dont count", "doesn't count", "doesnt count", "do not count", "not used",
            "failed its check", "failed a check", "failed the check", "fails its check",
            "不计", "不算", "没算", "不计在内", "排除", "剔除", "丢掉", "去掉", "舍弃", "缺一档", "少一档", "缺了一档",
            "少了一档", "缺档", "缺了", "没有结果", "被排除", "作废", "不要了", "被剔除", "没过自检", "自检没过",
            "没通过自检", "未通过自检", "扔掉", "被扔掉", "自检没通过", "自检未通过",
        ),
        (
            *LEVELS, *ANOMALIES, "concurrency", "concurrency level", "throughput", "conclusion", "conclusions",
            "吞吐", "吞吐下降", "为什么不算", "哪个档", "并发", "数据", "结论",
        ),
    ),
    Lead(
        ("mechanism.html#anomaly", "checks.html#non_monotonic_throughput"),
        DIPS,
        ("in", "throughput", "吞吐", "吞吐量", *LEVELS),
    ),
    Lead(
        ("mechanism.html#anomaly",),
        ANOMALIES,
        (*LEVELS, "throughput", "吞吐"),
        of_one=True,
    ),
    Lead(
        COMPARISONS,
        ("slower", "faster", "better", "worse", "更快", "更慢", "快", "慢"),
        (*ROUNDS, "比"),
        of_two=True,
    ),
    Lead(
        (*COMPARISONS, "side-by-side.html"),
        (
            "what changed", "what has changed", "changed", "changes", "what is different", "different", "difference",
            "differences", "compare", "compared", "comparison", "comparisons", "vs", "versus",
            "有什么变化", "有哪些变化", "什么变化", "变化", "变了什么", "改了什么", "哪里变了", "变了", "改了", "换了",
            "differ", "differs", "regressed", "regression", "regressions", "upgraded", "upgrade", "upgrades",
            "changelog", "change log",
            "old vs new", "old versus new", "old and new", "get slower", "got slower", "get faster", "got faster",
            "slower than before", "faster than before",
            "变慢", "变快", "升级", "差在哪", "差在哪里", "改了啥", "变了啥", "有何不同", "有啥不同", "退步",
            "变过", "一样", "有什么不同", "什么不同", "不同", "不一样", "区别", "差别", "差异", "对比", "比较", "相比",
        ),
        (*ROUNDS, "version", "versions", "setting", "settings", "setup", "engine", "the engine", "引擎", "版本", "参数",
        "设置", "配置", "哪些", "哪里", "地方"),
    ),
    Lead(
        ("cliff.html", "concurrency-curve.html#curve_walls"),
        BREAKS,
        ("first", "server", "engine", "引擎", "并发", "先", "在哪里", "哪里", "在哪", "从哪里"),
    ),
    Lead(
        (
            "concurrency-curve.html#curve_walls", "cliff.html", "glossary.html#cliff_wall", "glossary.html#wall_memory",
            "glossary.html#wall_scheduler",
        ),
        BINDS,
        (
            "first", "server", "engine", "capacity", "bandwidth", "memory bandwidth", "compute",
            "引擎", "容量", "在哪里", "哪里", "在哪", "先", "带宽", "显存带宽", "内存带宽", "算力",
        ),
    ),
    Lead(
        (
            "glossary.html#term-certainty", "reading.html#certainty", "guide.html#guide_verdict",
            "guide.html#guide-scenarios",
        ),
        (
            "how sure", "how certain", "how accurate", "how trustworthy", "trust", "trusted", "trustworthy",
            "how confident", "how reliable", "certainty", "confidence",
            "多大把握", "有多大把握", "把握多大", "把握有多大", "把握", "有多可靠", "可靠吗", "可信吗", "有多可信",
            "靠谱吗", "靠谱", "有多靠谱", "准吗", "能信吗", "信得过吗", "有多准", "准不准",
        ),
        (
            "the verdict", "verdict", "the recommendation", "recommendation", "the conclusion", "conclusion",
            "conclusions", "winner", "the winner", "result", "results",
            "the crossover", "crossover", "结论", "结果", "推荐", "判定", "交叉点",
        ),
    ),
    Lead(
        ("reading.html#numbers", "glossary.html#term-origin", "about.html#origins"),
        (
            "come from", "comes from", "came from", "source of", "sources of", "provenance", "provenance of",
            "where is it from", "origin of", "origins of", "traced",
            "从哪来", "从哪里来", "从哪儿来", "哪来的", "哪里来的", "从哪读的", "从哪里读的", "来源", "出处", "由来",
        ),
        (
            "a number", "number", "numbers", "the numbers", "value", "values", "input", "inputs", "figure", "figures",
            "data", "trace",
            "数字", "数值", "数据", "输入", "这个数", "这些数", "的",
        ),
    ),
    Lead(
        ("glossary.html#wall_memory", "concurrency-curve.html#curve_walls", "cliff.html#cliff"),
        (
            "how many requests fit", "requests fit", "how many fit", "maximum concurrency", "max concurrency",
            "放下多少请求", "放下几个请求", "放得下几个请求", "装得下几个请求", "能放下多少请求", "放得下多少请求",
            "装得下多少请求", "能装多少请求", "最大并发", "最多多少并发", "并发上限",
        ),
        ("kv cache", "kv pool", "the kv cache", "into", "cache", "kv", "kv 池"),
    ),
    Lead(
        ("index.html#crossover", "glossary.html#term-crossover"),
        (
            "crossover", "crossover point", "overtake", "overtakes", "overtaken", "break even", "lead changes",
            "curves meet", "lead change", "up to what concurrency", "up to which concurrency", "until what concurrency",
            "until which concurrency",
            "交叉", "交叉点", "反超", "超过", "追上", "赶超", "领先者更替",
        ),
        (
            "when", "where", "point", "does", "wins", "leads", "ahead", "load", "什么时候", "何时", "在哪", "在哪里",
            "哪里", "在", "哪个并发", "并发",
            "concurrency",
        ),
    ),
    Lead(
        ("index.html#overview", "measurement.html#machine"),
        (
            "what hardware", "which hardware", "hardware used", "which gpu", "what gpu", "which machine",
            "what machine",
            "什么显卡", "哪张显卡", "什么硬件", "哪些硬件", "什么机器", "哪台机器", "硬件配置", "机器配置",
        ),
        ("used", "tested", "ran on", "run on", "in", "用的", "跑在", "测的"),
    ),
    Lead(
        ("concurrency-curve.html#fig-throughput_latency", "concurrency-curve.html#curve"),
        (
            "peak throughput", "max throughput", "maximum throughput", "highest throughput", "saturation throughput",
            "峰值吞吐", "最大吞吐", "最高吞吐", "极限吞吐", "吞吐上限", "吞吐峰值",
        ),
        ("of", "server", "tok/s", "tokens per second"),
    ),
    Lead(
        ("index.html#cite",),
        (
            "cite", "citing", "citation", "permanent link", "permanent links", "permalink", "download", "downloads",
            "csv", "values.csv", "json", "report.json", "license", "licence",
            "引用", "永久链接", "固定链接", "下载", "许可", "许可证",
        ),
        (
            "data", "raw", "the data", "report", "page", "link", "round", "this", "format",
            "数据", "原始", "报告", "怎样", "这一轮", "本轮", "链接", "格式",
        ),
    ),
    Lead(("glossary.html#term-prefix_cache",), ("prefix cache", "prefix caching", "prompt cache", "prompt caching")),
    Lead(
        ("guide.html",),
        (
            CHOOSING, "faster than", "slower than", "better than", "worse than", "快吗", "慢吗", "好吗",
            "medium load", "moderate load", "medium concurrency", "moderate concurrency", "light load", "heavy load",
            "low load", "high load", "low concurrency", "high concurrency",
            "中等并发", "中等负载", "中并发", "低并发", "高并发", "低负载", "高负载", "轻负载", "重负载",
        ),
        ("engine", "at", "under", "the two", "both", "引擎", "两个", "下", "比"),
        of_all=True,
    ),
)  # fmt: skip
"""In the order in which they are tried: a query is the first of them whose place has the rest of its words."""
