"""Latencies as vLLM defines them: TTFT, ITL, TPOT, E2EL, each with mean and percentiles."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from generator.kinds import STEADY, Answer, Column, Derivation, Metric, Unknown, from_samples, metric, observed
from generator.numeric import statistics
from generator.places import column
from generator.runs.zeros import zero_latency
from generator.text import Text, same
from generator.themes import LATENCY

THEME: Final = LATENCY

MEANINGS: Final = {
    "ttft": Text(zh="从发出请求到收到第一个输出 token。", en="From sending a request to its first output token."),
    "itl": Text(
        zh="相邻两次输出之间的间隔；所有请求的间隔放在一起统计。",
        en="Gap between one output and the next; the gaps of all requests are pooled.",
    ),
    "tpot": Text(
        zh="单条请求在第一个 token 之后平均每个 token 的时间：(E2EL − TTFT) ÷ (输出 token 数 − 1)。",
        en="Mean time per token after the first, of one request: (E2EL − TTFT) ÷ (output tokens − 1).",
    ),
    "e2el": Text(zh="从发出请求到收到最后一个 token。", en="From sending a request to its last token."),
}
STATISTICS: Final = {
    "mean": Text(zh="均值", en="mean"),
    "p50": same("p50"),
    "p90": same("p90"),
    "p95": same("p95"),
    "p99": same("p99"),
}
NO_GAP: Final = Unknown(
    Text(zh="回答不超过一个输出 token，没有间隔", en="answers have one output token, so there is no gap")
)


WHILE_STEADY: Final = Text(
    zh="{meaning}只取稳态里发出的请求：第一条回答结束之后，到末条请求发出为止。",
    en="{meaning} Only requests sent while the load was steady count: after the first answer had ended, up to the last "
    "request sent.",
)
WHY_STEADY: Final = Text(
    zh="起初槽位还空着，收尾阶段并发已降；把它们也算进去，时延会偏离引擎在满载时的样子。",
    en="The first requests meet empty slots, and the last ones run at falling concurrency; counted in, they pull the "
    "statistic away from what the engine does under the full load.",
)


def _taken(quantity: str, statistic: str, of: str = "") -> Derivation:
    """Describe how a statistic is taken from the requests of a run."""
    sample = f"{of}request_{quantity}"

    def compute(**samples: Column) -> Answer:
        return statistics.statistic(statistic, samples[sample])

    return from_samples(compute, statistics.formula(statistic, sample), sample)


def _latency(quantity: str, statistic: str) -> Metric:
    key = f"{quantity}_{statistic}"
    name = STATISTICS[statistic]
    return observed(
        key, scope="level", unit="ms", better="lower", symbol=f"{quantity.upper()}_{statistic}",
        places=[column(f"{key}_ms", "ms")], meaning=MEANINGS[quantity],
        title=Text(zh=f"{quantity.upper()} {name.zh}", en=f"{quantity.upper()} {name.en}"),
        derivations=[_taken(quantity, statistic)], zero=zero_latency(key),
    )  # fmt: skip


def _while_steady(quantity: str, statistic: str) -> Metric:
    whole = _latency(quantity, statistic)
    meaning = WHILE_STEADY.format(meaning=MEANINGS[quantity])
    return replace(
        whole, basis=STEADY, places=(), meaning=meaning, why=WHY_STEADY,
        title=Text(zh=f"稳态 {whole.title.zh}", en=f"{whole.title.en}, steady part"),
        derivations=[_taken(quantity, statistic, "steady_")],
    )  # fmt: skip


def _samples(quantity: str) -> Metric:
    sample, name = f"request_{quantity}", quantity.upper()

    def compute(**samples: Column) -> Answer:
        return float(len(samples[sample]))

    return Metric(
        f"{quantity}_samples", scope="level", unit="1", symbol=f"n_{name}", digits=12,
        title=Text(zh=f"{name} 样本数", en=f"{name} samples"),
        meaning=Text(zh=f"{name} 的统计量取自多少条请求。", en=f"How many requests the {name} statistics rest on."),
        derivations=[from_samples(compute, f"count({sample})", sample)],
    )  # fmt: skip


latencies = tuple(_latency(quantity, statistic) for quantity in MEANINGS for statistic in STATISTICS)
steady_latencies = tuple(_while_steady(quantity, statistic) for quantity in MEANINGS for statistic in ("p50", "p99"))
sample_sizes = tuple(_samples(quantity) for quantity in ("ttft", "tpot", "e2el"))


@metric(
    "(e2el_p50 − ttft_p50) ÷ gaps_per_request",
    scope="level",
    unit="ms",
    better="lower",
    symbol="TPOT_implied",
    title=Text(zh="由端到端时延反推的 TPOT", en="TPOT implied by the end-to-end latency"),
    meaning=Text(
        zh="用 E2EL 与 TTFT 的中位数之差除以间隔数；与 ITL 对不上就说明有一方定义不同。",
        en="The medians of E2EL and TTFT, their difference spread over the gaps; where it disagrees with the ITL, "
        "one of them is defined differently.",
    ),
)
def tpot_implied(e2el_p50: float, ttft_p50: float, gaps_per_request: float) -> float | Unknown:
    """Spread what is left of the end-to-end latency over the gaps. Seconds in, seconds a token out."""
    if gaps_per_request <= 0:
        return NO_GAP
    return (e2el_p50 - ttft_p50) / gaps_per_request


@tpot_implied.otherwise("(e2el_p50 − ttft_p50) ÷ (output_tokens_mean − 1)")
def tpot_implied_counted(e2el_p50: float, ttft_p50: float, output_tokens_mean: float) -> float | Unknown:
    """Spread it over the gaps of the mean answer, where no length was declared."""
    if output_tokens_mean <= 1:
        return NO_GAP
    return (e2el_p50 - ttft_p50) / (output_tokens_mean - 1)


@metric(
    "tpot_implied ÷ itl_mean − 1",
    scope="level",
    unit="ratio",
    style="percent",
    symbol="ε_TPOT",
    digits=2,
    title=Text(zh="反推的 TPOT 与 ITL 均值之差", en="difference between the implied TPOT and the mean ITL"),
    meaning=Text(
        zh="典型请求每个 token 的时间，比全部间隔的均值多出的部分；为负表示典型请求比均值快。",
        en="How far the typical request's time per token is above the mean of all gaps; negative where it is faster.",
    ),
)
def tpot_implied_departure(tpot_implied: float, itl_mean: float) -> float:
    """Return implied ÷ mean − 1."""
    return tpot_implied / itl_mean - 1


@metric(
    "concurrency × duration ÷ (completed × gaps_per_request)",
    scope="level",
    unit="ms",
    symbol="TPOT_max",
    digits=4,
    title=Text(zh="TPOT 均值的上限", en="upper bound of the mean TPOT"),
    meaning=Text(
        zh="并发 × 总耗时全部用来解码，摊到完成请求的每个间隔上；请求都产出要求的长度时，TPOT 均值不可能更大。",
        en="All of concurrency × duration spent on decoding, spread over the gaps of the completed requests: where "
        "they have the requested length, no mean TPOT can be above it.",
    ),
)
def tpot_bound(concurrency: float, duration: float, completed: float, gaps_per_request: float) -> float | Unknown:
    """Return the time of all slots ÷ the gaps between the tokens of all requests. Seconds in, seconds out."""
    if gaps_per_request <= 0:
        return NO_GAP
    return concurrency * duration / (completed * gaps_per_request)


@metric(
    "ttft_p50 + (output_tokens_mean − 1) × tpot_p50",
    scope="level",
    unit="ms",
    symbol="E2EL_parts",
    digits=4,
    title=Text(zh="由 TTFT 与 TPOT 合成的端到端时延", en="end-to-end latency put together from TTFT and TPOT"),
    meaning=Text(
        zh="TTFT 的中位数，加上每个间隔一个 TPOT 中位数。", en="The median TTFT, and a median TPOT for every gap."
    ),
)
def e2el_from_parts(ttft_p50: float, output_tokens_mean: float, tpot_p50: float) -> float:
    """Return the first token and the gaps of the mean answer behind it, in seconds."""
    return ttft_p50 + (output_tokens_mean - 1) * tpot_p50


@e2el_from_parts.otherwise("ttft_p50 + gaps_per_request × tpot_p50")
def e2el_from_asked_parts(ttft_p50: float, gaps_per_request: float, tpot_p50: float) -> float:
    """Return the same with the gaps of an answer as long as was asked, where none was counted."""
    return ttft_p50 + gaps_per_request * tpot_p50


@metric(
    "e2el_p50 ÷ e2el_from_parts − 1",
    scope="level",
    unit="ratio",
    style="percent",
    symbol="ε_E2EL",
    digits=2,
    title=Text(zh="端到端时延与其各部分之差", en="difference between the end-to-end latency and its parts"),
    meaning=Text(
        zh="E2EL 的中位数比由 TTFT 与 TPOT 合成的多出的部分。",
        en="How far the median E2EL is above what TTFT and TPOT put together.",
    ),
)
def e2el_closure(e2el_p50: float, e2el_from_parts: float) -> float:
    """Return measured ÷ put together − 1."""
    return e2el_p50 / e2el_from_parts - 1


@metric(
    "ttft_p50 ÷ e2el_p50",
    scope="level",
    unit="ratio",
    better="lower",
    style="percent",
    symbol="TTFT ÷ E2EL",
    title=same("TTFT ÷ E2EL"),
    meaning=Text(zh="两者都取中位数。", en="Both at their medians."),
)
def ttft_share(ttft_p50: float, e2el_p50: float) -> float:
    """Return TTFT ÷ E2EL, medians."""
    return ttft_p50 / e2el_p50


@metric(
    "completed × gaps_per_request",
    scope="level",
    unit="1",
    symbol="n_ITL",
    digits=12,
    title=Text(zh="ITL 样本数", en="ITL samples"),
    meaning=Text(
        zh="完成的请求数 × 每条请求的间隔数；按要求的输出长度计，逐 token 返回时的上限。",
        en="Completed requests × gaps per request, by the requested output: an upper bound, met where each token "
        "comes alone.",
    ),
)
def itl_samples(completed: float, gaps_per_request: float) -> float:
    """Count the gaps behind the ITL statistics of a level."""
    return completed * gaps_per_request


@itl_samples.otherwise("count(request_itl)")
def itl_samples_counted(request_itl: Column) -> float:
    """Count the gaps that were seen."""
    return float(len(request_itl))


@metric(
    "sum(itl_samples)",
    scope="series",
    unit="1",
    symbol="Σn_ITL",
    over="trials",
    digits=12,
    title=Text(zh="ITL 样本总数", en="ITL samples in all"),
    meaning=Text(zh="该系列全部档位的 ITL 样本数之和。", en="ITL samples over all levels of the series."),
)
def itl_samples_total(itl_samples: Column) -> float:
    """Add up the samples of all levels."""
    return float(itl_samples.sum())
