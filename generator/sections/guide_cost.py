"""What a million tokens cost in three scenarios, which input moves that most, and what electricity they take."""

from __future__ import annotations

from operator import itemgetter
from typing import Final, NamedTuple

from generator.across.excluded import name_of_most, reachable, tell_barred
from generator.across.levels import highest, known_at
from generator.declared.economics import SCENARIOS, Scenario
from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.scenarios import name_of, told_scenarios
from generator.text import Text
from generator.told.blocks import Block, Heading, Paragraph, Row, Subheading, Table
from generator.told.quoting import filled, joined, passage, round_value, series_names, series_value
from generator.told.sentence import LevelName, Listing, Part, Sentence, SeriesName, say

ALIKE: Final = 1e-9
"""Elasticities closer than this are one and the same."""


@section()
def guide_cost(analysis: Analysis) -> Chapter | None:
    """Print inputs and costs of each scenario, what the cost hangs on, and the energy of a token."""
    told = [one for one in analysis.round.series if _known(analysis, "server_hours_per_mtok", one)]
    if not told:
        return None
    blocks: list[Block] = [
        Paragraph(_verdict(analysis, told), "lead"),
        Paragraph(passage(*_bounds(analysis, told))),
        _inputs(analysis, told),
        _costs(analysis, told),
        Subheading("guide-cost-sensitivity", say(zh="什么最影响成本", en="What moves the cost most")),
        *_sensitivity(analysis, told),
        Subheading("guide-cost-energy", say(zh="能耗", en="Energy")),
        Paragraph(_energy(analysis, told)),
    ]
    return Chapter(say(zh="每百万 token 的成本", en="Cost per million tokens"), tuple(blocks))


def _known(analysis: Analysis, metric: str, series: Series) -> bool:
    return any(analysis.frame.of_series(metric, series.id, one).value is not None for one in SCENARIOS)


def _verdict(analysis: Analysis, told: list[Series]) -> Sentence:
    """Say what a million tokens take with each series in the base scenario, and at which level."""
    return say(
        zh="基准情景下，百万输出 token 的代价：{each}。",
        en="In the base scenario, output takes {each}.",
        each=joined(_taken(analysis, one) for one in told),
    )


def _taken(analysis: Analysis, series: Series) -> Sentence:
    level = highest(known_at(analysis, "output_throughput", series, reachable(analysis, series)))
    parts: dict[str, Part] = {
        "s": SeriesName(series.id), "l": LevelName(series.id, level.id), "most": name_of_most(analysis, series),
        "t": series_value("best_throughput", series.id), "h": series_value("server_hours_per_mtok", series.id),
        "k": series_value("cost_per_mtok_output", series.id), "all": series_value("cost_per_mtok_total", series.id),
    }  # fmt: skip
    priced = analysis.frame.of_series("cost_per_mtok_output", series.id).value is not None
    whole = analysis.frame.of_series("cost_per_mtok_total", series.id).value is not None
    return filled(COST if priced and whole else COST_OF_OUTPUT if priced else HOURS, parts)


HOURS: Final = Text(zh="{s} 是 {h}（{most}：{t}，在 {l}）", en="{h} of server time on {s} ({most}: {t}, at {l})")
COST: Final = Text(
    zh="{s} 是 {k}，即 {h}，按输入输出合计是 {all}（{most}：{t}，在 {l}）",
    en="{k} on {s}, or {all} with the input tokens counted too, at {h} of server time ({most}: {t}, at {l})",
)
COST_OF_OUTPUT: Final = Text(
    zh="{s} 是 {k}，即 {h}（{most}：{t}，在 {l}）",
    en="{k} on {s}, at {h} of server time ({most}: {t}, at {l})",
)


