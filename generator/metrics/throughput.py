"""Throughput: what the whole machine delivers, and what one slot does."""

from __future__ import annotations

from generator.kinds import column, metric, observed
from generator.text import Text

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
    title=Text(zh="按 token 账算出的总吞吐", en="total throughput by the token account"),
    meaning=Text(
        zh="输出吞吐，加上完成请求按要求长度计的输入 token ÷ 总耗时；记录的总吞吐应当与它一致。",
        en="Output throughput, and the input asked of the completed requests ÷ duration; a total on record should meet it.",
    ),
)
def accounted_token_throughput(
    output_throughput: float, asked_input_tokens: float, completed: float, duration: float
) -> float:
    """Return output and input tokens a second, whatever total is on record."""
    return output_throughput + asked_input_tokens * completed / duration


@metric(
    "completed ÷ duration",
    scope="level",
    unit="req/s",
    symbol="X_req",
    better="higher",
    title=Text(zh="请求吞吐", en="request throughput"),
    meaning=Text(zh="每秒完成的请求数。", en="Requests completed each second."),
)
def request_throughput(completed: float, duration: float) -> float:
    """Return completed requests ÷ duration."""
    return completed / duration


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
        en="Tokens a second of one request while nothing interrupts it.",
    ),
)
def slot_decode_rate(itl_p50: float) -> float:
    """Return the reciprocal of the median gap."""
    return 1 / itl_p50


@metric(
    "concurrency ÷ itl_p50",
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
def undisturbed_throughput(concurrency: float, itl_p50: float) -> float:
    """Return the throughput of undisturbed decoding. Seconds in, tokens a second out."""
    return concurrency / itl_p50
