"""Figures as static SVG: shown without JavaScript, in print, and to download."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from markupsafe import Markup

from generator.render.files.figures import alt_text
from generator.render.plotting.palette import DARK, DARK_SURFACE, LIGHT, LIGHT_SURFACE
from generator.render.svg.axes import SHEETS, Sheet
from generator.render.svg.bars import draw_bars
from generator.render.svg.cloud import draw_cloud
from generator.render.svg.curves import draw_curves
from generator.render.svg.fit import draw_fit
from generator.render.svg.leads import draw_leads
from generator.render.svg.lines import draw_lines
from generator.render.svg.timeline import draw_timeline
from generator.render.svg.trace import draw_traces
from generator.render.wording.markup import TEXT_SIZE, rounded, tag
from generator.render.wording.numbers import Printer
from generator.told.figure_model import (
    BarPlot,
    CloudPlot,
    CurvePlot,
    FigureModel,
    FitPlot,
    LeadPlot,
    LinePlot,
    TracePlot,
)

RULES_OF_LINES: Final = (
    "text{fill:{ink};font-size:13px}.tick,.title,.below{fill:{muted}}.tick{font-size:12px}"
    ".grid{stroke:{rule}}.axis{stroke:{muted}}"
    ".line{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}"
    ".line.floor{stroke-width:1.2}.line.fit,.line.theory{stroke-width:1.6}"
    ".line.spoilt{stroke-width:1.2;stroke-dasharray:1 4}"
    ".dot{fill:currentColor;stroke:{surface};stroke-width:1.2}"
    ".spoilt .dot{fill:{surface};stroke:currentColor;stroke-width:1.6}"
    ".ring{fill:none;stroke:currentColor;stroke-width:.8}"
    ".leader{fill:none;stroke:{muted};stroke-width:.7;stroke-dasharray:1 3}"
    ".label.measured,.label.floor{fill:currentColor}.label.measured{font-weight:600}"
    "line.mark{stroke:{ink};stroke-dasharray:1 3}.mark.dot{fill:{surface};stroke:{ink};stroke-width:1.5}"
)
RULES_OF_OTHERS: Final = (
    ".bar.solid{fill:currentColor}.bar.hatched{stroke:currentColor}.bar.empty{fill:none;stroke:currentColor}"
    ".ground{fill:{surface}}.hatch{stroke:currentColor;stroke-opacity:.45}"
    ".inside.solid{fill:{surface}}.inside.hatched{stroke:{surface};stroke-width:4;paint-order:stroke}"
    "line.limit{stroke:{ink};stroke-dasharray:5 3}"
    ".curve{fill:none;stroke:currentColor;stroke-linejoin:round}"
    ".cloud{fill:none;stroke:currentColor;stroke-width:4;stroke-opacity:.7}"
    ".cross{fill:none;stroke:currentColor;stroke-width:1.6}"
    ".steady{stroke:currentColor;stroke-width:4}.window{fill:currentColor;fill-opacity:.07}"
    ".stretch{fill:none;stroke:currentColor}.stretch.queue{stroke-opacity:.7}.stretch.prefill,.stretch.wait{stroke-opacity:.45}"
    ".veil{fill:{surface};fill-opacity:.5}.brim{fill:none;stroke:{ink};stroke-width:.7;stroke-opacity:.5}"
    ".moment{fill:none;stroke:{ink};stroke-width:1.2}.span{fill:none;stroke:{muted};stroke-width:5}"
    ".frame{fill:{rule};stroke:{muted};stroke-width:.7}"
)
"""How the classes are drawn: in drawings of lines, and what those of other kinds add. Braces name the colours of the
page: ink, muted, rule, surface."""

LIGHT_COLOURS: Final = {"ink": "#1b2024", "muted": "#59636b", "rule": "#e8e9e3", "surface": LIGHT_SURFACE}
DARK_COLOURS: Final = {"ink": "#e4e7ea", "muted": "#9aa5ae", "rule": "#222a32", "surface": DARK_SURFACE}
"""The colours of the page, for drawings that are files of their own."""

FONTS: Final = "system-ui,'Noto Sans CJK SC','PingFang SC','Microsoft YaHei',sans-serif"


def draw(model: FigureModel, printer: Printer, width: Literal["wide", "narrow"], told: str | None = None) -> str:
    """Return a figure as an SVG element for the page: classes only, coloured by its style sheet.

    Text is the same size in both widths. The description holds the numbers: ``told``, where they have been put into
    words already.
    """
    prefix, sheet = f"{model.key}-{width}", SHEETS[width]
    inside, height = _inside(model, printer, sheet, prefix)
    return tag(
        "svg",
        tag("title", printer.plain_sentence(model.title), id=f"{prefix}-title"),
        tag("desc", alt_text(model, printer) if told is None else told, id=f"{prefix}-desc"),
        inside,
        class_=f"plot {width}", viewBox=f"0 0 {rounded(sheet.width)} {rounded(height)}", role="img",
        aria_labelledby=f"{prefix}-title", aria_describedby=f"{prefix}-desc",
    )  # fmt: skip


def _inside(model: FigureModel, printer: Printer, sheet: Sheet, prefix: str) -> tuple[Markup, float]:
    match model.plot:
        case LinePlot() as plot:
            drawn = draw_lines(plot, model.accents, printer, sheet)
        case BarPlot() as plot:
            drawn = draw_bars(plot, model.accents, printer, sheet, prefix)
        case CurvePlot() as plot:
            drawn = draw_curves(plot, model.accents, printer, sheet)
        case CloudPlot() as plot:
            drawn = draw_cloud(plot, model.accents, printer, sheet)
        case FitPlot() as plot:
            drawn = draw_fit(plot, model.accents, printer, sheet)
        case TracePlot() as plot:
            drawn = draw_traces(plot, model.accents, printer, sheet)
        case LeadPlot() as plot:
            drawn = draw_leads(plot, model.accents, printer, sheet, prefix)
        case plot:
            drawn = draw_timeline(plot, model.accents, printer, sheet)
    return drawn


def size(svg: str) -> tuple[int, int]:
    """Return the width and the height that a drawing was made for, in whole pixels."""
    box = svg.split('viewBox="', 1)[1].split('"', 1)[0].split()
    return round(float(box[2])), round(float(box[3]))


def plot_css(ink: str, muted: str, rule: str, surface: str, rules: str = RULES_OF_LINES + RULES_OF_OTHERS) -> str:
    """Return the style sheet of the drawings, without the accents; each rule is limited to ``.plot``."""
    colours = {"ink": ink, "muted": muted, "rule": rule, "surface": surface}
    for name, colour in colours.items():
        rules = rules.replace(f"{{{name}}}", colour)
    blocks = [block.split("{") for block in rules.split("}") if block]
    return "".join(
        ",".join(f".plot {selector}" for selector in selectors.split(",")) + "{" + body + "}"
        for selectors, body in blocks
    )


def standalone(svg: str) -> str:
    """Return a drawing as a file to take along: on white, with its style inside."""
    ground = f".plot{{background:{LIGHT_SURFACE};font:{TEXT_SIZE}px {FONTS}}}"
    return _with_style(svg, ground + plot_css(**LIGHT_COLOURS) + _accents(LIGHT))


def adaptive(svg: str) -> str:
    """Return a drawing as a file that a page shows: its style follows the scheme of the reader, as the page's does."""
    light, dark = _variables(LIGHT_COLOURS), _variables(DARK_COLOURS)
    scheme = f":root{{color-scheme:light dark;{light}}}@media(prefers-color-scheme:dark){{:root{{{dark}}}}}"
    accents = f"{_accents(LIGHT)}@media(prefers-color-scheme:dark){{{_accents(DARK)}}}"
    colours = {name: f"var(--{name})" for name in LIGHT_COLOURS}
    ground = f".plot{{background:var(--surface);font:{TEXT_SIZE}px {FONTS}}}"
    return _with_style(svg, scheme + ground + plot_css(**colours) + accents)


def _variables(colours: Mapping[str, str]) -> str:
    return ";".join(f"--{name}:{colour}" for name, colour in colours.items())


def _accents(colours: Sequence[str]) -> str:
    return "".join(f".s{number}{{color:{colour}}}" for number, colour in enumerate(colours))


def _with_style(svg: str, style: str) -> str:
    head, rest = svg.split(">", 1)
    return f'{head} xmlns="http://www.w3.org/2000/svg"><style>{style}</style>{rest}'
