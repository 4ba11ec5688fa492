"""Whether the KV pool fills in a straight line with the tokens in flight, and how many bytes a token takes by that.

Each run is told by six numbers: how many settled samples it has, mean and spread of tokens and of use, and how these go
together. The least-squares line over all samples of all usable runs follows from them exactly (Chan, Golub and LeVeque
1983, "Algorithms for computing the sample variance"), so that no sample has to be carried from run to run.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from generator.kinds import Column, Unknown, metric
from generator.text import Text
from generator.themes import MEMORY

THEME: Final = MEMORY

NOISE: Final = 1e-9
"""Of a number: what arithmetic makes equal ones differ by."""
FEWEST: Final = 3
"""Samples that a line needs, so that something is left over to tell how well it fits."""

ONE_LOAD: Final = Unknown(
    Text(
        zh="各采样时刻在途的 token 数都一样，定不出一条直线",
        en="the same tokens were in flight at all samples, which fixes no line",
    )
)
TOO_FEW: Final = Unknown(
    Text(
        zh="能用的采样不足三个，定不出一条直线",
        en="fewer than three samples can be used, which fix no line",
    )
)
NO_CHANGE: Final = Unknown(Text(zh="KV 池占用没有变化", en="the use of the KV pool did not change"))
NO_RISE: Final = Unknown(
    Text(
        zh="KV 池占用没有随在途的 token 数上升",
        en="the use of the KV pool does not rise with the tokens in flight",
    )
)


@metric(
    "count(settled_tokens)",
    scope="level",
    unit="1",
    symbol="N_fit",
    digits=9,
    title=Text(zh="在途 token 数已知的采样", en="samples with the tokens in flight known"),
    meaning=Text(
        zh="引擎开始处理的请求都已有首个 token 的采样时刻：此时客户端才知道池里有多少 token。",
        en="Samples at which every admitted request had its first token: only then does the client know what is "
        "in the pool.",
    ),
)
def kv_fit_samples(settled_tokens: Column) -> float:
    """Return how many samples are settled."""
    return float(len(settled_tokens))


@metric(
    "mean(settled_tokens + settled_sequences × kv_block_rounding)",
    scope="level",
    unit="tok",
    symbol="n̄_flight",
    digits=4,
    title=Text(zh="在途 token 数，均值", en="mean tokens in flight"),
    meaning=Text(
        zh="客户端所知的在途 token 数：输入加已收到的输出；块大小已知时加上取整多占的。",
        en="Tokens that the client knew to be in flight, of prompts and answers so far; with what rounding to blocks adds, "
        "where their size is known.",
    ),
)
def kv_fit_tokens_mean(settled_tokens: Column, settled_sequences: Column, kv_block_rounding: float) -> float:
    """Return the mean over settled samples, in tokens."""
    return float((settled_tokens + settled_sequences * kv_block_rounding).mean())


@kv_fit_tokens_mean.otherwise("mean(settled_tokens)")
def kv_fit_tokens_mean_unrounded(settled_tokens: Column) -> float:
    """Return it where no block size is known."""
    return float(settled_tokens.mean())


@metric(
    "sd(settled_tokens + settled_sequences × kv_block_rounding)",
    scope="level",
    unit="tok",
    symbol="s_flight",
    title=Text(zh="在途 token 数，标准差", en="spread of tokens in flight"),
    meaning=Text(zh="各采样时刻之间的标准差。", en="Standard deviation over the samples."),
)
def kv_fit_tokens_sd(settled_tokens: Column, settled_sequences: Column, kv_block_rounding: float) -> float:
    """Return the standard deviation over settled samples, in tokens."""
    return float((settled_tokens + settled_sequences * kv_block_rounding).std())


@kv_fit_tokens_sd.otherwise("sd(settled_tokens)")
def kv_fit_tokens_sd_unrounded(settled_tokens: Column) -> float:
    """Return it where no block size is known."""
    return float(settled_tokens.std())


@metric(
    "mean(settled_usage)",
    scope="level",
    unit="ratio",
    symbol="ū_fit",
    style="percent",
    title=Text(zh="这些采样的 KV 池占用，均值", en="mean pool use of these samples"),
    meaning=Text(
        zh="引擎自报的份额；只报告槽位里 token 数的引擎，用它除以池的容量。",
        en="The share that the engine gives; of one that only gives the tokens in its slots, these ÷ the pool's tokens.",
    ),
)
def kv_fit_usage_mean(settled_usage: Column) -> float:
    """Return the mean share over settled samples."""
    return float(settled_usage.mean())


@kv_fit_usage_mean.otherwise("mean(settled_slot_tokens) ÷ kv_pool_tokens")
def kv_fit_usage_mean_of_slots(settled_slot_tokens: Column, kv_pool_tokens: float) -> float:
    """Return the tokens in slots ÷ those that the pool holds."""
    return float(settled_slot_tokens.mean()) / kv_pool_tokens


@metric(
    "sd(settled_usage)",
    scope="level",
    unit="ratio",
    symbol="s_fit",
    style="percent",
    title=Text(zh="这些采样的 KV 池占用，标准差", en="spread of pool use of these samples"),
    meaning=Text(zh="各采样时刻之间的标准差。", en="Standard deviation over the samples."),
)
def kv_fit_usage_sd(settled_usage: Column) -> float:
    """Return the standard deviation of the share over settled samples."""
    return float(settled_usage.std())


@kv_fit_usage_sd.otherwise("sd(settled_slot_tokens) ÷ kv_pool_tokens")
def kv_fit_usage_sd_of_slots(settled_slot_tokens: Column, kv_pool_tokens: float) -> float:
    """Return that of the tokens in slots ÷ those that the pool holds."""
    return float(settled_slot_tokens.std()) / kv_pool_tokens


def _together(tokens: Column, use: Column) -> float:
    """Return Pearson's correlation; 0 where either does not change, as nothing goes together then."""
    spread = tokens.std() * use.std()
    return float(((tokens - tokens.mean()) * (use - use.mean())).mean() / spread) if spread else 0.0


