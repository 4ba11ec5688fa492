"""Output tokens: how many were asked for, and how many were counted."""

from __future__ import annotations

from typing import Final

from generator.kinds import Column, metric, observed
from generator.places import column, fact
from generator.text import Text
from generator.themes import TOKENS

THEME: Final = TOKENS

output_tokens_mean = observed(
    "output_tokens_mean",
    scope="level",
    unit="tok",
    symbol="n̄_out",
    digits=5,
    places=[column("output_tokens_mean", "tok")],
    title=Text(zh="每条请求的输出 token 均值", en="output tokens per request, mean"),
    meaning=Text(zh="计数所得的输出 token ÷ 完成数。", en="Output tokens counted ÷ requests completed."),
)


input_tokens_counted = observed(
    "input_tokens_counted",
    scope="level",
    unit="tok",
    symbol="Σn_in",
    digits=12,
    places=[column("input_tokens_counted", "tok")],
    title=Text(zh="输入 token 计数", en="input tokens counted"),
    meaning=Text(zh="完成的请求的输入 token 之和。", en="Input tokens of the completed requests, added up."),
)
output_tokens_counted = observed(
    "output_tokens_counted",
    scope="level",
    unit="tok",
    symbol="Σn_out",
    digits=12,
    places=[column("output_tokens_counted", "tok")],
    title=Text(zh="输出 token 计数", en="output tokens counted"),
    meaning=Text(zh="完成的请求的输出 token 之和。", en="Output tokens of the completed requests, added up."),
)


@input_tokens_counted.otherwise("sum(request_input_tokens)")
def input_tokens_of_requests(request_input_tokens: Column) -> float:
    """Add up the prompts that were answered."""
    return float(request_input_tokens.sum())


@output_tokens_counted.otherwise("sum(request_output_tokens)")
def output_tokens_of_requests(request_output_tokens: Column) -> float:
    """Add up the answers."""
    return float(request_output_tokens.sum())


@output_tokens_mean.otherwise("output_tokens_counted ÷ completed")
def output_tokens_mean_from_count(output_tokens_counted: float, completed: float) -> float:
    """Spread the counted tokens over the completed requests."""
    return output_tokens_counted / completed


@output_tokens_mean.otherwise("output_throughput × duration ÷ completed")
def output_tokens_mean_from_throughput(output_throughput: float, duration: float, completed: float) -> float:
    """Undo the division by time that made the throughput."""
    return output_throughput * duration / completed


@metric(
    "output_tokens_mean × completed ÷ requests",
    scope="level",
    unit="tok",
    symbol="n_out ÷ N",
    digits=5,
    title=Text(zh="平摊到每条发出的请求的输出", en="output tokens for each request sent"),
    meaning=Text(
        zh="计到的输出 token ÷ 发出的请求数，失败的也算发出；没有记录发出数时按完成数算。",
        en="Output tokens counted ÷ requests sent, failed ones among them; ÷ requests completed where those sent are not on "
        "record.",
    ),
)
def output_tokens_per_request(output_tokens_mean: float, completed: float, requests: float) -> float:
    """Spread the counted tokens over the requests sent."""
    return output_tokens_mean * completed / requests


@output_tokens_per_request.otherwise("output_tokens_mean")
def output_tokens_per_completed_request(output_tokens_mean: float) -> float:
    """Return the mean of the answers: nobody says how many were sent."""
    return output_tokens_mean


tokens_per_chunk = observed(
    "tokens_per_chunk",
    scope="level",
    unit="tok/chunk",
    symbol="n_chunk",
    places=[column("tokens_per_chunk", "tok/chunk")],
    title=Text(zh="每个 chunk 的 token 数", en="tokens per chunk"),
    meaning=Text(zh="输出 token 数 ÷ 流式响应的 chunk 数。", en="Output tokens ÷ chunks of the stream."),
)


@tokens_per_chunk.otherwise("sum(request_output_tokens) ÷ sum(request_chunks)")
def tokens_per_chunk_seen(request_output_tokens: Column, request_chunks: Column) -> float:
    """Return all output tokens ÷ all chunks."""
    return float(request_output_tokens.sum() / request_chunks.sum())


@metric(
    "1 − output_tokens_mean ÷ asked_output_tokens",
    scope="level",
    unit="ratio",
    symbol="δ",
    better="lower",
    style="percent",
    title=Text(zh="输出缺口", en="output shortfall"),
    meaning=Text(zh="要求的输出里没有计到的比例。", en="Share of the requested output that was not counted."),
)
def output_shortfall(output_tokens_mean: float, asked_output_tokens: float) -> float:
    """Return 1 − counted ÷ asked."""
    return 1 - output_tokens_mean / asked_output_tokens


output_tokens_total = observed(
    "output_tokens_total",
    scope="series",
    unit="tok",
    symbol="Σn_out,all",
    over="trials",
    digits=9,
    places=[fact("output.tokens_total", "tok")],
    title=Text(zh="计到的输出 token 总数", en="output tokens counted in all"),
    meaning=Text(zh="该系列全部档位的输出 token 之和。", en="Output tokens over all levels of the series."),
)


@output_tokens_total.otherwise("sum(output_tokens_mean × completed)")
def output_tokens_total_from_levels(output_tokens_mean: Column, completed: Column) -> float:
    """Add up mean × completed over all levels."""
    return float((output_tokens_mean * completed).sum())


@metric(
    "sum(asked_output_tokens × completed)",
    scope="series",
    unit="tok",
    symbol="Σn_asked",
    over="trials",
    digits=9,
    title=Text(zh="要求的输出 token 总数", en="output tokens requested in all"),
    meaning=Text(zh="完成的请求本应产出的 token 数。", en="Tokens requested of the completed requests."),
)
def asked_output_tokens_total(asked_output_tokens: Column, completed: Column) -> float:
    """Add up asked × completed over all levels."""
    return float((asked_output_tokens * completed).sum())


@metric(
    "1 − compared_output_tokens_total ÷ compared_asked_output_tokens_total",
    scope="pair",
    unit="ratio",
    symbol="δ_out",
    better="lower",
    style="percent",
    title=Text(zh="输出缺口（全部档位）", en="output shortfall over all levels"),
    meaning=Text(
        zh="被比较的系列在全部档位上少计的输出比例。",
        en="Share of the output requested of the compared series, over all its levels, that was not counted.",
    ),
)
def output_token_deficit(compared_output_tokens_total: float, compared_asked_output_tokens_total: float) -> float:
    """Return 1 − counted ÷ asked over all levels of the compared series."""
    return 1 - compared_output_tokens_total / compared_asked_output_tokens_total
