"""The client's own statistics beside those of its requests, and the whole run beside its steady part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generator.across.levels import PLACE_HEADINGS, Place, Shown, all_places, at_level, number_at, place_row
from generator.frame import Analysis
from generator.kinds import REPORTED, STEADY
from generator.report_kinds import Chapter, section
from generator.text import Text, same
from generator.told.blocks import Block, Heading, Paragraph, Row, Table
from generator.told.quoting import level_value
from generator.told.sentence import Part, Quantity, Sentence, say

COMPARED: Final = {
    "ttft_p50": same("TTFT p50"),
    "ttft_p99": same("TTFT p99"),
    "itl_p50": same("ITL p50"),
    "itl_p99": same("ITL p99"),
    "tpot_mean": Text(zh="TPOT 均值", en="TPOT mean"),
    "e2el_p50": same("E2EL p50"),
    "output_throughput": Text(zh="输出吞吐", en="output throughput"),
}
BOTH_PARTS: Final = (
    Shown("output_throughput", Text(zh="输出吞吐", en="output"), "tok/s"),
    Shown("itl_p50", same("ITL p50"), "ms"),
    Shown("ttft_p50", same("TTFT p50"), "ms"),
)
SAME: Final = 5e-5
"""A smaller difference is one of rounding: gaps are kept in whole microseconds, and clients round as well."""

AGREED: Final = Text(zh="一致", en="same")
WINDOW: Final = ("steady_start", "steady_end")
IN_FLIGHT: Final[tuple[tuple[Text, str, str | None], ...]] = (
    (Text(zh="并发上限", en="cap"), "concurrency", None),
    (Text(zh="平均", en="mean"), "mean_concurrency", None),
    (Text(zh="峰值", en="peak"), "peak_concurrency", None),
    (Text(zh="客户端自报的峰值", en="peak, as the client counts"), "peak_concurrency", REPORTED),
)


@section(checks=("client_statistics", "peak_overlap"))
def client_statistics(analysis: Analysis) -> Chapter | None:
    """Compare what the client says with its requests, the whole run with its steady part, the load with its cap."""
    if not analysis.round.requests:
        return None
    compared = list(_compared(analysis))
    blocks: list[Block] = [Paragraph(_intro()), _client_table(compared)] if compared else []
    blocks += _steady(analysis) + _in_flight(analysis)
    return Chapter(CLIENTS if compared else OWN, tuple(blocks)) if blocks else None


CLIENTS: Final = say(zh="客户端自报值与逐条请求重算值", en="The client's statistics and those of its requests")
OWN: Final = say(zh="全程与稳态、在途请求数", en="Whole run against steady part; requests in flight")


def _intro() -> Sentence:
    return say(
        zh="本报告的数由逐条请求重算。与客户端自报的一致，说明两边用的是同一个定义；不一致，先弄清定义，再下结论。",
        en="The numbers of this report are recomputed from per-request records. Where the client agrees, both use "
        "the same definition; where it does not, settle the definition before concluding anything.",
    )


def _compared(analysis: Analysis) -> Iterator[Row]:
    """Yield a row for each statistic of each level that the client gives too."""
    for series, level in all_places(analysis):
        for metric, name in COMPARED.items():
            numbers = [
                level_value(metric, series.id, level.id),
                level_value(metric, series.id, level.id, REPORTED),
                level_value(f"{metric}_departure", series.id, level.id, REPORTED),
            ]
            known = analysis.frame.known(number.address for number in numbers)
            if len(known) == len(numbers):
                apart = abs(known[-1].value or 0.0) > SAME
                yield place_row(analysis, (series, level), name, *numbers[:-1], numbers[-1] if apart else AGREED)


def _client_table(rows: list[Row]) -> Table:
    headings = (
        *PLACE_HEADINGS,
        Heading(say(zh="统计量", en="statistic"), is_text=True),
        Heading(say(zh="由请求算出", en="from requests")),
        Heading(say(zh="客户端自报", en="client")),
        Heading(say(zh="差别", en="difference")),
    )
    caption = say(zh="由逐条请求算出的统计量与客户端自报的", en="Statistics of the requests beside those of the client")
    return Table("client-table", caption, headings, tuple(rows))


def _steady(analysis: Analysis) -> list[Block]:
    places = [place for place in all_places(analysis) if _is_known(analysis, place, "output_throughput", STEADY)]
    if not places:
        return []
    headings = [*PLACE_HEADINGS, Heading(say(zh="稳态从", en="steady from"), "s"), Heading(say(zh="到", en="to"), "s")]
    for one in BOTH_PARTS:
        headings.append(Heading(say(zh="{m}，全程", en="{m}, whole", m=one.label), one.unit))
        headings.append(Heading(say(zh="稳态", en="steady"), one.unit))
    rows = tuple(place_row(analysis, place, *_both_parts(place)) for place in places)
    caption = say(zh="全程与稳态", en="The whole run and its steady part")
    return [Paragraph(_about_steady()), Table("steady-table", caption, tuple(headings), rows)]


def _about_steady() -> Sentence:
    return say(
        zh="全程里还有开头的爬升与结尾的排空；稳态从第一条回答结束算起，到末条请求发出为止。两者差得多，"
        "说明请求数相对并发太少，全程的平均值说的主要是首尾。",
        en="The whole run also holds the ramp-up at its start and the drain at its end; the steady part is from the "
        "end of the first answer to the last request sent. Where the two are far apart there were few requests for "
        "the concurrency, and the mean of the whole is mostly about its ends.",
    )


def _is_known(analysis: Analysis, place: Place, metric: str, basis: str | None = None) -> bool:
    return number_at(analysis, at_level(metric, *place)._replace(basis=basis)) is not None


def _both_parts(place: Place) -> list[Quantity]:
    series, level = place
    cells = [level_value(bound, series.id, level.id, bare=True) for bound in WINDOW]
    for one in BOTH_PARTS:
        cells += [level_value(one.metric, series.id, level.id, basis, bare=True) for basis in (None, STEADY)]
    return cells


def _in_flight(analysis: Analysis) -> list[Block]:
    """Return how many requests were in flight, beside how many were allowed."""
    places = [place for place in all_places(analysis) if _is_known(analysis, place, "mean_concurrency")]
    shown = [one for one in IN_FLIGHT if any(_is_known(analysis, place, *one[1:]) for place in places)]
    if not any(metric == "peak_concurrency" for _, metric, _ in shown):
        return []
    headings = (*PLACE_HEADINGS, *(Heading(say("{n}", "{n}", n=name)) for name, _, _ in shown))
    rows = tuple(place_row(analysis, place, *_flying(place, shown)) for place in places)
    caption = say(zh="同时在途的请求数", en="Requests in flight at once")
    return [Table("in-flight-table", caption, headings, rows)]


def _flying(place: Place, shown: list[tuple[Text, str, str | None]]) -> list[Part]:
    series, level = place
    return [level_value(metric, series.id, level.id, basis) for _, metric, basis in shown]