@metric(
    "correlation(settled_tokens + settled_sequences × kv_block_rounding, settled_usage)",
    scope="level",
    unit="ratio",
    symbol="r_fit",
    title=Text(zh="在途 token 数与池占用的相关", en="correlation of tokens in flight and pool use"),
    meaning=Text(
        zh="一次运行里两者的相关系数；有一个不变时记为零。",
        en="Pearson's coefficient within a run; zero where one of the two does not change.",
    ),
)
def kv_fit_correlation(
    settled_tokens: Column, settled_sequences: Column, kv_block_rounding: float, settled_usage: Column
) -> float:
    """Return how tokens, rounded to blocks, and share go together over settled samples."""
    return _together(settled_tokens + settled_sequences * kv_block_rounding, settled_usage)


@kv_fit_correlation.otherwise("correlation(settled_tokens, settled_usage)")
def kv_fit_correlation_unrounded(settled_tokens: Column, settled_usage: Column) -> float:
    """Return it where no block size is known."""
    return _together(settled_tokens, settled_usage)


@kv_fit_correlation.otherwise("correlation(settled_tokens, settled_slot_tokens)")
def kv_fit_correlation_of_slots(settled_tokens: Column, settled_slot_tokens: Column) -> float:
    """Return it of the tokens in slots: a share of one pool goes as they do."""
    return _together(settled_tokens, settled_slot_tokens)


class _Fit(NamedTuple):
    """A least-squares line through all samples: how many, the means, and the sums of squares about them."""

    n: float
    tokens: float
    use: float
    of_tokens: float
    of_both: float
    of_use: float

    @property
    def slope(self) -> float:
        return self.of_both / self.of_tokens

    @property
    def unexplained(self) -> float:
        """Return the sum of squares that the line leaves over; what arithmetic makes negative is none."""
        return max(self.of_use - self.slope * self.of_both, 0.0)


