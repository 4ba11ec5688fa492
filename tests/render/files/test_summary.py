from __future__ import annotations

import json

from generator.render.files.summary import Summary, read_summary, summarise, summary_file
from generator.render.site import draw_figures
from generator.render.views.reports import tell
from generator.render.wording.numbers import Printer
from generator.text import LANGS
from tests.support.example_rounds import published
from tests.support.telling import analysed, catalogue


def summary(name: str) -> Summary:
    analysis = analysed(published(name))
    printers = {lang: Printer(analysis, catalogue().graph, lang) for lang in LANGS}
    told = tell(analysis, catalogue(), draw_figures(catalogue(), analysis))
    return summarise(analysis, told, printers)


def test_it_says_what_the_report_says_first_and_how_surely() -> None:
    found = summary("round-2")
    assert found.verdict.en.startswith(
        "Up to C=4, llama.cpp Q4_K_M delivers more; at the usable levels from C=16 on, vLLM"
    )
    assert found.further.en.startswith("At C=1 a decode step (one token for each request in flight) takes 5.84")
    assert found.further.en.endswith("byte counts predict 3.20× with weights counted alike.")
    assert found.certainty == "qualitative"


def test_both_languages_have_as_many_sentences() -> None:
    found = summary("round-2")
    assert found.further.zh.count("。") == 1
    assert found.verdict.zh.count("。") == 1


def test_it_names_the_gravest_finding_and_counts_all() -> None:
    analysis, found = analysed(published("round-2")), summary("round-2")
    assert found.gravest is not None
    assert (found.gravest.check, found.gravest.status) == ("non_monotonic_throughput", "fail")
    assert "443.7" in found.gravest.said.en
    assert found.gravest.page.startswith("checks.html#finding-")
    assert sum(found.findings.values()) == len(analysis.findings)


def test_it_says_what_was_measured_and_which_reports_there_are() -> None:
    found = summary("round-1")
    assert (found.model, found.engines) == ("Qwen2.5-7B-Instruct", ("vLLM", "llama.cpp"))
    assert found.day is None  # its date is words
    assert found.when is not None
    assert found.when.en == "08-15 / 08-24"
    assert found.reports[0].page == "index.html"
    assert "guide" in [one.key for one in found.reports]


def test_the_file_is_read_back_whole() -> None:
    found = summary("round-2")
    file = summary_file(found)
    assert json.loads(file)["schema"] == 1
    assert read_summary(file) == found
