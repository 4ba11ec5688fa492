"""Throughput: what the whole machine delivers, and what one slot does."""

from __future__ import annotations

from typing import Final

from generator.kinds import Column, Unknown, metric, observed
from generator.numeric.spilled import total
from generator.numeric.statistics import count_between
from generator.places import column
from generator.runs.requests import NOTHING_STEADY, OPEN_LOOP
from generator.text import Text, same
from generator.themes import THROUGHPUT

THEME: Final = THROUGHPUT

WHY_STEADY = Text(
    zh="总耗时里还有开头的爬升与结尾的排空；请求越少，这两段在平均里占得越多。",
    en="The duration also holds the ramp-up at the start and the drain at the end; the fewer the requests, the more "
    "these weigh in the mean.",
)


FEWEST: Final = 2
"""Tokens without which a part of a run has no rate."""
TOO_SHORT: Final = Unknown(
    Text(
        zh="稳态太短：从第一条回答结束到最后一次发出，几乎什么也没收到",
        en="the steady part is too short: next to nothing came between the end of the first answer and the last sending",
    )
)
output_throughput = observed(
    "output_throughput",
    scope="level",
    unit="tok/s",
    symbol="X",
    better="higher",
    places=[column("output_throughput", "tok/s")],
    title=Text(zh="输出吞吐", en="output throughput"),
    meaning=Text(zh="完成请求的输出 token 总数 ÷ 总耗时。", en="Output tokens of completed requests ÷ duration."),
)

total_token_throughput = observed(
    "total_token_throughput",
    scope="level",
    unit="tok/s",
    symbol="X_total",
    better="higher",
    places=[column("total_token_throughput", "tok/s")],
    title=Text(zh="总吞吐", en="total token throughput"),
    meaning=Text(zh="输入与输出 token 一起算的吞吐。", en="Input and output tokens of completed requests ÷ duration."),
)


@output_throughput.otherwise("sum(request_output_tokens) ÷ duration")
def output_throughput_of_requests(request_output_tokens: Column, duration: float) -> float:
    """Return the tokens of all answers ÷ duration."""
    return float(request_output_tokens.sum()) / duration


@total_token_throughput.otherwise("(sum(request_input_tokens) + sum(request_output_tokens)) ÷ duration")
def total_token_throughput_of_requests(
    request_input_tokens: Column, request_output_tokens: Column, duration: float
) -> float:
    """Return the tokens of all answered requests, prompts included, ÷ duration."""
    return float(request_input_tokens.sum() + request_output_tokens.sum()) / duration


@total_token_throughput.otherwise("output_throughput + asked_input_tokens × completed ÷ duration")
def total_token_throughput_from_output(
    output_throughput: float, asked_input_tokens: float, completed: float, duration: float
) -> float:
    """Add the input tokens of the completed requests to the output throughput."""
    return output_throughput + asked_input_tokens * completed / duration


@metric(
    "output_throughput + asked_input_tokens × completed ÷ duration",
    scope="level",
    unit="tok/s",
    symbol="X_acc",
    better="higher",
    digits=5,
    title=Text(zh="由输入与输出 token 算出的总吞吐", en="total throughput from input and output tokens"),
    meaning=Text(
        zh="输出吞吐，加上完成请求的输入 token ÷ 总耗时，输入按逐条计数，没有则按要求的长度；记录的总吞吐应当与它一致。",
        en="Output throughput, and the input of the completed requests ÷ duration: as counted, else as requested. A total "
        "on record should match it.",
    ),
)
def accounted_token_throughput(
    output_throughput: float, asked_input_tokens: float, completed: float, duration: float
) -> float:
    """Return output and input tokens a second, whatever total is on record."""
    return output_throughput + asked_input_tokens * completed / duration


@accounted_token_throughput.otherwise("output_throughput + sum(request_input_tokens) ÷ duration")
def accounted_token_throughput_of_requests(
    output_throughput: float, request_input_tokens: Column, duration: float
) -> float:
    """Return the same with the prompts as they were counted, request by request."""
    return output_throughput + float(request_input_tokens.sum()) / duration


@accounted_token_throughput.otherwise("output_throughput + input_tokens_counted ÷ duration")
def accounted_token_throughput_counted(output_throughput: float, input_tokens_counted: float, duration: float) -> float:
    """Return the same with the input tokens that the client counted."""
    return output_throughput + input_tokens_counted / duration


