"""How long the requests of the load are: histograms of input and output on a log axis."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from generator.declared.profiles import Lengths
from generator.frame import Analysis
from generator.kinds import Missing, figure
from generator.text import Text, same
from generator.told.figure_model import OF_NO_SERIES, Axis, FigureModel, Panel, Trace, TracePlot
from generator.told.quoting import round_value
from generator.told.sentence import Sentence, say
from generator.values import Address

NAMES: Final = {
    "input": Text(zh="输入：每个区间的请求", en="input: requests of each bin"),
    "output": Text(zh="输出：每个区间的请求", en="output: requests of each bin"),
}
FACTS: Final = ("p50", "p95")
DIGITS: Final = 4


@figure
def profile_lengths(analysis: Analysis) -> FigureModel | Missing:
    """Draw a panel for each of the two lengths that is known."""
    profile = analysis.round.profile
    known = {side: found for side in NAMES if profile and (found := getattr(profile, side)) is not None}
    if not known:
        return Missing(
            say(zh="画不出请求长度：负载里没有 token 数。", en="Lengths cannot be drawn: no tokens are known.")
        )
    panels = tuple(Panel(Axis(NAMES[side], "%", "linear"), (_trace(side, found),)) for side, found in known.items())
    return FigureModel(
        key="profile_lengths",
        title=_title(tuple(known)),
        caption=say(
            zh="横轴为对数；区间宽度在对数轴上相同，每翻一倍两个区间。没有回答的请求不计入输出。",
            en="The axis of lengths is logarithmic, with bins of equal width on it, of which each doubling has a pair. Requests without an "
            "answer have no output.",
        ),
        plot=TracePlot(Axis(same("token"), "", "log"), panels),
        accents={},
    )


def _trace(side: str, lengths: Lengths) -> Trace:
    """Return the outline of a histogram, in per cent of the requests."""
    bins, points = lengths.histogram, []
    for (low, high), count in zip(pairwise(bins.edges), bins.counts, strict=True):
        share = round(100 * count / lengths.n, DIGITS)
        points += [(low, share), (high, share)]
    ends = (bins.edges[0], 0.0), (bins.edges[-1], 0.0)
    facts = tuple(Address(f"traffic_{side}_{name}", "round") for name in FACTS)
    return Trace(OF_NO_SERIES, "", None, (ends[0], *points, ends[1]), facts)


def _title(sides: tuple[str, ...]) -> Sentence:
    if sides == ("input", "output"):
        return say(
            zh="典型的请求输入 {a}，输出 {b}；较长的二十分之一从 {c} 与 {d} 起",
            en="A typical request has {a} of input and {b} of output; the longest twentieth begins at {c} and {d}",
            a=round_value("traffic_input_p50"),
            b=round_value("traffic_output_p50"),
            c=round_value("traffic_input_p95"),
            d=round_value("traffic_output_p95"),
        )
    (side,) = sides
    return say(
        zh="典型的请求：{x}；较长的二十分之一从 {y} 起",
        en="A typical request has {x}; the longest twentieth begins at {y}",
        x=round_value(f"traffic_{side}_p50"),
        y=round_value(f"traffic_{side}_p95"),
    )
