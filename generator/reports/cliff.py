"""Where the KV pool is full: computed beforehand, and as it showed."""

from __future__ import annotations

from typing import Final

from generator.across.cliffs import with_cliff
from generator.frame import Analysis
from generator.report_kinds import report
from generator.text import Text

NO_CLIFF: Final = Text(
    zh="没有系列既有三个以上并发各不相同的闭环档位，又知道 KV 池或槽位有多少。加几个 [[level]]；池与槽位引擎启动时会说（rounds collect 保留日志），也可以在 [[series]] 里填 kv_pool_tokens 与 slots。",
    en="No series has three levels of a closed loop with different concurrencies and a KV pool, or slots, of known size. Add some "
    "[[level]]; the engine tells of pool and slots as it starts (rounds collect keeps its log), or fill in kv_pool_tokens and slots "
    "of [[series]].",
)


@report(
    order=50,
    title=Text(zh="悬崖", en="Cliff"),
    question=Text(
        zh="并发到多少时 KV 池会满，实测是不是在预测的那一处？",
        en="At which concurrency is the KV pool full, and was it full where that was predicted?",
    ),
    sections=("cliff", "cliff_signs", "cliff_arithmetic", "timeline", "cliff_traps"),
)
def cliff(analysis: Analysis) -> Text | None:
    """Want a wall that is known and a ladder to it."""
    return None if with_cliff(analysis) else NO_CLIFF