@metric(
    "completed ÷ duration",
    scope="level",
    unit="req/s",
    symbol="X_req",
    better="higher",
    places=(column("request_throughput", "req/s"),),
    title=Text(zh="请求吞吐", en="request throughput"),
    meaning=Text(zh="每秒完成的请求数。", en="Requests completed each second."),
)
def request_throughput(completed: float, duration: float) -> float:
    """Return completed requests ÷ duration."""
    return completed / duration


@request_throughput.otherwise("count(answered) ÷ duration")
def request_throughput_of_requests(answered: Column, duration: float) -> float:
    """Return the requests that came back ÷ duration."""
    return len(answered) / duration


@metric(
    "sum(tokens_in_window) ÷ (steady_end − steady_start)",
    scope="level",
    unit="tok/s",
    symbol="X_steady",
    better="higher",
    title=Text(zh="稳态输出吞吐", en="output throughput, steady part"),
    meaning=Text(
        zh="稳态里收到的 token ÷ 稳态的长度；同一个 chunk 的 token 记在同一时刻。",
        en="Tokens that came in the steady part ÷ its length; the tokens of a chunk share its time.",
    ),
    why=WHY_STEADY,
)
def output_throughput__steady(tokens_in_window: Column, steady_start: float, steady_end: float) -> float | Unknown:
    """Return the tokens a second between two moments."""
    if steady_end <= steady_start:
        return Unknown(NOTHING_STEADY)
    tokens = total(tokens_in_window)
    return tokens / (steady_end - steady_start) if tokens >= FEWEST else TOO_SHORT


@metric(
    "count_between(answer_end, steady_start, steady_end) ÷ (steady_end − steady_start)",
    scope="level",
    unit="req/s",
    symbol="X_req,steady",
    better="higher",
    title=Text(zh="稳态请求吞吐", en="request throughput, steady part"),
    meaning=Text(zh="稳态里结束的回答 ÷ 稳态的长度。", en="Answers that ended in the steady part ÷ its length."),
    why=WHY_STEADY,
)
def request_throughput__steady(answer_end: Column, steady_start: float, steady_end: float) -> float | Unknown:
    """Return the answers a second between two moments."""
    if steady_end <= steady_start:
        return Unknown(NOTHING_STEADY)
    ended = count_between(answer_end, steady_start, steady_end)
    return ended / (steady_end - steady_start) if ended else TOO_SHORT


request_goodput = observed(
    "request_goodput",
    scope="level",
    unit="req/s",
    symbol="X_good",
    better="higher",
    places=[column("request_goodput", "req/s")],
    title=same("goodput"),
    meaning=Text(zh="每秒完成且达到时延目标的请求数。", en="Requests per second that met the latency targets set."),
)


@metric(
    "request_goodput ÷ request_throughput",
    scope="level",
    unit="ratio",
    symbol="X_good ÷ X_req",
    better="higher",
    style="percent",
    title=Text(zh="达标的份额", en="share that met the targets"),
    meaning=Text(zh="goodput ÷ 请求吞吐。", en="Goodput ÷ request throughput."),
)
def goodput_share(request_goodput: float, request_throughput: float) -> float:
    """Return goodput ÷ throughput."""
    return request_goodput / request_throughput


@metric(
    "1 ÷ itl_p50",
    scope="level",
    unit="tok/s",
    symbol="v",
    better="higher",
    digits=4,
    title=Text(zh="逐槽解码速率", en="decode rate of one slot"),
    meaning=Text(
        zh="没被打断时，一条请求每秒产出的 token 数。",
        en="Tokens per second of one request while nothing interrupts it.",
    ),
)
def slot_decode_rate(itl_p50: float) -> float:
    """Return the reciprocal of the median gap."""
    return 1 / itl_p50


@metric(
    "kept_in_flight ÷ itl_p50",
    scope="level",
    unit="tok/s",
    symbol="X_0",
    better="higher",
    title=Text(zh="没有停顿时的吞吐", en="throughput without stalls"),
    meaning=Text(
        zh="逐槽速率 × 并发：若每一步都像典型的那一步，整台机器会产出多少。实测低于它，差在停顿与 prefill。",
        en="Rate of a slot × concurrency: what the machine would deliver if every step were the typical one. Stalls and "
        "prefill make up the difference from what is measured.",
    ),
)
def undisturbed_throughput(kept_in_flight: float, itl_p50: float) -> float | Unknown:
    """Return the throughput of undisturbed decoding. Seconds in, tokens a second out."""
    return kept_in_flight / itl_p50 if kept_in_flight else Unknown(OPEN_LOOP)