def _bounds(analysis: Analysis, told: list[Series]) -> list[Sentence]:
    """Say what is missing, and what the numbers are not."""
    unpriced = [one for one in told if not _known(analysis, "scenario_price", one)]
    unstarted = [one for one in told if analysis.frame.of_series("cold_start_perceived", one.id).value is None]
    found = [
        Sentence(text, {"s": series_names(one.id for one in which)})
        for text, which in ((NO_PRICE, unpriced), (NO_START, unstarted))
        if which
    ]
    return [
        Sentence(AT_ITS_BEST),
        *(sentence for one in told for sentence in tell_barred(analysis, one)),
        *found,
    ]


AT_ITS_BEST: Final = Text(
    zh="成本按最高吞吐算，不管那里的时延如何；要守住时延目标，往往得用吞吐更低的档位，每个 token 就更贵。",
    en="Costs are at the highest throughput, whatever the latency there: levels that keep a latency target may deliver less, and then a token costs more.",
)
NO_PRICE: Final = Text(
    zh="没有声明 {s} 的价格，成本只能以服务器小时计；在 round.toml 的 [economics] 里填 currency 与 price_per_hour。",
    en="No price of {s} is declared, so the cost is told in server hours; give [economics] of round.toml its currency and price_per_hour.",
)
NO_START: Final = Text(
    zh="{s} 没有测过冷启动，启动的时间不计在内。",
    en="No cold start of {s} was measured, so the time of starting is not counted.",
)


class _Input(NamedTuple):
    metric: str
    label: Text
    is_money: bool = False


OF_ROUND: Final = (
    _Input("scenario_lifetime", Text(zh="两次启动之间的运行时间", en="time between two starts")),
    _Input("scenario_utilisation", Text(zh="平均利用率", en="mean utilisation")),
    _Input("scenario_offered_rate", Text(zh="要服务的请求", en="requests to be served")),
    _Input("scenario_ops", Text(zh="每小时的运维成本", en="operating cost per hour"), is_money=True),
    _Input(
        "scenario_image_cost", Text(zh="每次启动的镜像与依赖", en="image and dependencies of a start"), is_money=True
    ),
    _Input("scenario_price_per_kwh", Text(zh="电价", en="electricity")),
)


def _inputs(analysis: Analysis, told: list[Series]) -> Table:
    priced = [one for one in told if _known(analysis, "scenario_price", one)]
    rows = [_input_row(analysis, one) for one in OF_ROUND if _is_told(analysis, one, bool(priced))]
    rows += [_price_row(analysis, one) for one in priced]
    economics = analysis.round.file.economics
    headings = (
        Heading(say(zh="输入", en="input")),
        *(Heading(say(zh="{n}", en="{n}", n=name_of(one, economics))) for one in told_scenarios(economics)),
        Heading(say(zh="出处", en="origin"), is_text=True),
    )
    caption = say(zh="三种情景的输入", en="Inputs of the three scenarios")
    return Table("guide-cost-inputs", caption, headings, tuple(rows))


def _is_told(analysis: Analysis, one: _Input, is_priced: bool) -> bool:
    known = any(analysis.frame.of_round(one.metric, basis).value is not None for basis in SCENARIOS)
    return known and (is_priced or not one.is_money)


def _input_row(analysis: Analysis, one: _Input) -> Row:
    shown = told_scenarios(analysis.round.file.economics)
    origins = [analysis.frame.of_round(one.metric, basis).origin for basis in shown]
    origin = DECLARED if "assumed" not in origins else ASSUMED if set(origins) == {"assumed"} else IN_PART
    return Row((one.label, *(round_value(one.metric, basis) for basis in shown), origin))


def _price_row(analysis: Analysis, series: Series) -> Row:
    label = say(zh="{s} 的价格", en="price of {s}", s=SeriesName(series.id))
    shown = told_scenarios(analysis.round.file.economics)
    return Row((label, *(series_value("scenario_price", series.id, one) for one in shown), DECLARED))


DECLARED: Final = Text(zh="声明", en="declared")
ASSUMED: Final = Text(zh="本工具的假定", en="assumed by this program")
IN_PART: Final = Text(zh="部分是假定", en="assumed in part")

