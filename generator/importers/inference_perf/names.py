"""What the numbers of an inference-perf report mean; every time in it is in seconds."""

from __future__ import annotations

from typing import Final

from generator.mapping import Mapped
from generator.text import Text

WORDS: Final = {"mean": "mean", "p50": "median", "p90": "p90", "p95": "p95", "p99": "p99"}
LATENCY: Final = "successes.latency"
RATE: Final = "successes.throughput"
SPAN: Final = Text(zh="首个发送到末个结束", en="time from the first sending to the last end")

MAPPING: Final = (
    Mapped("load_summary.count", "1", Text(zh="发出的请求，含失败。", en="Requests sent, failed ones included."), "requests"),
    Mapped("successes.count", "1", Text(zh="没有错误的请求。", en="Requests without an error."), "completed"),
    Mapped("benchmark_time_seconds", "s", Text(zh="首个发送到末个结束。", en="From the first sending to the last end."), "duration", zero_is_missing=True, versions="2026+"),
    Mapped(f"{RATE}.requests_per_sec", "req/s", Text(zh="成功的请求 ÷ {span}。", en="Requests answered ÷ {span}.").format(span=SPAN), "request_throughput"),
    Mapped(f"{RATE}.output_tokens_per_sec", "tok/s", Text(zh="成功请求的输出 token ÷ {span}；token 默认由客户端的 tokenizer 计数。", en="Output tokens of the requests answered ÷ {span}; the client's tokenizer counts them, unless told otherwise.").format(span=SPAN), "output_throughput"),
    Mapped(f"{RATE}.total_tokens_per_sec", "tok/s", Text(zh="成功请求的输入与输出 token ÷ {span}。", en="Tokens of prompts and answers ÷ {span}.").format(span=SPAN), "total_token_throughput"),
    Mapped("successes.prompt_tokens.total", "tok", Text(zh="输入 token 之和，以服务端的计数为先。", en="Prompt tokens added up, as the server counts them where it does."), "input_tokens_counted", versions="2026+"),
    Mapped("successes.output_tokens.total", "tok", Text(zh="输出 token 之和，以服务端的计数为先。", en="Output tokens added up, as the server counts them where it does."), "output_tokens_counted", versions="2026+"),
    Mapped("successes.output_len.mean", "tok", Text(zh="由客户端的 tokenizer 计数。", en="Counted by the client's tokenizer."), "output_tokens_mean"),
    Mapped(f"{LATENCY}.time_to_first_token.{{}}", "s", Text(zh="从实际发出到第一个 token；不流式时为空。", en="From the actual sending to the first token; empty where nothing was streamed."), "ttft_{}", statistics=WORDS, zero_is_missing=True),
    Mapped(f"{LATENCY}.time_per_output_token.{{}}", "s", Text(zh="(末 token − 首 token) ÷ (输出 token 数 − 1)；不流式时为空。早先的版本除以流的事件数减一，一个 token 可能有两个事件，因此不采用。", en="(last token − first token) ÷ (output tokens − 1); empty where nothing was streamed. Before, it was divided by the events of the stream less one, of which there may be two a token: it is not used then."), "tpot_{}", statistics=WORDS, zero_is_missing=True, versions="2026+"),
    Mapped(f"{LATENCY}.request_latency.{{}}", "s", Text(zh="从实际发出到回答结束。", en="From the actual sending to the end of the answer."), "e2el_{}", statistics=WORDS, zero_is_missing=True),
    Mapped(
        f"{LATENCY}.inter_token_latency.{{}}", "s",
        Text(zh="相邻 token 到达时刻之差；一个 chunk 里的 token 时刻相同，一次网络读取里的几乎相同。", en="Time between tokens; those of one chunk have one time, and those of one read of the network almost the same."),
        "itl_{}", statistics=WORDS,
        why=Text(zh="各 token 之间的间隔有许多几乎没有长度，不是 chunk 之间的间隔；它的分位数说的是网络包，不是步长。", en="Gaps of almost nothing are among those between tokens, so these are not the gaps between chunks: their percentiles tell of packets, not of steps."),
    ),
    Mapped(
        f"{LATENCY}.normalized_time_per_output_token.{{}}", "s", Text(zh="端到端时延 ÷ 输出 token 数。", en="End-to-end latency ÷ output tokens."),
        "tpot_{}", statistics=WORDS,
        why=Text(zh="时间里含 prefill，除数里含首个 token。", en="The prefill is in its time, and the first token in its divisor."),
    ),
    Mapped("load_summary.schedule_delay.mean", "s", Text(zh="实际发出 − 计划发出，取均值。", en="Actual sending − planned sending, the mean."), "client_schedule_lag_mean"),
    Mapped("load_summary.schedule_delay.p99", "s", Text(zh="实际发出 − 计划发出，p99。", en="Actual sending − planned sending, the p99."), "client_schedule_lag_p99"),
    Mapped(
        "load_summary.achieved_rate", "req/s", Text(zh="请求数 ÷ 首末两次发送之间的时间。", en="Requests ÷ time between the first and the last sending."), "rate",
        why=Text(zh="是客户端实际的发送速率，不是要求的，也不是完成的。", en="The rate at which the client sent, neither that asked for nor that of answers."),
    ),
    Mapped(
        f"{RATE}.input_tokens_per_sec", "tok/s", Text(zh="成功请求的输入 token ÷ {span}。", en="Prompt tokens of the requests answered ÷ {span}.").format(span=SPAN), "prompt_throughput",
        why=Text(zh="时间里还有生成。", en="The time holds the generation, too."),
    ),
)  # fmt: skip

CONDUCT: Final = Text(
    zh="按计划好的时刻发送，与回答无关；时延从实际发出算起，不含发送的滞后。默认不流式，那时没有 TTFT 与 TPOT。",
    en="It sends at times planned beforehand, whatever the answers do; latencies begin at the actual sending, so the lag of "
    "sending is not in them. By default nothing is streamed, and there is no TTFT and no TPOT.",
)
