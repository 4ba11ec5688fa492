"""What a start costs and when it has paid for itself: against the life of a server, and against another engine."""

from __future__ import annotations

from typing import Final

from generator.across.cold_starts import BASES, first_of, starts_of, state_at
from generator.across.excluded import name_of_most
from generator.declared.economics import SCENARIOS, Scenario
from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.scenarios import NAMES, name_of, told_scenarios
from generator.text import Text, same
from generator.told.blocks import Block, Heading, Paragraph, Row, Table
from generator.told.quoting import filled, pair_value, passage, round_value, series_names, series_value
from generator.told.sentence import Listing, Part, Quantity, Sentence, SeriesName, say
from generator.units import to_base


@section(checks=("page_cache_known",))
def guide_start(analysis: Analysis) -> Chapter:
    """Hold the start of each series against the life of a server in three scenarios, and the starts of two engines."""
    told = [one for one in analysis.round.series if _number(analysis, "startup_tokens", one) is not None]
    heading = say(zh="一次启动要付出什么，何时回本", en="What a start costs, and when it pays off")
    if not told:
        return Chapter(heading, (Paragraph(Sentence(NO_VERDICT), "lead"), Paragraph(Sentence(TO_RECORD))))
    blocks: list[Block] = [Paragraph(_cost(analysis, one), "lead") for one in told]
    blocks += [Paragraph(Sentence(NO_BREAK_EVEN)), _table(analysis, told), *_verdicts(analysis, told)]
    pairs = [_pair(analysis, one) for one in analysis.round.compared if {one, analysis.round.baseline} <= {*told}]
    if pairs:
        blocks.append(Paragraph(passage(*pairs)))
    bounds = _bounds(analysis, told)
    if bounds:
        blocks.append(Paragraph(passage(*bounds), "note"))
    return Chapter(heading, tuple(blocks))


COLD: Final = BASES["cold"]
NO_VERDICT: Final = Text(
    zh="没有启动方面的结论，因为没有测过冷启动。", en="No start-up verdict, because no cold start was measured."
)
TO_RECORD: Final = Text(
    zh="启动值不值得计较，要看一次运行服务的 token 与启动期间本可产出的 token（冷启动 Z × 最高吞吐 T）之比。给 [[series]] 一个 argv，"
    "rounds collect 就会拉起引擎并记下 Z（写上 starts 就重复几次）；手头已有的数填进 published.toml 的 [cold_start]（t1_s、t2_s）。",
    en="Whether a start matters shows in the tokens served between two starts against those that the start could have produced (cold start Z × "
    "highest throughput T). Give a [[series]] its argv, and rounds collect starts the engine and notes Z (the key starts repeats it); numbers that "
    "you have go into [cold_start] of published.toml (t1_s, t2_s).",
)
COST: Final = Text(
    zh="{s} 启动要 {c}。按它{most}（{t}），这段时间本可产出 {n}：满载服务这么多之后，启动恰好占了全部时间的一半。",
    en="{s} takes {c} to start. At its {most} ({t}) it could have produced {n} meanwhile: once that many are served at full load, the "
    "start is half of the time so far.",
)
NO_BREAK_EVEN: Final = Text(
    zh="Z × T（Z 是冷启动的时长，T 是最高吞吐）不是两个引擎之间的回本点，也不是非服务不可的数量；它是启动的价格，以 token 计。启动值不值得计较，看一次运行服务的 token 是它的多少倍。",
    en="Z × T (Z is the cold start, T is the highest throughput) is not a break-even between two engines, nor an amount that has to be served; it is the price of a start, in tokens. Whether the start "
    "matters shows in how many times as many are served before the next one.",
)


def _number(analysis: Analysis, metric: str, series: Series, scenario: Scenario = None) -> float | None:
    return analysis.frame.of_series(metric, series.id, scenario).value


def _cost(analysis: Analysis, series: Series) -> Sentence:
    parts: dict[str, Part] = {
        "s": SeriesName(series.id), "c": series_value("cold_start_perceived", series.id),
        "most": name_of_most(analysis, series),
        "t": series_value("best_throughput", series.id), "n": series_value("startup_tokens", series.id),
        "m": series_value("startup_tokens", series.id, "total"),
    }  # fmt: skip
    total = analysis.frame.of_series("startup_tokens", series.id, "total").value
    return filled(COST, parts) if total is None else passage(filled(COST, parts), filled(COST_TOTAL, parts))


COST_TOTAL: Final = Text(zh="输入也计数的话是 {m}。", en="With the input counted, that is {m}.")