def _pooled(
    n: Column, tokens: Column, tokens_sd: Column, use: Column, use_sd: Column, together: Column
) -> _Fit | Unknown:
    """Return the line through the samples of several runs, of what is known of each."""
    total = float(n.sum())
    if total < FEWEST:
        return TOO_FEW
    middle, level = float((n * tokens).sum() / total), float((n * use).sum() / total)
    across, up = tokens - middle, use - level
    fit = _Fit(
        total, middle, level,
        float((n * (tokens_sd**2 + across**2)).sum()),
        float((n * (together * tokens_sd * use_sd + across * up)).sum()),
        float((n * (use_sd**2 + up**2)).sum()),
    )  # fmt: skip
    if _is_flat(fit.of_tokens, total, middle):
        return ONE_LOAD
    return NO_CHANGE if _is_flat(fit.of_use, total, level) else fit


def _is_flat(squares: float, n: float, mean: float) -> bool:
    """Say whether a sum of squares about a mean is what arithmetic leaves of numbers that are all the same."""
    return squares <= n * (NOISE * mean) ** 2


RUNS: Final = (
    "kv_fit_samples, kv_fit_tokens_mean, kv_fit_tokens_sd, kv_fit_usage_mean, kv_fit_usage_sd, kv_fit_correlation"
)


@metric(
    f"line_slope({RUNS})",
    scope="series",
    unit="1/Mtok",
    symbol="b_KV",
    over="usable_trials",
    title=Text(zh="KV 池占用随在途 token 数的斜率", en="slope of pool use against tokens in flight"),
    meaning=Text(
        zh="全部可用运行的采样、权重相同的最小二乘直线：每多这么多在途 token，池占用多出的份额。",
        en="Least-squares line over the samples of all usable runs, weighted alike: the share of the pool that tokens take.",
    ),
)
def kv_slope(
    kv_fit_samples: Column, kv_fit_tokens_mean: Column, kv_fit_tokens_sd: Column, kv_fit_usage_mean: Column,
    kv_fit_usage_sd: Column, kv_fit_correlation: Column,
) -> float | Unknown:  # fmt: skip
    """Return Σ(x − x̄)(y − ȳ) ÷ Σ(x − x̄)², as a share of the pool for each token."""
    fit = _pooled(
        kv_fit_samples, kv_fit_tokens_mean, kv_fit_tokens_sd, kv_fit_usage_mean, kv_fit_usage_sd, kv_fit_correlation
    )
    if isinstance(fit, Unknown):
        return fit
    return fit.slope if fit.slope > 0 else NO_RISE


@metric(
    f"line_intercept({RUNS})",
    scope="series",
    unit="ratio",
    symbol="a_KV",
    style="percent",
    over="usable_trials",
    title=Text(zh="没有在途 token 时的 KV 池占用", en="pool use at no tokens in flight"),
    meaning=Text(
        zh="同一条直线在零处的值；明显大于零，说明池里有不随 token 变的占用。",
        en="The same line at zero. Well above zero, something in the pool does not go with the tokens.",
    ),
)
def kv_intercept(
    kv_fit_samples: Column, kv_fit_tokens_mean: Column, kv_fit_tokens_sd: Column, kv_fit_usage_mean: Column,
    kv_fit_usage_sd: Column, kv_fit_correlation: Column,
) -> float | Unknown:  # fmt: skip
    """Return ȳ − b × x̄, as a share of the pool."""
    fit = _pooled(
        kv_fit_samples, kv_fit_tokens_mean, kv_fit_tokens_sd, kv_fit_usage_mean, kv_fit_usage_sd, kv_fit_correlation
    )
    return fit if isinstance(fit, Unknown) else fit.use - fit.slope * fit.tokens


