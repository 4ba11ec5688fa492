"""The entries of the glossary, from what is declared."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from generator.analysis.graph import Graph, build
from generator.kinds import REPORTED, Metric, metric, observed
from generator.places import column, setting
from generator.render.views.glossary import Beside, Chapter, Entry, formula_html, glossary_view, metric_titles
from generator.render.views.printed_in import PrintedIn
from generator.render.views.same_words import ToolWords
from generator.text import LANGS, Lang, Text, same
from generator.themes import COST, LATENCY
from tests.support.telling import catalogue

NOTHING = Beside({}, {}, {})


def seen(key: str, **declared: object) -> Metric:
    places = [column(key, "s"), setting(f"workload.{key}", "s")]
    told = {"title": Text(zh=f"{key} 的名", en=f"name of {key}"), "meaning": same(f"what {key} is"), "symbol": "x_1"}
    return observed(key, scope="level", unit="ms", places=places, **{**told, **declared})


def ratio() -> Metric:
    @metric("queue ÷ wait", scope="level", unit="ratio", style="percent", better="lower", symbol="η",
            title=Text(zh="比", en="ratio"), meaning=Text(zh="比值", en="One by the other."))  # fmt: skip
    def share(queue: float, wait: float) -> float:
        return queue / wait

    @share.otherwise("1 − wait")
    def share_of_wait(wait: float) -> float:
        return 1 - wait

    return share


def entries(*metrics: Metric, beside: Beside = NOTHING, lang: Lang = "en") -> tuple[Chapter, ...]:
    graph: Graph = build(metrics)
    themes = {key: COST if key == "share" else LATENCY for key, _ in graph.metrics}
    return glossary_view(replace(catalogue(), graph=graph, themes=themes), beside, lang)


def entry(key: str, *metrics: Metric, beside: Beside = NOTHING, lang: Lang = "en") -> Entry:
    told = entries(*metrics, beside=beside, lang=lang)
    return next(one for chapter in told for one in chapter.entries if one.key == key)


def test_entries_stand_under_the_theme_of_their_family() -> None:
    told = entries(ratio(), seen("queue"), seen("wait"))

    assert [(one.key, one.title, [each.key for each in one.entries]) for one in told] == [
        ("theme-latency", "Latency", ["queue", "wait"]),
        ("theme-cost", "Cost and energy", ["share"]),
    ]


def test_a_formula_leads_to_its_inputs_and_further_ways_stand_behind_the_first() -> None:
    found = entry("share", ratio(), seen("queue"), seen("wait"))

    assert found.own.ways == (
        '<a href="#queue">queue</a> ÷ <a href="#wait">wait</a>',
        '1 − <a href="#wait">wait</a>',
    )
    assert found.kind == ("of a level", "%", "lower is better")


def test_a_sample_of_requests_leads_nowhere_and_a_formula_is_escaped() -> None:
    steps = catalogue().graph.steps

    assert formula_html(steps["ttft_p50", None][0]) == "percentile(request_ttft, 50)"
    assert formula_html(replace(steps["mbu", None][0], ports=())) == "bytes_per_step ÷ itl_p50 ÷ memory_bandwidth"


def test_places_are_listed_by_their_kind() -> None:
    assert entry("wait", seen("wait"), lang="zh").places == (
        ("published.csv 的列", ("wait",)),
        ("round.toml 的键", ("workload.wait",)),
    )


def test_a_further_definition_says_only_what_the_first_does_not() -> None:
    first = seen("wait")
    other = replace(first, basis="as_published", places=(), why=Text(zh="原报告如此", en="So it was published."))
    renamed = replace(other, basis=REPORTED, why=None, title=same("other"), meaning=same("else"))
    found = entry("wait", other, first, renamed)

    assert [(one.basis, one.title, one.meaning, one.why) for one in (found.own, *found.others)] == [
        ("", "", "what wait is", ""),
        ("as_published", "", "", "So it was published."),
        (
            "reported",
            "other",
            "else",
            "The same statistic as the load client reports it, beside the one taken from the requests.",
        ),
    ]


def test_what_stands_beside_the_declaration_is_told_of_its_metric_alone() -> None:
    words, printed = ToolWords("ttft", ("Aa",), ()), PrintedIn(1, ())
    beside = Beside({"wait": words}, {"wait": ["unit_slips"]}, {"wait": printed})
    found = entry("wait", seen("wait"), seen("queue"), beside=beside)
    other = entry("queue", seen("wait"), seen("queue"), beside=beside)

    assert (found.tools, found.printed) == (words, printed)
    assert found.checks == (("checks.html#unit_slips", catalogue().checks["unit_slips"].title.en),)
    assert (other.tools, other.checks, other.printed) == (None, (), None)


@pytest.mark.parametrize("lang", LANGS)
def test_every_metric_has_one_entry(lang: Lang) -> None:
    told = glossary_view(catalogue(), NOTHING, lang)
    counted = Counter(one.key for chapter in told for one in chapter.entries)

    assert set(counted) == {key for key, _ in catalogue().graph.metrics}
    assert set(counted.values()) == {1}
    assert sum(1 + len(one.others) for chapter in told for one in chapter.entries) == len(catalogue().graph.metrics)


def test_a_metric_is_called_as_its_definition_without_a_basis_has_it() -> None:
    first = seen("wait")
    steady = replace(first, basis="steady", title=same("wait, steady"))

    assert (
        metric_titles(build([steady, first]), "en")
        == metric_titles(build([first, steady]), "en")
        == {"wait": "name of wait"}
    )
