"""What the numbers of SGLang's bench_serving mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.mapping import Mapped, Words
from generator.text import Text, same

STATISTICS: Final[Mapping[str, Words]] = {
    "mean": "mean", "p50": ("median", "p50"), "p90": "p90", "p95": "p95", "p99": "p99",
}  # fmt: skip

EXACT: Final = "random_range_ratio = 1"
OPENAI: Final = "OpenAI backends"
NATIVE: Final = "backend `sglang`"

PEAK: Final = Text(
    zh="按整秒分桶数出的最大在途数，可能超过上限。",
    en="The most in flight, counted in buckets of a second, so it may exceed the cap.",
)
GAPS: Final = Text(
    zh="相邻两个 chunk 之间的间隔，全部请求放在一起。",
    en="Gaps between one chunk and the next, of all requests together.",
)
SHARED_GAPS: Final = Text(
    zh="相邻两个 chunk 的间隔按后者带来的 token 数平分，每个 token 记一次。",
    en="The gap between two chunks is divided among the tokens of the later one, and counted once for each.",
)

OF_ALL: Final[tuple[Mapped, ...]] = (
    Mapped("completed", "1", Text(zh="没有出错的请求数。", en="Requests that ended without an error."), "completed"),
    Mapped("duration", "s", Text(zh="从开始发送到最后一条回答结束。", en="From the beginning of sending to the end of the last answer."), "duration"),
    Mapped("total_input_tokens", "tok", Text(zh="成功请求的输入 token 数。", en="Tokens of the prompts of successful requests."), "input_tokens_counted"),
    Mapped(
        "total_output_tokens", "tok",
        Text(zh="输出 token 数，取服务端的计数；没有时用要求的长度。", en="Tokens of the answers by the server's count; where it gives none, the length asked for."),
        "output_tokens_counted",
    ),
    Mapped("request_throughput", "req/s", same("completed ÷ duration"), "request_throughput"),
    Mapped("output_throughput", "tok/s", same("total_output_tokens ÷ duration"), "output_throughput"),
    Mapped("total_throughput", "tok/s", same("(total_input_tokens + total_output_tokens) ÷ duration"), "total_token_throughput"),
    Mapped(
        "request_goodput", "req/s",
        Text(zh="每秒完成且满足全部 --goodput 条件的请求数。", en="Requests per second that met every --goodput condition."),
        "request_goodput",
    ),
    Mapped("max_concurrent_requests", "1", PEAK, "peak_concurrency"),
    Mapped(
        "{}_e2e_latency_ms", "ms", Text(zh="从发出请求到流结束。", en="From sending a request to the end of its stream."),
        "e2el_{}", statistics=STATISTICS, zero_is_missing=True,
    ),
    Mapped(
        "{}_ttft_ms", "ms",
        Text(zh="从发出请求到第一个带内容的 chunk；没有样本时写 0，例如没有读到 reasoning 文本的流。", en="From sending a request to its first chunk with content; 0 stands for no sample, as where the stream of reasoning was not read."),
        "ttft_{}", statistics=STATISTICS, zero_is_missing=True,
    ),
    Mapped(
        "{}_tpot_ms", "ms",
        Text(zh="(E2EL − TTFT) ÷ (输出 token 数 − 1)，每条请求一个值；只有一个 token 的回答不计。", en="(E2EL − TTFT) ÷ (output tokens − 1), one value per request; answers of a single token are left out."),
        "tpot_{}", statistics=STATISTICS, zero_is_missing=True,
    ),
    Mapped(
        "concurrency", "1", Text(zh="各条请求的时延之和 ÷ duration。", en="Latencies of the requests, added up, ÷ duration."), "concurrency",
        why=Text(zh="它是平均在途数，不是所设的上限（max_concurrency）。", en="It is the mean number in flight, and not the cap that was set (max_concurrency)."),
    ),
    Mapped(
        "total_output_tokens_retokenized", "tok",
        Text(zh="由客户端把收到的文本重新分词，再数 token。", en="What the client counts when it tokenizes the text that it received again."),
        "output_tokens_retokenized",
    ),
    Mapped(
        "output_throughput_retokenized", "tok/s", same("total_output_tokens_retokenized ÷ duration"), "output_throughput",
        why=Text(zh="分子是重新分词数出的 token。", en="Its tokens are counted in a text that was tokenized again."),
    ),
    Mapped(
        "max_output_tokens_per_s", "tok/s",
        Text(zh="某一整秒里收到最多的 chunk 数。", en="The most chunks that came in one whole second."), "output_throughput",
        why=Text(zh="它是峰值，而且数的是 chunk：可能比平均吞吐还低。", en="It is a peak, and one of chunks: it may lie below the mean."),
    ),
)  # fmt: skip
"""Of every backend."""

ITL: Final = Mapped("{}_itl_ms", "ms", GAPS, "itl_{}", statistics=STATISTICS, zero_is_missing=True, versions=OPENAI)
ITL_SHARED: Final = Mapped(
    "{}_itl_ms", "ms", SHARED_GAPS, "itl_{}", statistics=STATISTICS, versions=NATIVE,
    why=Text(zh="它是按 token 摊过的，不是 chunk 之间的间隔；一个 chunk 一个 token 时两者相同。", en="It is spread over tokens, and no gap between chunks; the two agree where a chunk holds one token."),
)  # fmt: skip
"""The native backend's gaps."""

ASKED: Final[tuple[Mapped, ...]] = (
    Mapped("random_input_len", "tok", Text(zh="要求的 prompt 长度，ratio 为 1 时每条都是这么长。", en="The length of prompts asked for; that of each where the ratio is 1."), "asked_input_tokens", versions=EXACT),
    Mapped("random_output_len", "tok", Text(zh="要求的输出长度，ratio 为 1 时每条都是这么长，再小它就只是上限。", en="The length of answers asked for; that of each where the ratio is 1, and the longest where it is below."), "asked_output_tokens", versions=EXACT),
)  # fmt: skip

MAPPING: Final = (*OF_ALL, ITL, ITL_SHARED, *ASKED)

SHARES_GAPS: Final = frozenset({"sglang", "sglang-native"})
"""Backends that divide a chunk's gap among its tokens."""
ENGINES: Final = {
    "sglang": "sglang", "sglang-native": "sglang", "sglang-oai": "sglang", "sglang-oai-chat": "sglang",
    "vllm": "vllm", "vllm-chat": "vllm", "lmdeploy": "lmdeploy", "lmdeploy-chat": "lmdeploy", "trt": "tensorrt-llm",
}  # fmt: skip
"""What ``backend`` says of the engine."""