def _table(analysis: Analysis, told: list[Series]) -> Table:
    headings = (
        Heading(say(zh="系列", en="series")), Heading(say(zh="情景", en="scenario"), is_text=True),
        Heading(say(zh="两次启动之间", en="between starts"), "h"), Heading(say(zh="利用率", en="utilisation"), "%"),
        Heading(say(zh="每天启动", en="starts a day")), Heading(say(zh="启动占时间", en="starts in the time"), "%"),
        Heading(say(zh="一次运行服务", en="served between starts"), "Mtok"), Heading(Sentence(same("÷ (Z × T)")), "×"),
        Heading(say(zh="启动", en="start"), is_text=True),
    )  # fmt: skip
    shown = told_scenarios(analysis.round.file.economics)
    rows = tuple(_row(analysis, series, scenario) for series in told for scenario in shown)
    caption = say(
        zh="每种情景下启动占多少；两次启动之间的时间与利用率是情景的输入",
        en="What starts come to in each scenario; the time between two starts and the utilisation are its inputs",
    )
    return Table("guide-start-table", caption, headings, rows)


def _row(analysis: Analysis, series: Series, scenario: Scenario) -> Row:
    of_series = (
        series_value(metric, series.id, scenario, bare=True)
        for metric in ("restart_frequency", "startup_share", "tokens_served", "startup_ratio")
    )
    inputs = (round_value(metric, scenario, bare=True) for metric in ("scenario_lifetime", "scenario_utilisation"))
    verdict = WORDS[_matters(analysis, series, scenario)]
    return Row((SeriesName(series.id), name_of(scenario, analysis.round.file.economics), *inputs, *of_series, verdict))


def _matters(analysis: Analysis, series: Series, scenario: Scenario) -> bool | None:
    """Say whether a start matters: a life serves fewer tokens than the threshold asks. None where that is not known."""
    ratio, threshold = (
        _number(analysis, "startup_ratio", series, scenario),
        analysis.frame.of_round("ignore_above").value,
    )
    return None if ratio is None or threshold is None else ratio < threshold


WORDS: Final = {
    True: Text(zh="要计较", en="matters"),
    False: Text(zh="可忽略", en="does not matter"),
    None: same("—"),
}


def _verdicts(analysis: Analysis, told: list[Series]) -> list[Paragraph]:
    """Say of which series the start matters, behind the rule; nothing where that is known of none."""
    known = [one for one in told if all(_matters(analysis, one, scenario) is not None for scenario in SCENARIOS)]
    rule = Sentence(RULE, {"k": round_value("ignore_above")})
    return [Paragraph(passage(rule, *(_verdict(analysis, one) for one in known)))] if known else []


def _verdict(analysis: Analysis, series: Series) -> Sentence:
    where = [NAMES[scenario] for scenario in SCENARIOS if _matters(analysis, series, scenario)]
    parts: dict[str, Part] = {
        "s": SeriesName(series.id), "l": _long_enough(analysis, series), "w": Listing(tuple(where)),
    }  # fmt: skip
    text = NEVER if not where else ALWAYS if len(where) == len(SCENARIOS) else SOMETIMES
    return passage(filled(text, parts), filled(FROM, parts))


def _long_enough(analysis: Analysis, series: Series) -> Quantity:
    """Quote the life from which a start does not matter, in hours, or in seconds where it is shorter than one."""
    seconds = _number(analysis, "lifetime_to_ignore", series) or 0.0
    return series_value("lifetime_to_ignore", series.id, unit="h" if seconds >= to_base(1, "h") else "s")


RULE: Final = Text(
    zh="到下次启动之前，服务的 token 不少于 Z × T 的 {k} 倍，启动就可忽略；少于它，就要计较。",
    en="A start does not matter where at least {k} times Z × T are served before the next one; below that, it does.",
)
NEVER: Final = Text(zh="{s} 的启动在三种情景下都可忽略。", en="The start of {s} matters in none of the scenarios.")
SOMETIMES: Final = Text(zh="{s} 的启动在{w}情景下要计较。", en="The start of {s} matters in the {w} scenario.")
ALWAYS: Final = Text(zh="{s} 的启动在三种情景下都要计较。", en="The start of {s} matters in all scenarios.")
FROM: Final = Text(
    zh="按基准情景的用量，两次启动之间至少运行 {l} 就可忽略。",
    en="At the pace of the base scenario it stops mattering where at least {l} lie between two starts.",
)


