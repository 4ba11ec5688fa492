from __future__ import annotations

from generator.figures.profile_lengths import profile_lengths
from generator.kinds import Missing
from generator.model import Round
from generator.told.figure_model import FigureModel, TracePlot
from tests.support.loads import EVEN, SHAREGPT, VLLM, load_of, load_of_text, under_load
from tests.support.telling import analysed, said


def drawn(round_: Round) -> tuple[FigureModel, TracePlot]:
    model = profile_lengths.draw(analysed(round_))
    assert isinstance(model, FigureModel)
    assert isinstance(model.plot, TracePlot)
    return model, model.plot


def test_each_length_has_a_panel_whose_bins_hold_all_requests() -> None:
    model, plot = drawn(under_load(load_of(EVEN)))
    upper, lower = plot.panels

    # 900 to 1,300 tokens lie in bins from 724 to 1,024 and on to 1,448: 900 to 1,020 are 13 of 41
    (trace,) = upper.traces
    assert list(trace.points[1]) == [724, 31.7073]
    assert [y for _, y in trace.points[1:-1:2]] == [31.7073, 68.2927]
    assert lower.y.label.en == "output: requests of each bin"
    assert "1,100 tok of input and 120 tok of output" in said(model.title, under_load(load_of(EVEN))).replace(
        "\u202f", " "
    )


def test_what_is_not_known_has_no_panel() -> None:
    _, plot = drawn(under_load(load_of_text(VLLM)))

    assert [panel.y.label.en for panel in plot.panels] == ["input: requests of each bin"]


def test_texts_cannot_be_drawn() -> None:
    for load in (None, load_of_text(SHAREGPT)):
        assert isinstance(profile_lengths.draw(analysed(under_load(load))), Missing)
