from __future__ import annotations

import re

from generator.render.svg.axes import SHEETS, Width
from generator.render.svg.bars import draw_bars
from generator.told.figure_model import BarPlot
from tests.support.analyses import BASELINE, printer
from tests.support.figure_models import bar_figure


def drawn(width: Width = "wide") -> str:
    plot = bar_figure().plot
    assert isinstance(plot, BarPlot)
    return draw_bars(plot, {BASELINE: 2}, printer("en"), SHEETS[width], "memory-wide")[0]


def test_segments_follow_each_other_to_scale() -> None:
    found = re.findall(r'<rect class="bar \w+ s2" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', drawn())
    starts = [float(x) for x, _ in found]
    # 900 px for 24.72 GiB (the capacity and 3 %): 36.408 px a GiB, from x = 4
    assert starts == [4.0, 531.5, 764.9, 870.5]
    assert float(found[0][1]) == 525.5  # 14.49 × 36.408 = 527.5, less the seam of 2


def test_what_is_computed_is_hatched_by_a_pattern_of_this_drawing() -> None:
    svg = drawn()
    assert '<pattern id="memory-wide-hatch-2"' in svg
    assert 'fill="url(#memory-wide-hatch-2)"' in svg


def test_labels_stand_inside_where_they_fit_and_below_where_not() -> None:
    svg = drawn()
    assert re.search(r'<text class="inside solid"[^>]*>weights 14.5\u202fGiB</text>', svg)
    assert re.search(r'<text class="label below"[^>]*>other 0.200\u202fGiB</text>', svg)


def test_labels_below_a_narrow_bar_wrap() -> None:
    below = re.findall(r'class="label below"[^>]*>([^<]+)<', drawn("narrow"))
    assert below == ["KV pool 6.41\u202fGiB · free 2.90\u202fGiB", "other 0.200\u202fGiB"]


def test_the_limit_is_a_line_with_its_value() -> None:
    svg = drawn()
    assert '<line class="limit" x1="877.8"' in svg  # 4 + 24 × 36.408
    assert ">capacity 24\u202fGiB</text>" in svg
