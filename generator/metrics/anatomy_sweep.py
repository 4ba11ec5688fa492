"""Prefill against the length of the prompt: what it costs in any case, for each token, and for each pair of tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from generator.kinds import Answer, Column, Metric, Unknown, metric
from generator.numeric.fitting import Polynomial, polynomial
from generator.text import Text
from generator.themes import FIRST_TOKEN

THEME: Final = FIRST_TOKEN

LENGTHS_OF_LINE: Final = 3
LENGTHS_OF_CURVE: Final = 4
"""Different lengths that a fit needs: one more than it has coefficients, so that something is left to judge it by."""
APART: Final = 1.02
"""By what factor lengths differ at least: those of prompts vary a little around what was asked."""

FEW_FOR_LINE: Final = Unknown(
    Text(
        zh="一次只有一条请求在途、又知道 prefill 时间的档位里，不足三种输入长度",
        en="the levels with one request in flight and a known prefill have fewer than three input lengths",
    )
)
FEW_FOR_CURVE: Final = Unknown(
    Text(
        zh="一次只有一条请求在途、又知道 prefill 时间的档位里，不足四种输入长度",
        en="the levels with one request in flight and a known prefill have fewer than four input lengths",
    )
)
NOT_FIXED: Final = Unknown(
    Text(
        zh="去掉一个点就定不出曲线，或 prefill 时间没有变化",
        en="without one of the points no curve is fixed, or the prefill time does not vary",
    )
)
NOT_ALONE: Final = Unknown(
    Text(
        zh="不止一条请求在途，TTFT 与 prefill 里有别人的步子",
        en="more than one request is in flight, whose steps are in the TTFT and the prefill",
    )
)
WHY_CLIENT: Final = Text(
    zh="客户端看到的：并发为一时的 TTFT p50，含网络、HTTP、分词与首次采样；服务端什么都不说时只有它。",
    en="As the client sees it: the TTFT p50 with one request in flight, with network, HTTP, tokenizing and the first sampling "
    "in it. Where the server tells nothing, there is only this.",
)


@metric(
    "ttft_prefill ÷ kept_in_flight",
    scope="level",
    unit="ms",
    symbol="t_alone",
    better="lower",
    title=Text(zh="单独一条请求的 prefill", en="prefill of a request alone"),
    meaning=Text(
        zh="一次只有一条请求在途时的 prefill：服务端给出的均值，没有时是 TTFT p50。",
        en="Prefill with one request in flight at a time: the mean that the server gives, the TTFT p50 where it gives none.",
    ),
)
def prefill_alone(ttft_prefill: float, kept_in_flight: float) -> float | Unknown:
    """Return the prefill of a level whose requests meet no other. Seconds in and out."""
    return _alone(ttft_prefill, kept_in_flight)


def _alone(seconds: float, in_flight: float) -> float | Unknown:
    return seconds / in_flight if in_flight == 1 else NOT_ALONE


@prefill_alone.otherwise("ttft_p50 ÷ kept_in_flight")
def ttft_alone(ttft_p50: float, kept_in_flight: float) -> float | Unknown:
    """Return the median TTFT of a level whose requests meet no other."""
    return _alone(ttft_p50, kept_in_flight)


@metric(
    "ttft_p50 ÷ kept_in_flight",
    scope="level",
    unit="ms",
    symbol="TTFT_alone",
    better="lower",
    title=Text(zh="单独一条请求的 TTFT p50", en="TTFT p50 of a request alone"),
    meaning=Text(zh="一次只有一条请求在途时的 TTFT p50。", en="TTFT p50 with one request in flight at a time."),
    why=WHY_CLIENT,
)
def prefill_alone__client(ttft_p50: float, kept_in_flight: float) -> float | Unknown:
    """Return the median TTFT of a level whose requests meet no other."""
    return _alone(ttft_p50, kept_in_flight)


@metric(
    "prefill_tokens ÷ prefill_alone",
    scope="level",
    unit="tok/s",
    symbol="v_prefill",
    better="higher",
    title=Text(zh="单独一条请求的 prefill 速度", en="prefill speed of a request alone"),
    meaning=Text(
        zh="真正算的输入 token ÷ 单独一条请求的 prefill 时间。",
        en="Prompt tokens computed ÷ the prefill time of a request alone.",
    ),
)
def prefill_speed(prefill_tokens: float, prefill_alone: float) -> float:
    """Return tokens ÷ seconds."""
    return prefill_tokens / prefill_alone


def lengths(tokens: Column) -> int:
    """Return how many different lengths there are."""
    ordered = np.sort(tokens)
    return 1 + int((ordered[1:] > APART * ordered[:-1]).sum())


def _fitted(tokens: Column, times: Column, degree: int) -> Polynomial | Unknown:
    needed, few = (LENGTHS_OF_LINE, FEW_FOR_LINE) if degree == 1 else (LENGTHS_OF_CURVE, FEW_FOR_CURVE)
    return polynomial(tokens, times, degree) if lengths(tokens) >= needed else few


def _of_fit(
    key: str, formula: str, degree: int, pick: Callable[[Polynomial], float], *, unit: str, **declared: Any
) -> Metric:
    """Declare a number of a fit over every run of the usable levels."""

    def compute(prefill_tokens: Column, prefill_alone: Column) -> Answer:
        found = _fitted(prefill_tokens, prefill_alone, degree)
        if isinstance(found, Unknown):
            return found
        taken = pick(found)
        return taken if np.isfinite(taken) else NOT_FIXED

    compute.__name__ = key
    declare = metric(
        formula, scope="series", unit=unit, over="usable_trials", follows=("client",), why=WHY_CLIENT, **declared
    )  # fmt: skip
    return declare(compute)


LINE: Final = Text(
    zh="最小二乘直线 t = a + b·n，n 是真正算的输入 token，t 是单独一条请求的 prefill；取可用档位的每一次运行。标准误由逐个去掉一点时系数移动多少得出。",
    en="Least-squares line t = a + b·n over all runs of the usable levels; n is the prompt tokens computed, t the prefill of a "
    "request alone. Standard errors are from how far a term moves as each point in turn is left out.",
)
CURVE: Final = Text(
    zh="最小二乘抛物线 t = a + b·n + c·n²，点与直线的相同。",
    en="Least-squares parabola t = a + b·n + c·n² through the same points as the line.",
)


def _named(zh: str, en: str, fit: Text) -> dict[str, Text]:
    return {"title": Text(zh=zh, en=en), "meaning": Text(zh=f"{zh}。{fit.zh}", en=f"{en[0].upper()}{en[1:]}. {fit.en}")}


of_line: Final = (
    _of_fit(
        "prefill_fixed", "fit(prefill_tokens, prefill_alone, 1, 0)", 1, lambda fit: fit.coefficients[0],
        unit="ms", symbol="a", **_named("prefill 的固定开销", "fixed cost of a prefill", LINE),
    ),
    _of_fit(
        "prefill_fixed_error", "fit_error(prefill_tokens, prefill_alone, 1, 0)", 1, lambda fit: fit.errors[0],
        unit="ms", symbol="se(a)",
        **_named("prefill 固定开销的标准误", "standard error of the fixed cost of a prefill", LINE),
    ),
    _of_fit(
        "prefill_per_token", "fit(prefill_tokens, prefill_alone, 1, 1)", 1, lambda fit: fit.coefficients[1],
        unit="µs/tok", symbol="b", better="lower",
        **_named("每个输入 token 的 prefill", "prefill of each prompt token", LINE),
    ),
    _of_fit(
        "prefill_per_token_error", "fit_error(prefill_tokens, prefill_alone, 1, 1)", 1, lambda fit: fit.errors[1],
        unit="µs/tok", symbol="se(b)",
        **_named("每个输入 token 的 prefill 的标准误", "standard error of the prefill of each prompt token", LINE),
    ),
    _of_fit(
        "prefill_fit_r2", "fit_r2(prefill_tokens, prefill_alone, 1)", 1, lambda fit: fit.r2,
        unit="ratio", symbol="r²_prefill", digits=4,
        **_named("直线解释的方差占比", "share of variance that the line accounts for", LINE),
    ),
)  # fmt: skip
of_curve: Final = (
    _of_fit(
        "prefill_curve_fixed", "fit(prefill_tokens, prefill_alone, 2, 0)", 2, lambda fit: fit.coefficients[0],
        unit="ms", symbol="a₂", **_named("抛物线的固定开销", "fixed cost by the parabola", CURVE),
    ),
    _of_fit(
        "prefill_curve_fixed_error", "fit_error(prefill_tokens, prefill_alone, 2, 0)", 2, lambda fit: fit.errors[0],
        unit="ms", symbol="se(a₂)",
        **_named("抛物线固定开销的标准误", "standard error of the fixed cost by the parabola", CURVE),
    ),
    _of_fit(
        "prefill_curve_per_token", "fit(prefill_tokens, prefill_alone, 2, 1)", 2, lambda fit: fit.coefficients[1],
        unit="µs/tok", symbol="b₂", **_named("抛物线的一次项", "linear term of the parabola", CURVE),
    ),
    _of_fit(
        "prefill_per_token_squared", "fit(prefill_tokens, prefill_alone, 2, 2)", 2, lambda fit: fit.coefficients[2],
        unit="ns/tok²", symbol="c", **_named("抛物线的二次项", "quadratic term of the parabola", CURVE),
    ),
    _of_fit(
        "prefill_per_token_squared_error", "fit_error(prefill_tokens, prefill_alone, 2, 2)", 2,
        lambda fit: fit.errors[2],
        unit="ns/tok²", symbol="se(c)", **_named("二次项的标准误", "standard error of the quadratic term", CURVE),
    ),
    _of_fit(
        "prefill_curve_r2", "fit_r2(prefill_tokens, prefill_alone, 2)", 2, lambda fit: fit.r2,
        unit="ratio", symbol="r²_curve", digits=4,
        **_named("抛物线解释的方差占比", "share of variance that the parabola accounts for", CURVE),
    ),
)  # fmt: skip


@metric(
    "count(prefill_alone)",
    scope="series",
    unit="1",
    symbol="n_fit",
    over="usable_trials",
    digits=9,
    title=Text(zh="拟合 prefill 的点数", en="points that prefill is fitted to"),
    meaning=Text(
        zh="知道 prefill 与长度、一次只有一条请求在途的运行数。",
        en="Runs with one request in flight at a time of which prefill and length are known.",
    ),
)
def prefill_fit_points(prefill_alone: Column) -> float:
    """Count the runs."""
    return float(len(prefill_alone))
