from __future__ import annotations

import json

from generator.render.diff.history import history_files
from generator.render.site import _site  # what all pages share
from tests.comparing.test_histories import ROUNDS
from tests.comparing.two_rounds import analysed
from tests.support.memory_round import GRAPH

FILES = history_files(_site(None), GRAPH, ROUNDS)
KEY = "history-1-a-output_throughput"


def test_a_family_has_a_page_in_both_languages_with_a_figure_a_metric() -> None:
    assert {"zh/history.html", "en/history.html", "zh/charts.js", "en/charts.js"} <= set(FILES)
    page = str(FILES["en/history.html"])
    assert f'id="fig-{KEY}"' in page
    assert 'href="rounds/r7/index.html"' in page


def test_a_move_is_told_with_what_was_changed_and_the_version_stands_on_the_axis() -> None:
    assert "C=8 shifted by +9.9% from r4 on; changed there: engine version." in str(FILES["en/history.html"])
    assert "C=8 从 r4 起变化了 +9.9%；同时的改动：引擎版本。" in str(FILES["zh/history.html"])
    plot = json.loads(str(FILES[f"data/diff/history/figures/{KEY}.json"]))
    assert [mark["x"] for mark in plot["marks"]] == [5]  # the fifth round, r4


def test_too_few_rounds_say_so() -> None:
    page = str(history_files(_site(None), GRAPH, ROUNDS[:3])["en/history.html"])
    assert page.count("Too few rounds to detect a shift, which takes 6") == 1  # three on either side of it


def test_the_axes_name_rounds_and_start_at_zero() -> None:
    drawing = str(FILES["en/history.html"]).split(f'id="fig-{KEY}"')[1]
    assert ">r0</text>" in drawing
    assert ">0</text>" in drawing


def test_what_is_followed_and_has_no_figure_is_named() -> None:
    page = str(FILES["en/history.html"])
    assert "There is no figure of ITL p50, TTFT p50 for a: no two rounds have it at one level" in page
    assert "a 1<" in page


def test_a_version_that_is_not_on_record_says_so() -> None:
    rounds = [analysed({"c8": {"output_throughput": (1.0,)}}, name=name) for name in ("one", "other")]
    assert "a not recorded" in str(history_files(_site(None), GRAPH, rounds)["en/history.html"])


def test_a_round_leads_to_its_comparison_with_the_one_before() -> None:
    page = str(history_files(_site(None), GRAPH, ROUNDS, {"r1": "r0...r1"})["en/history.html"])
    assert 'href="diff/r0...r1/index.html"' in page


def test_rounds_that_share_no_series_have_no_history() -> None:
    other = analysed({"c8": {"output_throughput": (1.0,)}}, series="b", name="other")
    assert history_files(_site(None), GRAPH, [ROUNDS[0], other]) == {}


def test_the_data_of_a_figure_name_series_level_and_round() -> None:
    text = str(FILES[f"data/diff/history/figures/{KEY}.csv"])
    assert "1@a@c8,r4,5,110.2,tok/s" in text
