"""The words of the glossary: headings, scopes, directions, and the bases that a reader meets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.kinds import AS_PUBLISHED, REPORTED, STEADY, WITHOUT_EMBEDDING, Better
from generator.places import PlaceKind
from generator.text import Text
from generator.values import Scope

WORDS: Final[Mapping[str, Text]] = {
    "title": Text(zh="术语与指标", en="Glossary"),
    "lead": Text(
        zh="本站用到的词，以及报告里每一个数：它说的是什么，按什么公式由哪些数算出，从哪里读来，别的工具用这个名字指什么，"
        "出现在哪些报告里，哪些自检会看它。公式里的名字链接到各自的条目；没有链接的名字是从逐条请求取得的样本。",
        en="The words of this site, and every number that a report can print: what it is, by which formula it follows from "
        "which others, where it is read, what other tools mean by its name, which reports print it, and which checks look "
        "at it. Names in formulas lead to their own entries; those without a link are samples of single requests.",
    ),
    "terms": Text(zh="概念", en="Concepts"),
    "metrics": Text(zh="指标", en="Metrics"),
    "index": Text(zh="按主题找", en="By theme"),
    "becomes": Text(zh="对应的数：", en="As numbers: "),
    "else": Text(zh="缺输入时改用", en="Where inputs are missing"),
    "read_from": Text(zh="读自", en="Read from"),
    "other_bases": Text(zh="其他口径", en="Other definitions"),
    "tools": Text(zh="其他工具", en="Other tools"),
    "same_quantity": Text(zh="{} 种工具给出同一个量", en="the same quantity from {} of them"),
    "another": Text(zh="名字相近的另一个量：{}", en="another quantity by a similar name: {}"),
    "definitions": Text(zh="各自的定义", en="their definitions"),
    "checks": Text(zh="自检", en="Checks"),
    "printed": Text(zh="出现在", en="Printed in"),
    "rounds": Text(zh="{n} 轮", en="{n} {n:round|rounds}"),
    "between": Text(zh="、", en=", "),
    "clause": Text(zh="；", en="; "),
}
DEFINED: Final[Mapping[str, Text]] = {
    AS_PUBLISHED: Text(zh="按原报告的口径", en="as the published report has it"),
    WITHOUT_EMBEDDING: Text(zh="不含输入 embedding 的口径", en="without the input embedding"),
    REPORTED: Text(zh="压测工具自己报的", en="as the client reports it"),
    STEADY: Text(zh="只取稳态部分", en="of the steady part alone"),
}
"""What each basis is called."""
SCOPES: Final[Mapping[Scope, Text]] = {
    "round": Text(zh="属于整轮", en="of a round"),
    "series": Text(zh="属于一个系列", en="of a series"),
    "level": Text(zh="属于一个档位", en="of a level"),
    "pair": Text(zh="属于一对系列", en="of a pair of series"),
    "pair-level": Text(zh="属于一对系列的同一档", en="of a pair of series at one level"),
}
DIRECTIONS: Final[Mapping[Better, Text]] = {
    "higher": Text(zh="越高越好", en="higher is better"),
    "lower": Text(zh="越低越好", en="lower is better"),
}
WHERE: Final[Mapping[PlaceKind, Text]] = {
    "column": Text(zh="published.csv 的列", en="column of published.csv"),
    "setting": Text(zh="round.toml 的键", en="key of round.toml"),
    "fact": Text(zh="published.toml 的键", en="key of published.toml"),
    "log": Text(zh="服务端日志", en="the server's log"),
    "record": Text(zh="rounds collect 留下的文件", en="file of rounds collect"),
    "telemetry": Text(zh="旁边的采样", en="samples beside the runs"),
    "counters": Text(zh="/metrics 的计数器", en="counters at /metrics"),
    "architecture": Text(zh="模型自己的文件", en="the model's own files"),
    "device": Text(zh="驱动或数据手册", en="driver or data sheet"),
    "flags": Text(zh="服务端的启动参数", en="flags of the server"),
}
BASES: Final[Mapping[str, Text]] = {
    REPORTED: Text(
        zh="压测工具自己给出的同一个统计量，与由逐条请求算出的并列。",
        en="The same statistic as the load client reports it, beside the one taken from the requests.",
    ),
}
"""What is said of a basis whose metrics do not say it themselves."""