@metric(
    f"line_r2({RUNS})",
    scope="series",
    unit="ratio",
    symbol="R²_KV",
    digits=4,
    over="usable_trials",
    title=Text(zh="这条直线的决定系数", en="coefficient of determination of the line"),
    meaning=Text(
        zh="池占用的变化里有多少由这条直线解释；1 为全部。",
        en="How much of the variation of pool use the line explains; 1 is all of it.",
    ),
)
def kv_fit_r2(
    kv_fit_samples: Column, kv_fit_tokens_mean: Column, kv_fit_tokens_sd: Column, kv_fit_usage_mean: Column,
    kv_fit_usage_sd: Column, kv_fit_correlation: Column,
) -> float | Unknown:  # fmt: skip
    """Return the sum of squares that the line explains ÷ that about the mean."""
    fit = _pooled(
        kv_fit_samples, kv_fit_tokens_mean, kv_fit_tokens_sd, kv_fit_usage_mean, kv_fit_usage_sd, kv_fit_correlation
    )
    return fit if isinstance(fit, Unknown) else fit.slope * fit.of_both / fit.of_use


@metric(
    f"line_error({RUNS})",
    scope="series",
    unit="1/Mtok",
    symbol="se(b_KV)",
    over="usable_trials",
    title=Text(zh="斜率的标准误差", en="standard error of the slope"),
    meaning=Text(
        zh="假定各采样相互独立；相邻采样其实相关，真实的误差更大。",
        en="As if samples were independent of each other; neighbours are not, so the true error is larger.",
    ),
)
def kv_slope_error(
    kv_fit_samples: Column, kv_fit_tokens_mean: Column, kv_fit_tokens_sd: Column, kv_fit_usage_mean: Column,
    kv_fit_usage_sd: Column, kv_fit_correlation: Column,
) -> float | Unknown:  # fmt: skip
    """Return √(what the line leaves over ÷ (n − 2) ÷ Σ(x − x̄)²), as a share of the pool for each token."""
    fit = _pooled(
        kv_fit_samples, kv_fit_tokens_mean, kv_fit_tokens_sd, kv_fit_usage_mean, kv_fit_usage_sd, kv_fit_correlation
    )
    return fit if isinstance(fit, Unknown) else math.sqrt(fit.unexplained / (fit.n - 2) / fit.of_tokens)


@metric(
    "line_samples(kv_fit_samples, kv_fit_correlation)",
    scope="series",
    unit="1",
    symbol="ΣN_fit",
    digits=9,
    over="usable_trials",
    title=Text(zh="用于拟合的采样总数", en="samples that the line is fitted to"),
    meaning=Text(zh="全部可用运行合计。", en="Of all usable runs together."),
)
def kv_fit_samples_total(kv_fit_samples: Column, kv_fit_correlation: Column) -> float:
    """Add up the samples of the runs that the line rests on."""
    return float(kv_fit_samples[np.isfinite(kv_fit_correlation)].sum())


@metric(
    "kv_slope × kv_pool_tokens",
    scope="series",
    unit="ratio",
    symbol="n_place",
    digits=4,
    title=Text(zh="每个在途 token 占的位置", en="places that a token in flight takes"),
    meaning=Text(
        zh="斜率 × 池的 token 数：引擎若按块大小记账、块的取整已扣除，应当是一。",
        en="Slope × tokens of the pool: one, where the engine counts a place for each token and rounding to blocks is taken off.",
    ),
)
def kv_places_per_token(kv_slope: float, kv_pool_tokens: float) -> float:
    """Return the share that a token takes × the tokens that the pool holds."""
    return kv_slope * kv_pool_tokens


@metric(
    "kv_slope × kv_pool_bytes",
    scope="series",
    unit="KiB",
    symbol="kv_meas",
    better="lower",
    digits=4,
    title=Text(zh="实测的每 token KV 字节", en="measured KV bytes per token"),
    meaning=Text(
        zh="斜率 × KV 池的字节数：在途每多一个 token，池里实际多占的字节。",
        en="Slope × bytes of the KV pool: what one more token in flight takes of it.",
    ),
)
def kv_bytes_measured(kv_slope: float, kv_pool_bytes: float) -> float:
    """Return the share that a token takes × the pool. Bytes in and out."""
    return kv_slope * kv_pool_bytes