def _pair(analysis: Analysis, compared: Series) -> Sentence:
    """Say where two engines draw level, or why they do not."""
    baseline = analysis.round.baseline
    value = analysis.frame.of_pair("break_even_tokens", compared.id)
    parts: dict[str, Part] = {
        "a": SeriesName(baseline.id if baseline is not None else ""), "b": SeriesName(compared.id),
        "n": pair_value("break_even_tokens", compared.id), "t": pair_value("break_even_time", compared.id),
        "why": value.reason or WORDS[None],
    }  # fmt: skip
    if value.value is None:
        return filled(NOT_LEVEL, parts)
    sooner, later = ("a", "b") if _starts_sooner(analysis, compared) else ("b", "a")
    return filled(LEVEL, {**parts, "x": parts[sooner], "y": parts[later]})


def _starts_sooner(analysis: Analysis, compared: Series) -> bool:
    """Say whether the baseline starts before the series that is compared with it."""
    baseline = analysis.round.baseline
    first = _number(analysis, "cold_start_perceived", baseline) if baseline is not None else None
    return (first or 0.0) < (_number(analysis, "cold_start_perceived", compared) or 0.0)


LEVEL: Final = Text(
    zh="{x} 启动更快，{y} 吞吐更高：满载时 {y} 在 {n} 追平 {x}。工作量比这少时，{x} 先做完；基准情景下要 {t} 才会用到这么多。",
    en="{x} starts sooner, {y} runs faster: at full load {y} draws level after {n}. With less to do {x} is done first; in the base scenario it "
    "takes {t} until as many are asked for.",
)
NOT_LEVEL: Final = Text(
    zh="{a} 与 {b} 之间没有回本点：{why}。", en="Between {a} and {b} there is no break-even: {why}."
)


def _bounds(analysis: Analysis, told: list[Series]) -> list[Sentence]:
    """Say what the verdict rests on and does not know."""
    unknown = [one for one in analysis.round.series if one not in told]
    warm = [one for one in told if state_at(analysis, one, first_of(analysis, one)) != "cold"]
    several = [one for one in told if _median(analysis, one) is not None]
    once = [one for one in told if len(starts_of(analysis, one)) < 2]  # noqa: PLR2004  # a spread takes two
    found = [
        Sentence(text, {"s": series_names(one.id for one in which)})
        for text, which in ((NOT_MEASURED, unknown), (NOT_COLD, warm), (ONCE, once))
        if which
    ]
    if several:
        found[:0] = [Sentence(FIRST), *(filled(MEDIAN, _of_median(one)) for one in several)]
    return [*found, *([Sentence(ASSUMED)] if _is_assumed(analysis) else [])]


def _median(analysis: Analysis, series: Series) -> float | None:
    """Return the median of the starts of a series whose files were out of memory; None where there are not several."""
    frame = analysis.frame
    count = frame.of_series("cold_starts_alike", series.id, COLD).value
    return frame.of_series("cold_start_perceived", series.id, COLD).value if count is not None and count > 1 else None


def _of_median(series: Series) -> dict[str, Part]:
    return {
        "s": SeriesName(series.id), "n": series_value("cold_starts_alike", series.id, COLD),
        "mid": series_value("cold_start_perceived", series.id, COLD),
        "low": series_value("cold_start_perceived_low", series.id, COLD),
    }  # fmt: skip


def _is_assumed(analysis: Analysis) -> bool:
    keys = ("scenario_lifetime", "scenario_utilisation")
    return any(analysis.frame.of_round(key, basis).origin == "assumed" for key in keys for basis in SCENARIOS)


FIRST: Final = Text(
    zh="这里的冷启动 Z 都是第一次启动，编译之类只做一次的工作也在内。",
    en="The cold start Z is always the first one here, with whatever is done only once, such as compiling.",
)
MEDIAN: Final = Text(
    zh="{s} 的 {n} 次冷启动，中位数是 {mid}，最快 {low}。",
    en="The {n} cold starts of {s} take {mid} at the median and {low} at best.",
)
NOT_MEASURED: Final = Text(
    zh="{s} 没有测过冷启动，没有启动方面的结论。",
    en="Of {s} no cold start was measured, so there is no start-up verdict.",
)
NOT_COLD: Final = Text(
    zh="{s} 的启动不知是否从磁盘读取了模型文件，或者文件已在内存里；真正的冷启动只会更久。",
    en="Whether the start of {s} read the model's files from the disk is not known, or they were in memory: a start that is cold takes longer.",
)
ONCE: Final = Text(
    zh="{s} 只记录了一次启动，快慢的波动无从得知。", en="Of {s} there is one start, so its spread is not known."
)
ASSUMED: Final = Text(
    zh="没有声明的运行时间与利用率是本工具的假定；在 round.toml 的 [economics] 里声明 lifetime_h 与 utilisation。",
    en="Times between starts and utilisations that are not declared are assumptions of this program; declare lifetime_h and utilisation in "
    "[economics] of round.toml.",
)
