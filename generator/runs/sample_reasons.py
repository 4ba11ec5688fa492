"""Why a sample of the requests of a run may be empty though requests were answered."""

from __future__ import annotations

from typing import Final

from generator.text import Text

SECOND_TOKEN: Final = Text(zh="没有一条回答超过一个 token", en="no answer has more than one token")
SECOND_CHUNK: Final = Text(zh="没有一条回答超过一个 chunk", en="no answer came in more than one chunk")
GAUGES: Final = Text(
    zh="运行期间没有采样引擎的 /metrics 或 /slots", en="the engine's /metrics or /slots were not sampled during the run"
)
BESIDE: Final = Text(zh="没有间隔与别人的 prefill 重叠", en="no gap overlaps another request's prefill")
ALONE: Final = Text(zh="每个间隔都与别人的 prefill 重叠", en="every gap overlaps another request's prefill")
COUNTS: Final = Text(
    zh="结果文件没有记录每条请求的 token 数", en="the result file does not count the tokens of each request"
)
TWO_AT_ONCE: Final = Text(zh="没有两条回答同时在进行", en="no two answers were under way at the same time")
TIMES: Final = Text(
    zh="结果文件没有记录每条请求的发出时刻", en="the result file does not say when each request was sent"
)
GAPS: Final = Text(zh="结果文件没有记录 chunk 之间的间隔", en="the result file does not record the gaps between chunks")
TOKEN: Final = Text(zh="没有一条请求收到 token", en="no request got a token")
