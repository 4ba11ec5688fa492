"""The calculator of a page: its fields in one language, and its data as JSON that no text of it can leave."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from generator.render.wording.numbers import CURRENCY, Printer
from generator.text import Text, same
from generator.told.blocks import Calculated, Calculator

ESCAPES: Final = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&'"}
"""What could end the element that the data lie in, or begin another: spelt out, it is the same JSON."""


@dataclass(frozen=True, slots=True)
class Field:
    """An input of the calculator, in the unit of its key in round.toml.

    Attributes:
        key: its name in the script.
        label: what a reader calls it.
        unit: printed behind it; ``¤`` is the currency of the round.
        least, most: its bounds, which a slider goes through, if it has one.
        slider: whether it has one: of its logarithm, or of the number itself.
    """

    key: str
    label: Text
    unit: str = ""
    least: float = 0.0
    most: float | None = None
    slider: str = ""


FIELDS: Final = (
    Field("lifetime_h", Text(zh="两次启动之间的运行时间", en="time between two starts"), "h", 0.05, 8760, "log"),
    Field("utilisation", Text(zh="平均利用率（0 到 1）", en="mean utilisation (0 to 1)"), "", 0.01, 1, "linear"),
    Field("offered_rate", Text(zh="要服务的请求（可不填）", en="requests to be served (optional)"), "req/s"),
    Field("slo_ttft_ms", Text(zh="{ttft} 上限（可不填）", en="{ttft} at most (optional)"), "ms"),
    Field("slo_tpot_ms", Text(zh="{tpot} 上限（可不填）", en="{tpot} at most (optional)"), "ms"),
    Field(
        "output_share",
        Text(
            zh="输出占全部 token，0 到 1（留空则用实测值）",
            en="output share of all tokens, 0 to 1 (empty: as measured)",
        ),
        "",
        0.01,
        1,
    ),
    Field("ops_per_hour", Text(zh="每小时的运维成本", en="operating cost per hour"), "¤/h"),
    Field("image_cost", Text(zh="每次启动的镜像与依赖", en="image and dependencies of a start"), "¤"),
    Field("price_per_kwh", Text(zh="电价（可不填）", en="electricity (optional)"), "¤/kWh"),
)
OF_SERIES: Final = (
    Field("price_per_hour", Text(zh="每小时价格", en="price per hour"), "¤/h"),
    Field("startup_s", Text(zh="冷启动（留空则用实测值）", en="cold start (empty: as measured)"), "s"),
)
OUTCOMES: Final = (
    ("level", Text(zh="档位", en="level"), ""),
    ("throughput", Text(zh="吞吐 T", en="throughput T"), "tok/s"),
    ("startup_tokens", same("Z × T"), "tok"),
    ("startup_share", Text(zh="启动占时间", en="starts in the time"), "%"),
    ("startup_ratio", Text(zh="一次运行 ÷ 启动", en="served ÷ start"), "×"),
    ("matters", Text(zh="启动", en="start"), ""),
    ("server_hours", Text(zh="服务器小时", en="server hours"), "h/Mtok"),
    ("cost_output", Text(zh="成本，按输出", en="cost, output"), "¤/Mtok"),
    ("cost_total", Text(zh="成本，输入输出合计", en="cost, all tokens"), "¤/Mtok"),
    ("energy_cost", Text(zh="电费，至少", en="electricity, at least"), "¤/Mtok"),
)
"""What is calculated, in the order of the columns; the script gives each by its name."""
WORDS: Final = {
    "verdict": Text(
        zh="{s}：启动占时间的 {share}（{matters}）；每百万输出 token {hours} 服务器小时{cost}。",
        en="{s}: starts take {share} of the time ({matters}); {hours} server hours per million output tokens{cost}.",
    ),
    "unstarted": Text(
        zh="{s}：每百万输出 token {hours} 服务器小时{cost}；启动没有测过，不计在内。",
        en="{s}: {hours} server hours per million output tokens{cost}; its start was not measured and is not counted.",
    ),
    "cost": Text(zh="，成本 {n}", en=", which cost {n}"),
    "short": Text(
        zh="{s}：一台服务器按这个利用率只能服务要求的 {share}。",
        en="{s}: at this utilisation one server serves only {share} of the requests to be served.",
    ),
    "yes": Text(zh="要计较", en="matters"),
    "no": Text(zh="可忽略", en="does not matter"),
    "unknown": Text(zh="没有测过", en="not measured"),
    "none": Text(zh="没有档位达标", en="none keeps the limits"),
    "noneOf": Text(zh="{s}：没有档位达标。", en="{s}: no level keeps the limits."),
    "incomplete": Text(zh="填上运行时间与利用率。", en="Fill in the time between two starts and the utilisation."),
    "breakEven": Text(
        zh="{a} 与 {b}：满载产出 {n} 个 token 时追平；按这里的用量要 {t} 小时。之前 {first} 领先，之后 {then} 领先。",
        en="{a} and {b} draw level after {n} tokens at full load, which are asked for in {t} h. Before that {first} is "
        "ahead, after it {then}.",
    ),
    "ahead": Text(
        zh="{first} 启动不更慢、吞吐也不更低，始终不落后于 {then}：没有回本点。",
        en="{first} starts no later and runs no slower than {then}: there is no break-even.",
    ),
    "equal": Text(
        zh="{a} 与 {b} 的启动与吞吐都相同：没有回本点。",
        en="{a} and {b} start alike and run alike: there is no break-even.",
    ),
    "open": Text(
        zh="{a} 与 {b}：至少缺一个冷启动，无法给出回本点。",
        en="{a} and {b}: a cold start was not measured, so no break-even can be given.",
    ),
}


@dataclass(frozen=True, slots=True)
class CalculatorView:
    """A calculator as the template prints it."""

    key: str
    data: Markup
    fields: tuple[Field, ...]
    of_series: tuple[Field, ...]
    series: tuple[Markup, ...]
    presets: tuple[str, ...]
    outcomes: tuple[tuple[str, str], ...]
    block: Calculator
    printer: Printer

    def label(self, field: Field) -> str:
        """Return what a field is called; limits are named after the statistics that they are of."""
        return field.label.format(ttft=self.block.ttft, tpot=self.block.tpot)[self.printer.lang]

    def unit(self, field: Field) -> str:
        """Return the unit behind a field."""
        return in_words(field.unit, self.printer)


def calculator_view(block: Calculator, printer: Printer) -> CalculatorView:
    """Print a calculator in the language of a printer."""
    return CalculatorView(
        key=block.key,
        data=embedded(_data(block, printer)),
        fields=FIELDS,
        of_series=OF_SERIES,
        series=tuple(printer.html(one.series) for one in block.series),
        presets=tuple(one.name[printer.lang] for one in block.presets),
        outcomes=tuple((label[printer.lang], in_words(unit, printer)) for _, label, unit in OUTCOMES),
        block=block,
        printer=printer,
    )


ANY_CURRENCY: Final = Text(zh="货币", en="currency")


def in_words(unit: str, printer: Printer) -> str:
    """Return a unit with the currency of the round; where it declares none, with the word for one."""
    return printer.in_currency(unit).replace(CURRENCY, ANY_CURRENCY[printer.lang])


def embedded(data: object) -> Markup:
    """Return data as JSON that can stand in an element of a page: no sign of it ends the element.

    Raises:
        ValueError: a number is NaN or infinite.
    """
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return Markup(text.translate(ESCAPES))  # noqa: S704  # escaped by the line above


def _data(block: Calculator, printer: Printer) -> dict[str, object]:
    ids = [one.series for one in block.series]
    return {
        "threshold": block.threshold,
        "currency": block.currency or "",
        "baseline": ids.index(block.baseline) if block.baseline in ids else None,
        "first": block.first,
        "presets": [
            {**one.inputs, "price_per_hour": [series.prices[number] for series in block.series]}
            for number, one in enumerate(block.presets)
        ],
        "series": [_of_series(one, printer) for one in block.series],
        "outcomes": [name for name, _, _ in OUTCOMES],
        "words": {name: text[printer.lang] for name, text in WORDS.items()},
    }


def _of_series(one: Calculated, printer: Printer) -> dict[str, object]:
    return {
        "name": printer.plain(one.series),
        "accent": printer.accent(one.series.series),
        "startup": one.startup,
        "answer": one.answer_tokens,
        "share": one.output_share,
        "energy": one.energy,
        "levels": [
            {"name": printer.plain(at.level), "throughput": at.throughput, "ttft": at.ttft, "tpot": at.tpot}
            for at in one.choices
        ],
    }
