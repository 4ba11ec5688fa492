from __future__ import annotations

import json

from generator.render.diff.figures import figure_views, overlays
from generator.render.files.drawn import as_json, charts, figure_files, script
from tests.comparing.two_rounds import Trials
from tests.support.held_rounds import of_levels, printers
from tests.support.memory_round import GRAPH


def level(throughput: float) -> Trials:
    return {"output_throughput": (throughput,)}


BOTH = of_levels({"c1": level(10.0), "c8": level(50.0)}, {"c1": level(11.0), "c8": level(40.0)})


def test_each_figure_has_its_files_in_both_languages_and_widths() -> None:
    models, of = overlays(BOTH, GRAPH), printers(BOTH.base, BOTH.head)
    views = {lang: figure_views(models, printer, "data/") for lang, printer in of.items()}
    files = figure_files(models, views, of)
    assert sorted(files) == [
        "figures/output_throughput_both.csv", "figures/output_throughput_both.json",
        "figures/output_throughput_both.narrow.svg", "figures/output_throughput_both.narrow.zh.svg",
        "figures/output_throughput_both.svg", "figures/output_throughput_both.zh.svg",
    ]  # fmt: skip
    assert "a@one,c8,8,50,tok/s" in files["figures/output_throughput_both.csv"]


def test_a_script_calls_its_receiver_with_each_chart_and_the_table_that_it_copies() -> None:
    models, of = overlays(BOTH, GRAPH), printers(BOTH.base, BOTH.head)
    views = figure_views(models, of["en"], "data/")
    told = charts(views, "zh")
    assert told.startswith("Rounds.charts({")
    assert told.endswith("});\n")
    (chart,) = json.loads(told.removeprefix("Rounds.charts(").removesuffix(");\n")).values()
    assert chart["csv"] == views["output_throughput_both"].csv


def test_data_keep_their_letters() -> None:
    assert script("x", {"a": "并发"}) == 'Rounds.x({"a":"并发"});\n'
    assert as_json({"a": "并发"}) == '{\n "a": "并发"\n}\n'
