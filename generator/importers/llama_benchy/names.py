"""What the numbers of llama-benchy mean: rates in tokens a second, times in milliseconds."""

from __future__ import annotations

from typing import Final

from generator.mapping import Mapped
from generator.text import Text

TOOL: Final = "llama-benchy"
MEAN: Final = {"mean": "mean"}
OF_REQUEST: Final = Text(zh="是一条请求的速率，不是整台服务的吞吐。", en="The rate of one request, not of the server.")
OF_SECOND: Final = Text(zh="是最好的一秒，不是平均。", en="It is the best second, not a mean.")
EACH_BATCH: Final = Text(
    zh="每批一个；没有逐批的数时用均值。", en="One a batch; the mean where there is not one for each."
)
ASKED_INPUT: Final = "prompt_size + context_size"

MAPPING: Final = (
    Mapped("pp_throughput.values", "tok/s", Text(zh="一批请求的 prompt token ÷ (最后一个首 token − 第一次发送)；只有一条时，时间是 est_ppt。{each}", en="Prompt tokens of a batch of requests ÷ (last first token − first sending); of a single one, ÷ est_ppt. {each}").format(each=EACH_BATCH), "prompt_throughput", aliases=("pp_throughput.mean",)),
    Mapped("tg_throughput.values", "tok/s", Text(zh="一批请求首 token 之后的 token ÷ (末个结束 − 最早的首 token)。{each}", en="Tokens after the first of a batch of requests ÷ (last end − earliest first token). {each}").format(each=EACH_BATCH), "generation_throughput", aliases=("tg_throughput.mean",)),
    Mapped("e2e_ttft.{}", "ms", Text(zh="从发出到第一个有内容的 token；逐条的数都在时，由它们重算。", en="From sending to the first token with content; computed anew from the single requests where they are all there."), "ttft_{}", statistics=MEAN, zero_is_missing=True),
    Mapped(
        "ttfr.{}", "ms", Text(zh="从发出请求到收到服务端的第一个响应，它可以是空的 chunk。", en="From sending to the first response of the server, which may be an empty chunk."), "ttft_{}", statistics=MEAN,
        why=Text(zh="第一个响应里未必有 token。", en="The first response need not hold a token."),
    ),
    Mapped(
        "est_ppt.{}", "ms", Text(zh="ttfr − 另测的网络时延。", en="ttfr − a network latency that is measured apart."), "ttft_{}", statistics=MEAN,
        why=Text(zh="是估计的 prefill 时间，已减去网络时延。", en="An estimate of the prefill, from which the network's latency is taken off."),
    ),
    Mapped("pp_req_throughput.mean", "tok/s", Text(zh="单条请求的 prompt token ÷ est_ppt，取均值。", en="Prompt tokens of a request ÷ est_ppt, the mean over requests."), "prompt_throughput", why=OF_REQUEST),
    Mapped("tg_req_throughput.mean", "tok/s", Text(zh="单条请求的 (n − 1) ÷ (末 token − 首 token)，取均值。", en="(n − 1) ÷ (last token − first token) of a request, the mean over requests."), "generation_throughput", why=OF_REQUEST),
    Mapped("peak_throughput.mean", "tok/s", Text(zh="一秒内最多的 token 数。", en="The most tokens within a second."), "generation_throughput", why=OF_SECOND),
    Mapped("peak_req_throughput.mean", "tok/s", Text(zh="单条请求一秒内最多的 token 数。", en="The most tokens of a request within a second."), "generation_throughput", why=OF_SECOND),
    Mapped(ASKED_INPUT, "tok", Text(zh="请求里全部的 token：prompt 与在它之前的上下文。", en="All tokens of a request: its prompt and the context before it."), "asked_input_tokens", zero_is_missing=True),
    Mapped("response_size", "tok", Text(zh="要求的输出长度。", en="Output length asked for."), "asked_output_tokens", zero_is_missing=True),
)  # fmt: skip

CONDUCT: Final = Text(
    zh="一次发出与并发数一样多的请求，全部结束后再发下一批；失败的请求不计数，也不写进文件。",
    en="It sends as many requests at once as the concurrency says, and the next batch once all have ended; requests that fail "
    "are neither counted nor written down.",
)