COLUMNS: Final = (
    ("tokens_served", Text(zh="一次运行服务", en="served between starts"), "Mtok"),
    ("server_hours_per_mtok", Text(zh="服务器小时", en="server hours"), "h/Mtok"),
    ("cost_per_mtok_output", Text(zh="成本，按输出", en="cost, output"), "¤/Mtok"),
    ("cost_per_mtok_total", Text(zh="成本，输入输出合计", en="cost, input and output"), "¤/Mtok"),
    ("energy_cost_per_mtok", Text(zh="电费，至少", en="electricity, at least"), "¤/Mtok"),
)


def _costs(analysis: Analysis, told: list[Series]) -> Table:
    shown = [one for one in COLUMNS if any(_known(analysis, one[0], series) for series in told)]
    economics = analysis.round.file.economics
    currency = economics.currency or ""
    headings = (
        Heading(say(zh="系列", en="series")), Heading(say(zh="情景", en="scenario"), is_text=True),
        *(Heading(say(zh="{n}", en="{n}", n=label), unit.replace("¤", currency)) for _, label, unit in shown),
    )  # fmt: skip
    rows = tuple(_cost_row(one, basis, name_of(basis, economics), [key for key, _, _ in shown])
                 for one in told for basis in told_scenarios(economics))  # fmt: skip
    caption = say(zh="每种情景下百万 token 的成本", en="What a million tokens cost in each scenario")
    return Table("guide-cost-table", caption, headings, rows)


def _cost_row(series: Series, basis: Scenario, name: Text, shown: list[str]) -> Row:
    return Row((SeriesName(series.id), name, *(series_value(key, series.id, basis, bare=True) for key in shown)))


MOVING: Final = (
    ("elasticity_utilisation", Text(zh="利用率与吞吐", en="utilisation and throughput")),
    ("elasticity_demand", Text(zh="要服务的请求", en="requests to be served")),
    ("elasticity_price", Text(zh="价格", en="price")),
    ("elasticity_ops", Text(zh="运维", en="operations")),
    ("elasticity_image", Text(zh="镜像与依赖", en="image and dependencies")),
    ("elasticity_startup", Text(zh="冷启动的时长", en="length of the cold start")),
    ("elasticity_lifetime", Text(zh="两次启动之间的运行时间", en="time between two starts")),
)


def _sensitivity(analysis: Analysis, told: list[Series]) -> list[Block]:
    priced = [one for one in told if _known(analysis, "cost_per_mtok_output", one)]
    if not priced:
        return [Paragraph(_of_hours(analysis, told))]
    headings = (Heading(say(zh="输入", en="input")), *(_name(one) for one in priced))
    rows = tuple(
        Row((label, *(series_value(key, one.id, decimals=3) for one in priced)))
        for key, label in MOVING
        if any(analysis.frame.of_series(key, one.id).value for one in priced)
    )
    caption = say(
        zh="基准情景下，输入每增加百分之一，成本变化百分之几",
        en="Percentage change of the base scenario's cost for each one-per-cent increase of an input",
    )
    table = Table("guide-cost-elasticities", caption, headings, rows)
    return [Paragraph(passage(*(_most(analysis, one) for one in priced))), table]


def _name(series: Series) -> Heading:
    return Heading(say(zh="{s}", en="{s}", s=SeriesName(series.id)))


def _most(analysis: Analysis, series: Series) -> Sentence:
    """Name the inputs that move the cost of a series most, and the next one."""
    numbers = ((abs(analysis.frame.of_series(key, series.id).value or 0.0), key, label) for key, label in MOVING)
    ordered = sorted(numbers, key=itemgetter(0), reverse=True)
    first = [one for one in ordered if ordered[0][0] - one[0] < ALIKE]
    rest = [one for one in ordered if one not in first and one[0] > 0]
    parts: dict[str, Part] = {"s": SeriesName(series.id), "m": _moving(first, series), "n": _moving(rest[:1], series)}
    return filled(MOST if rest else ONLY, parts)


