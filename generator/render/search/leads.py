"""Questions that one place of the site answers, in whatever words they are asked: that place comes first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Lead:
    """Where a question leads; the words that are neither the question nor ``besides`` must stand at the place."""

    to: tuple[str, ...]
    """Pages and anchors below the folder of a round or of the site, the best first; ``diff/`` is every comparison."""
    asks: tuple[str, ...]
    """Words of the question, of which one must be there."""
    besides: tuple[str, ...] = ()
    """Words that are often said with it and add nothing."""
    of_one: bool = False
    """Whether it is this question only where a round or a load is named."""


LEVELS: Final = (
    "level", "levels", "a level", "load", "point",
    "这一档", "那一档", "一档", "档位", "个档", "档", "被", "了",
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
LEADS: Final[tuple[Lead, ...]] = (
    Lead(
        ("glossary.html#term-excluded_level", "mechanism.html#anomaly"),
        (
            "left out", "leave out", "leaves out", "dropped", "excluded", "missing", "not counted", "does not count",
            "discarded", "omitted", "skipped",
            "不计", "不算", "没算", "不计在内", "排除", "剔除", "丢掉", "去掉", "舍弃",
            "缺一档", "少一档", "缺了一档", "少了一档", "缺档", "缺了", "没有结果",
        ),
        LEVELS,
    ),
    Lead(
        ("mechanism.html#anomaly",),
        (
            "collapse", "collapses", "collapsed", "anomaly", "drop", "drops", "dip", "dips",
            "塌陷", "骤降", "崩塌", "崩溃", "异常", "下跌", "掉",
        ),
        LEVELS,
        of_one=True,
    ),
    Lead(
        ("diff/", "side-by-side.html"),
        (
            "what changed", "what has changed", "changed", "changes", "what is different", "difference", "differences",
            "compare", "compared", "comparison", "comparisons", "vs", "versus",
            "有什么变化", "有哪些变化", "什么变化", "变化", "变了什么", "改了什么", "哪里变了",
            "有什么不同", "什么不同", "区别", "差别", "差异", "对比", "比较", "相比",
        ),
        (
            "between", "with", "against", "round", "rounds", "the two", "two",
            "这两轮", "两轮", "各轮", "轮次", "之间", "有什么",
        ),
    ),
    Lead(
        ("cliff.html", "concurrency-curve.html#curve_walls"),
        BREAKS,
        ("first", "server", "engine", "引擎", "并发", "先", "在哪里", "哪里", "在哪", "从哪里"),
    ),
    Lead(
        (
            "concurrency-curve.html#curve_walls", "cliff.html",
            "glossary.html#cliff_wall", "glossary.html#wall_memory", "glossary.html#wall_scheduler",
        ),
        BINDS,
        ("first", "server", "engine", "capacity", "引擎", "容量", "在哪里", "哪里", "在哪", "先"),
    ),
    Lead(
        ("index.html#cite",),
        (
            "cite", "citing", "citation", "permanent link", "permanent links", "permalink", "download", "downloads",
            "引用", "永久链接", "固定链接", "下载",
        ),
        (
            "data", "raw", "the data", "report", "page", "link", "round", "this", "format",
            "数据", "原始", "报告", "怎样", "这一轮", "本轮", "链接", "格式",
        ),
    ),
    Lead(("glossary.html#term-prefix_cache",), ("prefix cache", "prefix caching", "prompt cache", "prompt caching")),
)  # fmt: skip
"""In the order in which they are tried: a query is the first of them whose place has the rest of its words."""
