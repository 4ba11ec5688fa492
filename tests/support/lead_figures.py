"""Strips of who leads where for the tests of the renderings."""

from __future__ import annotations

from generator.text import Text
from generator.told.figure_model import FigureModel, LeadPlot, LeadStrip, Reach
from generator.told.sentence import say
from tests.support.analyses import BASELINE, COMPARED
from tests.support.figure_models import CONCURRENCY, HOSTILE

THROUGHPUT = Text(zh="输出吞吐", en="output throughput")
REACHES = (
    Reach(COMPARED, 0.5, 1, "extrapolated"),
    Reach(COMPARED, 1, 8, "measured"),
    Reach(COMPARED, 8, 12.5, "open"),
    Reach(None, 12.5, 16, "open"),
    Reach(BASELINE, 16, 64, "measured"),
    Reach(BASELINE, 64, 128, "extrapolated"),
)


def of_strips(*strips: LeadStrip) -> FigureModel:
    """Return a figure of some strips."""
    plot = LeadPlot(CONCURRENCY, strips)
    return FigureModel("leads", say("谁领先", "who leads"), say("图注", "caption"), plot, {BASELINE: 0, COMPARED: 1})


def strip(name: Text = THROUGHPUT, sides: tuple[str, str] = (BASELINE, COMPARED)) -> LeadStrip:
    """Return a strip on which first the compared series leads, open from 8 on, then neither, then the baseline."""
    return LeadStrip(name, "output_throughput", sides, REACHES)


def odd() -> dict[str, FigureModel]:
    """Return figures at the edges: nothing, several pairs, hostile names, ends without a place on the axis."""
    hostile = Text(zh=HOSTILE, en=HOSTILE)
    nowhere = tuple(Reach(BASELINE, begin, end, "measured") for begin, end in ((0.0, 1.0), (1.0, float("inf"))))
    return {
        "nothing": of_strips(),
        "two pairs": of_strips(strip(), strip(sides=(COMPARED, BASELINE))),
        "hostile": of_strips(strip(hostile)),
        "nowhere": of_strips(LeadStrip(THROUGHPUT, "output_throughput", (BASELINE, COMPARED), nowhere)),
    }