def _moving(found: list[tuple[float, str, Text]], series: Series) -> Listing:
    return Listing(tuple(
        say(zh="{n}（{e}）", en="{n} ({e})", n=label, e=series_value(key, series.id, decimals=3))
        for _, key, label in found
    ))  # fmt: skip


MOST: Final = Text(zh="对 {s} 的成本影响最大的是{m}，其次是{n}。", en="What moves the cost of {s} most: {m}; then {n}.")
ONLY: Final = Text(zh="影响 {s} 的成本的只有{m}。", en="What moves the cost of {s}: {m}, and nothing else.")


def _of_hours(analysis: Analysis, told: list[Series]) -> Sentence:
    """Say what server hours hang on, where no price is known."""
    started = [one for one in told if analysis.frame.of_series("startup_share", one.id).value is not None]
    elasticity = series_value("elasticity_utilisation", told[0].id, decimals=2)
    sentences = [filled(HOURS_MOVED, {"e": elasticity})]
    sentences += [filled(BY_STARTS, _share_of_starts(one)) for one in started]
    return passage(*sentences)


def _share_of_starts(series: Series) -> dict[str, Part]:
    return {"s": SeriesName(series.id), "c": series_value("startup_share", series.id)}


HOURS_MOVED: Final = Text(
    zh="没有价格时，最影响服务器小时的是利用率与吞吐：每提高百分之一，服务器小时变化 {e}%。",
    en="Without prices, what moves the server hours most are utilisation and throughput: each one-per-cent increase in either changes them by {e}%.",
)
BY_STARTS: Final = Text(
    zh="{s} 的启动占 {c}，运行更久最多省下这么多。",
    en="Starts are {c} of those of {s}: longer lives save no more than that.",
)


def _energy(analysis: Analysis, told: list[Series]) -> Sentence:
    known = [one for one in told if analysis.frame.of_series("energy_per_mtok", one.id).value is not None]
    if not known:
        return Sentence(NO_POWER)
    sentences = [_energy_of(analysis, one) for one in known]
    return passage(*sentences, Sentence(ENERGY_IS_LEAST))


def _energy_of(analysis: Analysis, series: Series) -> Sentence:
    parts: dict[str, Part] = {
        "s": SeriesName(series.id), "e": series_value("energy_per_mtok", series.id),
        "k": series_value("energy_cost_per_mtok", series.id),
    }  # fmt: skip
    is_priced = analysis.frame.of_series("energy_cost_per_mtok", series.id).value is not None
    return filled(ENERGY_COSTS if is_priced else ENERGY, parts)


ENERGY: Final = Text(zh="{s} 的输出耗 GPU 电能 {e}。", en="The GPUs of {s} take {e} of output.")
ENERGY_COSTS: Final = Text(
    zh="{s} 的输出耗 GPU 电能 {e}，电费 {k}。",
    en="The GPUs of {s} take {e} of output, {k} of electricity.",
)
ENERGY_IS_LEAST: Final = Text(
    zh="这是吞吐最高时的，主机其余部分与空转不在内，所以是下限；租来的服务器已含电费，不加进成本。",
    en="That is at the highest throughput, without the rest of the host and without idling, and so a floor; prices of servers include it, and "
    "it is not added to the cost.",
)
NO_POWER: Final = Text(
    zh="没有运行采样过 GPU 功率，能耗无从得知。rounds collect 在有 NVIDIA 驱动的机器上自己采样；别的工具测的，把 nvidia-smi 的 gpu.csv（要有 power.draw）"
    "放进运行的目录。",
    en="No run has samples of the power of a GPU, so the energy is not known. rounds collect samples it where there is an NVIDIA driver; beside "
    "runs of other tools, put gpu.csv of nvidia-smi, with power.draw.",
)
