"""The load that an engine is to serve, by profile.json: how long requests are, and how they arrive."""

from __future__ import annotations

from typing import Final, TypedDict, Unpack

from generator.declared.profiles import PROFILE_FILE
from generator.kinds import Metric, metric, observed
from generator.places import record
from generator.text import Text
from generator.themes import TRAFFIC
from generator.told.sentence import Style

THEME: Final = TRAFFIC

STATISTICS: Final = ("mean", "p5", "p25", "p50", "p75", "p90", "p95", "p99", "max")
NAMES: Final = {"mean": Text(zh="均值", en="mean"), "max": Text(zh="最大", en="longest")}
SIDES: Final = {"input": Text(zh="输入长度", en="input length"), "output": Text(zh="输出长度", en="output length")}
WIDTHS: Final = {
    "w1": Text(zh="一秒", en="one second"),
    "w10": Text(zh="十秒", en="ten seconds"),
    "w60": Text(zh="一分钟", en="one minute"),
    "w600": Text(zh="十分钟", en="ten minutes"),
    "w3600": Text(zh="一小时", en="one hour"),
}
OF_TRAFFIC: Final = Text(zh="由真实请求统计得出。", en=" Taken from the requests of real traffic.")
MODEL_DISTANCE: Final = Text(
    zh="两条累积分布曲线之间的最大距离：0 是完全重合。",
    en="The largest distance of the two cumulative curves; 0 where they agree.",
)


class _How(TypedDict, total=False):
    """How a number is printed where that is not the usual way."""

    style: Style
    digits: int


def _told(key: str, place: str, unit: str, symbol: str, title: Text, meaning: Text, **how: Unpack[_How]) -> Metric:
    """Declare a number of profile.json."""
    told = Text(zh=meaning.zh + OF_TRAFFIC.zh, en=meaning.en + OF_TRAFFIC.en)
    places = [record(PROFILE_FILE, place, unit)]
    return observed(
        f"traffic_{key}", scope="round", unit=unit, symbol=symbol, title=title, meaning=told, places=places, **how
    )


def _length(side: str, statistic: str) -> Metric:
    name, of = NAMES.get(statistic, Text(zh=statistic, en=statistic)), SIDES[side]
    title = Text(zh=f"负载的{of.zh}{'' if name.zh[:1] > 'z' else ' '}{name.zh}", en=f"{of.en} of the load, {name.en}")
    meaning = Text(
        zh="每条请求的 token 数；没有回答的请求不计入输出。",
        en="Tokens of a request; those without an answer have no output length.",
    )
    symbol = f"L_{'in' if side == 'input' else 'out'},{statistic}"
    return _told(f"{side}_{statistic}", f"{side}.{statistic}", "tok", symbol, title, meaning, digits=4)


lengths = tuple(_length(side, statistic) for side in SIDES for statistic in STATISTICS)

