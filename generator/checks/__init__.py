"""Self-checks: one a file, found by import; here, what several of them ask for where data are missing."""

from __future__ import annotations

from typing import Final

from generator.text import Text

DETAILS: Final = Text(
    zh="导入明细结果（vllm bench 用 --save-detailed）。", en="Import detailed results (--save-detailed of vllm bench)."
)
DETAILS_FOR_STATISTICS: Final = Text(
    zh="导入明细结果（vLLM bench 用 --save-detailed），统计量就由逐条请求算出。",
    en="Import detailed results (--save-detailed of vLLM bench): the statistics are then taken from the requests.",
)
DETAILS_OF_FAILURES: Final = Text(
    zh="导入明细结果（vLLM bench 用 --save-detailed）：失败的请求也在其中。",
    en="Import detailed results (--save-detailed of vLLM bench): failed requests are in them, too.",
)
COUNTS: Final = Text(
    zh="补上 requests 与 completed 两列。",
    en="Fill in the columns requests and completed.",
)
