"""A calculator for inputs of the reader's own; without scripts the table of the three scenarios stands there."""

from __future__ import annotations

from typing import Final

from generator.across.excluded import reachable
from generator.across.levels import amount, known_at
from generator.declared.economics import SCENARIOS, Scenario, stated
from generator.frame import Analysis
from generator.model import Level, Series
from generator.report_kinds import Chapter, section
from generator.scenarios import NAMES, name_of, told_scenarios
from generator.text import Text, same
from generator.told.blocks import Block, Calculated, Calculator, Choice, Facts, Heading, Paragraph, Preset, Row, Table
from generator.told.quoting import series_value
from generator.told.sentence import LevelName, Part, Sentence, SeriesName, say
from generator.units import from_base

WAITS: Final = ("ttft_p99", "ttft_p95", "ttft_p90", "ttft_p50", "ttft_mean")
PACES: Final = ("tpot_p99", "tpot_p95", "tpot_p90", "tpot_p50", "tpot_mean", "itl_mean")
"""Statistics that levels may be chosen by, the one that promises most first. The mean ITL is the time per token."""
INPUTS: Final = (
    ("lifetime_h", "scenario_lifetime", "h"),
    ("utilisation", "scenario_utilisation", "ratio"),
    ("offered_rate", "scenario_offered_rate", "req/s"),
    ("ops_per_hour", "scenario_ops", "¤/h"),
    ("image_cost", "scenario_image_cost", "¤"),
    ("price_per_kwh", "scenario_price_per_kwh", "¤/kWh"),
)
"""Inputs by their keys in round.toml, each with its metric of the round and its unit."""


@section()
def guide_calculator(analysis: Analysis) -> Chapter | None:
    """Show the calculator above the scenarios that it begins with, and the formulas below."""
    told = [one for one in analysis.round.series if _choices(analysis, one, None, None)]
    if not told:
        return None
    blocks: tuple[Block, ...] = (
        Paragraph(Sentence(INTRO)),
        _calculator(analysis, told),
        _table(analysis, told),
        Facts(FORMULAS),
    )
    return Chapter(say(zh="按你的情况计算", en="Calculated for your case"), blocks)


INTRO: Final = Text(
    zh="在支持脚本的浏览器里，这里可以改价格、运行时间、利用率、需求与时延上限，离线计算；下表是三种情景，总在这里。吞吐取守住时延上限的档位里最高的（有排除的档位时，只取它之下的），按测试的输入输出长度；没有测过的负载不外推。",
    en="Where scripts run, prices, times, utilisation, demand and latency limits can be changed here, offline; the table of the three scenarios always "
    "stands below. The throughput is the highest of the levels that keep the limits and lie below any excluded one, at the lengths that were measured: to other loads nothing is extrapolated.",
)


def _calculator(analysis: Analysis, told: list[Series]) -> Calculator:
    wait, pace = _statistic(analysis, told, WAITS), _statistic(analysis, told, PACES)
    baseline, shown = analysis.round.baseline, told_scenarios(analysis.round.file.economics)
    return Calculator(
        key="calculator",
        series=tuple(_calculated(analysis, one, wait, pace) for one in told),
        presets=tuple(_preset(analysis, scenario) for scenario in shown),
        first=shown.index(None),
        threshold=analysis.frame.of_round("ignore_above").value or THRESHOLD,
        ttft=_named(wait, "TTFT"),
        tpot=_named(pace, "TPOT"),
        currency=analysis.round.file.economics.currency,
        baseline=SeriesName(baseline.id) if baseline is not None else None,
    )


THRESHOLD: Final = 10.0
"""What a calculator takes where the round says nothing of it."""


def _statistic(analysis: Analysis, told: list[Series], metrics: tuple[str, ...]) -> str | None:
    """Return the first of some statistics that any level has; the same for all, so that like is compared with like."""
    known = (
        one for one in metrics if any(known_at(analysis, one, series, reachable(analysis, series)) for series in told)
    )
    return next(known, None)


def _named(metric: str | None, otherwise: str) -> Text:
    quantity, _, statistic = (metric or otherwise).partition("_")
    name = quantity.upper()
    return Text(zh=f"{name} 均值", en=f"{name} mean") if statistic == "mean" else same(f"{name} {statistic}".strip())


def _calculated(analysis: Analysis, series: Series, wait: str | None, pace: str | None) -> Calculated:
    def number(metric: str) -> float | None:
        return analysis.frame.of_series(metric, series.id).value

    prices = (analysis.frame.of_series("scenario_price", series.id, scenario).value for scenario in SCENARIOS)
    return Calculated(
        series=SeriesName(series.id),
        startup=number("cold_start_perceived"),
        choices=_choices(analysis, series, wait, pace),
        answer_tokens=number("answer_tokens"),
        output_share=_measured_share(analysis, series),
        energy=number("energy_per_mtok"),
        prices=tuple(None if price is None else from_base(price, "¤/h") for price in prices),
    )