requests = _told(
    "requests", "requests", "1", "n_traffic",
    Text(zh="负载的请求数", en="requests of the load"),
    Text(zh="读到的请求。", en="Requests that were read."), digits=12,
)  # fmt: skip
unanswered = _told(
    "unanswered", "unanswered", "1", "n_unanswered",
    Text(zh="没有回答的请求", en="requests without an answer"),
    Text(zh="回答为零个 token：多半是失败的请求。", en="Their answer has no token: most of them failed."), digits=12,
)  # fmt: skip
bad = _told(
    "bad", "bad", "1", "n_bad",
    Text(zh="读不出的行", en="lines that cannot be read"),
    Text(zh="跳过并计数。", en="Passed over, and counted."), digits=12,
)  # fmt: skip
span = _told(
    "span", "arrivals.span_s", "s", "T_traffic",
    Text(zh="负载的跨度", en="span of the load"),
    Text(zh="从第一条到最后一条请求。", en="From the first request to the last."), digits=4,
)  # fmt: skip
rate = _told(
    "rate", "arrivals.rate", "req/s", "λ",
    Text(zh="平均到达率", en="mean arrival rate"),
    Text(zh="请求数 ÷ 跨度。", en="Requests ÷ span."),
)  # fmt: skip
window = _told(
    "window", "arrivals.window.width_s", "s", "w",
    Text(zh="窗口宽度", en="width of a window"),
    Text(zh="突发程度按这么宽的窗口计数。", en="Burstiness is told by counts in windows of this width."), digits=4,
)  # fmt: skip
window_mean = _told(
    "window_mean", "arrivals.window.mean", "req/s", "λ_w",
    Text(zh="窗口内到达率的均值", en="arrival rate in a window, mean"),
    Text(zh="只计完整的窗口，空窗口也算。", en="Of whole windows, empty ones among them."),
)  # fmt: skip
window_peak = _told(
    "window_peak", "arrivals.window.peak", "req/s", "λ_peak",
    Text(zh="最满窗口的到达率", en="arrival rate in the fullest window"),
    Text(zh="最满的窗口里的请求数 ÷ 宽度。", en="Requests of the fullest window ÷ its width."),
)  # fmt: skip
dispersion = _told(
    "dispersion", "arrivals.window.dispersion", "ratio", "IDC",
    Text(zh="计数的离散指数", en="index of dispersion for counts"),
    Text(
        zh="各窗口请求数的方差 ÷ 均值；独立到达（Poisson）时为一，越大越成簇。",
        en="Variance ÷ mean of the counts of windows: one where arrivals are independent (Poisson), more where they cluster.",
    ),
)  # fmt: skip
gap_mean = _told(
    "gap_mean", "arrivals.gap_mean_s", "s", "g",
    Text(zh="到达间隔的均值", en="gap between arrivals, mean"),
    Text(zh="相邻两条请求之间。", en="Between one request and the next."),
)  # fmt: skip
gap_cv = _told(
    "gap_cv", "arrivals.gap_cv", "ratio", "CV_g",
    Text(zh="到达间隔的变异系数", en="coefficient of variation of the gaps"),
    Text(zh="标准差 ÷ 均值；Poisson 时为一。", en="Standard deviation ÷ mean; one for a Poisson process."),
)  # fmt: skip
output_share = _told(
    "output_share", "output_share", "ratio", "s_out",
    Text(zh="输出占比", en="share of output"),
    Text(zh="输出 token ÷ 全部 token。", en="Output tokens ÷ all tokens."), style="percent",
)  # fmt: skip
correlation = _told(
    "correlation", "correlation", "ratio", "r",
    Text(zh="输入与输出长度的相关系数", en="correlation of input and output length"),
    Text(zh="同一条请求的两个长度（Pearson）。", en="Of the two lengths of one request (Pearson)."),
)  # fmt: skip
correlation_log = _told(
    "correlation_log", "correlation_log", "ratio", "r_log",
    Text(zh="长度对数的相关系数", en="correlation of the logarithms of the lengths"),
    Text(zh="少数极长的请求在对数下不会左右结果。", en="As logarithms a few very long requests do not decide it."),
)  # fmt: skip
characters_p50 = _told(
    "characters_p50", "input_characters.p50", "1", "L_chars",
    Text(zh="prompt 的字符数 p50", en="characters of a prompt, p50"),
    Text(zh="字符不是 token。", en="Characters are not tokens."), digits=4,
)  # fmt: skip
characters_p95 = _told(
    "characters_p95", "input_characters.p95", "1", "L_chars,95",
    Text(zh="prompt 的字符数 p95", en="characters of a prompt, p95"),
    Text(zh="字符不是 token。", en="Characters are not tokens."), digits=4,
)  # fmt: skip
duration_mean = _told(
    "duration_mean", "service.mean_s", "s", "D",
    Text(zh="请求时长的均值", en="time that a request took, mean"),
    Text(zh="来源里记录的时长。", en="As the sources give it."),
)  # fmt: skip
duration_p50 = _told(
    "duration_p50", "service.p50_s", "s", "D_p50",
    Text(zh="请求时长 p50", en="time that a request took, p50"),
    Text(zh="来源里记录的时长。", en="As the sources give it."),
)  # fmt: skip
duration_p95 = _told(
    "duration_p95", "service.p95_s", "s", "D_p95",
    Text(zh="请求时长 p95", en="time that a request took, p95"),
    Text(zh="来源里记录的时长。", en="As the sources give it."),
)  # fmt: skip
in_flight_most = _told(
    "in_flight_most", "service.in_flight_most", "1", "N_most",
    Text(zh="同时在途的请求，最多", en="requests under way at once, most"),
    Text(zh="逐条请求的起止时刻重叠的最大数。", en="By the begin and the end of every request."), digits=9,
)  # fmt: skip


