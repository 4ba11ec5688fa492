"""Small numbers that reports state: slopes compared, lines that meet, batches, ratios of weights and tails."""

from __future__ import annotations

from typing import Final

from generator.kinds import Column, Picked, Unknown, metric
from generator.text import Text
from generator.themes import RECORDS

THEME: Final = RECORDS

PARALLEL = Unknown(Text(zh="两条线斜率相同，不相交", en="both lines rise alike and do not meet"))


@metric(
    "compared_marginal_step_cost − baseline_marginal_step_cost",
    scope="pair",
    unit="ms/slot",
    symbol="Δm",
    title=Text(zh="边际步长成本之差", en="difference of the marginal step costs"),
    meaning=Text(
        zh="每多一条在途请求，被比较的系列比基线多付多少步长。",
        en="How much more one more request adds to a step of the compared series than to one of the baseline.",
    ),
)
def marginal_step_cost_excess(compared_marginal_step_cost: float, baseline_marginal_step_cost: float) -> float:
    """Return compared − baseline. Seconds a slot."""
    return compared_marginal_step_cost - baseline_marginal_step_cost


@metric(
    "first(baseline_concurrency) + (first(baseline_itl_p50) − first(compared_itl_p50)) ÷ marginal_step_cost_excess",
    scope="pair",
    over="ladder",
    unit="1",
    symbol="C_lines",
    title=Text(zh="两条步长直线的交点", en="where the lines of the steps meet"),
    meaning=Text(
        zh="从最低的共有可用档出发，按各自的边际成本一直线性涨下去，两条步长在多大的并发相等。",
        en="The concurrency at which both steps are equal if each rises from the lowest usable level that both have by its "
        "own marginal cost.",
    ),
)
def step_lines_meet(
    baseline_concurrency: Column, baseline_itl_p50: Column, compared_itl_p50: Column, marginal_step_cost_excess: float
) -> Picked | Unknown:
    """Return first C + first difference of the steps ÷ difference of the slopes."""
    if marginal_step_cost_excess == 0:
        return PARALLEL
    gap = baseline_itl_p50[0] - compared_itl_p50[0]
    return Picked(float(baseline_concurrency[0] + gap / marginal_step_cost_excess), (0,))


@metric(
    "last(itl_p50) ÷ first(itl_p50)",
    scope="series",
    over="ladder",
    unit="ratio",
    style="times",
    symbol="r_step",
    better="lower",
    title=Text(zh="步长增长倍数", en="step at the highest level over the lowest"),
    meaning=Text(
        zh="可用档位里最高档的步长 ÷ 最低档的步长。", en="The step at the highest usable level ÷ at the lowest."
    ),
)
def step_growth(itl_p50: Column) -> Picked:
    """Return last ÷ first."""
    return Picked(float(itl_p50[-1] / itl_p50[0]), _ends(itl_p50))


@metric(
    "last(itl_p50) ÷ first(itl_p50) − 1",
    scope="series",
    over="ladder",
    unit="ratio",
    style="percent",
    symbol="δ_step",
    better="lower",
    title=Text(zh="步长涨了多少", en="rise of the step from the lowest level to the highest"),
    meaning=Text(
        zh="可用档位里最高档的步长比最低档多出的部分，以后者为单位。",
        en="What the step at the highest usable level has above that at the lowest, in units of the latter.",
    ),
)
def step_increase(itl_p50: Column) -> Picked:
    """Return last ÷ first − 1."""
    return Picked(float(itl_p50[-1] / itl_p50[0] - 1), _ends(itl_p50))


def _ends(column: Column) -> tuple[int, ...]:
    return tuple(sorted({0, len(column) - 1}))


@metric(
    "kept_in_flight × server_prefill",
    scope="level",
    unit="s",
    symbol="t_waveprefill",
    better="lower",
    title=Text(zh="一批请求的 prefill", en="prefill of one wave"),
    meaning=Text(
        zh="全部槽位各做一次 prefill、一次一条、不与解码重叠所需的时间。",
        en="Time for a prefill of every slot, one after the other and not beside the decode.",
    ),
)
def wave_prefill(kept_in_flight: float, server_prefill: float) -> float:
    """Return slots × prefill, in seconds."""
    return kept_in_flight * server_prefill


@metric(
    "log_timing_lines × asked_output_tokens",
    scope="level",
    unit="1",
    symbol="n_step′",
    digits=9,
    title=Text(zh="“解码步数”（按原报告）", en="“decode steps” as published"),
    meaning=Text(
        zh="原报告当作步数的那个数：日志里的请求数乘每条请求的输出 token。",
        en="What the published report took for steps: requests in the log times the output tokens of each.",
    ),
    why=Text(
        zh="一个批处理步同时为每个在途请求产出一个 token；请求数乘 token 数是 token，不是步。",
        en="A batched step yields a token for each request in flight; requests times tokens are tokens and no steps.",
    ),
)
def decode_steps__as_published(log_timing_lines: float, asked_output_tokens: float) -> float:
    """Return requests × output tokens."""
    return log_timing_lines * asked_output_tokens


@metric(
    "baseline_weight_bytes_per_step ÷ compared_weight_bytes_per_step",
    scope="pair",
    unit="ratio",
    style="times",
    symbol="W_ratio",
    title=Text(zh="权重压缩倍数", en="ratio of the weight bytes"),
    meaning=Text(
        zh="基线每步的权重字节 ÷ 被比较的系列的。", en="Weight bytes per step of the baseline ÷ of the compared."
    ),
)
def weight_bytes_ratio(baseline_weight_bytes_per_step: float, compared_weight_bytes_per_step: float) -> float:
    """Return baseline ÷ compared."""
    return baseline_weight_bytes_per_step / compared_weight_bytes_per_step


@metric(
    "completed × asked_output_tokens ÷ duration",
    scope="level",
    unit="tok/s",
    symbol="X_asked",
    better="higher",
    digits=5,
    title=Text(zh="按要求的长度算的输出吞吐", en="output throughput if every answer had its length"),
    meaning=Text(
        zh="完成的请求 × 要求的输出 token ÷ 耗时；等于每条回答都足长时的输出吞吐。",
        en="Completed requests × output tokens asked ÷ duration.",
    ),
)
def asked_output_throughput(completed: float, asked_output_tokens: float, duration: float) -> float:
    """Return completed × asked ÷ duration."""
    return completed * asked_output_tokens / duration


@metric(
    "asked_output_tokens_total − output_tokens_total",
    scope="series",
    unit="tok",
    symbol="n_missing",
    better="lower",
    digits=9,
    title=Text(zh="缺少的输出 token", en="output tokens missing"),
    meaning=Text(
        zh="完成的请求一共要求的输出 token 减去数到的。",
        en="Output tokens requested by the completed requests, less those counted.",
    ),
)
def output_tokens_missing(asked_output_tokens_total: float, output_tokens_total: float) -> float:
    """Return asked − counted."""
    return asked_output_tokens_total - output_tokens_total


@metric(
    "compared_itl_p99 ÷ baseline_itl_p99",
    scope="pair-level",
    unit="ratio",
    style="times",
    symbol="r_p99",
    better="lower",
    title=Text(zh="ITL p99 之比", en="ITL p99 ratio"),
    meaning=Text(zh="被比较的系列的 ITL p99 ÷ 基线的。", en="ITL p99 of the compared series ÷ of the baseline."),
)
def itl_p99_ratio(compared_itl_p99: float, baseline_itl_p99: float) -> float:
    """Return compared ÷ baseline."""
    return compared_itl_p99 / baseline_itl_p99