def _measured_share(analysis: Analysis, series: Series) -> float | None:
    """Return the share of the output as it was measured; where one is declared, it is an input of the scenario."""
    value = analysis.frame.of_series("output_share", series.id)
    return value.value if value.formula is not None else None


def _choices(analysis: Analysis, series: Series, wait: str | None, pace: str | None) -> tuple[Choice, ...]:
    """Return the levels that the highest throughput is taken over: usable, of one ladder, and below any excluded one."""
    found = known_at(analysis, "output_throughput", series, reachable(analysis, series))
    return tuple(
        Choice(LevelName(series.id, at.id), number, _at(analysis, wait, series, at), _at(analysis, pace, series, at))
        for number, at in found
        if number > 0
    )


def _at(analysis: Analysis, metric: str | None, series: Series, level: Level) -> float | None:
    return None if metric is None else amount(analysis, metric, (series, level))


def _preset(analysis: Analysis, scenario: Scenario) -> Preset:
    inputs: dict[str, float | None] = {}
    for key, metric, unit in INPUTS:
        value = analysis.frame.of_round(metric, scenario).value
        inputs[key] = None if value is None else from_base(value, unit)
    share = stated(analysis.round.file.economics, "output_share", scenario)
    inputs["output_share"] = None if share is None else share.number
    return Preset(NAMES[scenario], inputs)


ROWS: Final = (
    ("startup_share", Text(zh="启动占的时间", en="starts in the time")),
    ("startup_ratio", Text(zh="一次运行服务的 token ÷（Z × T）", en="tokens served between starts ÷ (Z × T)")),
    ("server_hours_per_mtok", Text(zh="服务器小时", en="server hours")),
    ("cost_per_mtok_output", Text(zh="成本，按输出 token", en="cost of output tokens")),
    ("cost_per_mtok_total", Text(zh="成本，输入输出合计", en="cost of all tokens")),
)


def _table(analysis: Analysis, told: list[Series]) -> Table:
    economics = analysis.round.file.economics
    shown = told_scenarios(economics)
    headings = (
        Heading(say(zh="系列", en="series")), Heading(say(zh="量", en="what"), is_text=True),
        *(Heading(say(zh="{n}", en="{n}", n=name_of(one, economics))) for one in shown),
    )  # fmt: skip
    rows = tuple(_row(one, key, label, shown) for one in told for key, label in ROWS if _is_known(analysis, one, key))
    return Table("guide-calculator-table", say(zh="三种情景", en="The three scenarios"), headings, rows)


def _row(series: Series, metric: str, label: Text, shown: tuple[Scenario, ...]) -> Row:
    cells: tuple[Part, ...] = tuple(series_value(metric, series.id, one) for one in shown)
    return Row((SeriesName(series.id), label, *cells))


def _is_known(analysis: Analysis, series: Series, metric: str) -> bool:
    return any(analysis.frame.of_series(metric, series.id, one).value is not None for one in SCENARIOS)


FORMULAS: Final = (
    (say(zh="启动占时间", en="Starts in the time"), Sentence(same("Z ÷ (Z + L)"))),
    (
        say(zh="服务的 token", en="Tokens served"),
        say(zh="min(T × u × L，需求 × 每条输出 × L)", en="min(T × u × L, demand × output of a request × L)"),
    ),
    (say(zh="一次运行 ÷ 启动", en="Served ÷ start"), say(zh="服务的 token ÷（Z × T）", en="tokens served ÷ (Z × T)")),
    (say(zh="服务器小时", en="Server hours"), say(zh="（Z + L）÷ 服务的 token", en="(Z + L) ÷ tokens served")),
    (
        say(zh="成本，按输出", en="Cost, output"),
        say(
            zh="[（价格 + 运维）×（Z + L）+ 镜像] ÷ 服务的 token",
            en="[(price + operating cost) × (Z + L) + image] ÷ tokens served",
        ),
    ),
    (
        say(zh="成本，输入输出合计", en="Cost, all tokens"),
        say(zh="成本（按输出）× 输出占全部 token 的份额", en="cost of output × share of output in all tokens"),
    ),
    (
        say(zh="回本的 token 数 N*", en="Break-even N*"),
        Sentence(same("(Z′ − Z) ÷ (1 ÷ T − 1 ÷ T′)")),
    ),
    (
        say(zh="符号", en="Symbols"),
        say(
            zh="Z 冷启动，L 两次启动之间的运行时间，T 最高输出吞吐，u 利用率；带撇号（′）的是被比较的系列",
            en="Z cold start, L time between two starts, T highest output throughput, u utilisation; with a prime: of the compared series",
        ),
    ),
)