def _fit(side: str) -> tuple[Metric, ...]:
    of = SIDES[side]
    mean_log = _told(
        f"{side}_mu", f"{side}_fit.mu", "ratio", f"μ_{side}",
        Text(zh=f"{of.zh}对数的均值", en=f"{of.en}: mean of the logarithm"),
        Text(zh="拟合的对数正态分布的 μ。", en="μ of the lognormal distribution that was fitted."), digits=4,
    )  # fmt: skip
    spread = _told(
        f"{side}_sigma", f"{side}_fit.sigma", "ratio", f"σ_{side}",
        Text(zh=f"{of.zh}对数的标准差", en=f"{of.en}: spread of the logarithm"),
        Text(zh="拟合的对数正态分布的 σ。", en="σ of the lognormal distribution that was fitted."), digits=4,
    )  # fmt: skip
    distance = _told(
        f"{side}_ks", f"{side}_fit.ks", "ratio", f"KS_{side}",
        Text(zh=f"{of.zh}与对数正态的距离", en=f"{of.en}: distance from lognormal"), MODEL_DISTANCE,
    )  # fmt: skip
    return mean_log, spread, distance


fits = (*_fit("input"), *_fit("output"))
gap_poisson_ks = _told(
    "gap_poisson_ks", "gap_fit.poisson_ks", "ratio", "KS_Poisson",
    Text(zh="间隔与 Poisson 的距离", en="gaps: distance from Poisson"), MODEL_DISTANCE,
)  # fmt: skip
gap_shape = _told(
    "gap_shape", "gap_fit.shape", "ratio", "k",
    Text(zh="间隔的 gamma 形状", en="gaps: shape of the gamma distribution"),
    Text(zh="1 ÷ 变异系数的平方，即采集计划里的 burstiness。", en="1 ÷ CV²: what a plan calls burstiness."),
)  # fmt: skip
gap_gamma_ks = _told(
    "gap_gamma_ks", "gap_fit.gamma_ks", "ratio", "KS_gamma",
    Text(zh="间隔与 gamma 的距离", en="gaps: distance from gamma"), MODEL_DISTANCE,
)  # fmt: skip


def _over_windows(name: str, width: Text) -> tuple[Metric, Metric]:
    """Declare what windows of one width show."""
    seconds = name.removeprefix("w")
    burst = _told(
        f"burstiness_{name}", f"arrivals.windows.{name}.peak_over_mean", "ratio", f"B_{seconds}",
        Text(zh=f"峰值 ÷ 均值，窗口{width.zh}", en=f"peak ÷ mean in windows of {width.en}"),
        Text(zh="最满窗口的请求数 ÷ 平均每窗口的请求数。", en="Requests of the fullest window ÷ those of a window on average."),
    )  # fmt: skip
    spread = _told(
        f"dispersion_{name}", f"arrivals.windows.{name}.dispersion", "ratio", f"IDC_{seconds}",
        Text(zh=f"离散指数，窗口{width.zh}", en=f"index of dispersion in windows of {width.en}"),
        Text(zh="各窗口请求数的方差 ÷ 均值。", en="Variance ÷ mean of the counts of windows."),
    )  # fmt: skip
    return burst, spread


windows = tuple(one for name, width in WIDTHS.items() for one in _over_windows(name, width))


@metric(
    "traffic_window_peak ÷ traffic_window_mean",
    scope="round",
    unit="ratio",
    symbol="B_traffic",
    title=Text(zh="突发程度：峰值 ÷ 均值", en="burstiness: peak ÷ mean"),
    meaning=Text(
        zh="最满的窗口比平均的窗口多几倍；取决于窗口宽度。",
        en="How many times as many requests the fullest window has as one on average. It depends on the width.",
    ),
)
def traffic_burstiness(traffic_window_peak: float, traffic_window_mean: float) -> float:
    """Return peak ÷ mean of the counts of windows."""
    return traffic_window_peak / traffic_window_mean
