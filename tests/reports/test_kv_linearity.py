"""The report on the KV pool."""

from __future__ import annotations

from pathlib import Path

from tests.support.gauged_rounds import sampled
from tests.support.run_rounds import two_series
from tests.support.telling import analysed, catalogue, chapter_of, text_of

RUNS = Path(__file__).parents[2] / "runs"


def test_it_is_made_where_the_engine_was_sampled() -> None:
    report = catalogue().report("kv_linearity")

    assert report.page == "kv-linearity.html"
    assert report.lacks(analysed(sampled())) is None


def test_a_round_without_samples_says_how_they_are_taken() -> None:
    why = catalogue().report("kv_linearity").lacks(analysed(two_series()))

    assert why is not None
    assert "sample_every_s" in why.en
    assert "sample_every_s" in why.zh


def test_a_real_run_of_llama_cpp_that_says_nothing_of_its_pool() -> None:
    analysis = catalogue().analyse(catalogue().read(RUNS / "cpu-llamacpp"))
    series = analysis.round.series[0].id

    assert catalogue().report("kv_linearity").lacks(analysis) is None
    assert "is not known" in text_of(chapter_of("kv_linearity", analysis), analysis)
    # slots of 512 tokens, requests of 128 + up to 64: on average 160 are held, and 1 − 160 ÷ 512 are not
    held = analysis.frame.of_level("kv_fragmentation", series, "c1").value
    assert held is not None
    assert abs(held - (1 - 160 / 512)) < 0.01
    assert analysis.frame.of_level("gauge_running_most", series, "c4").value == 4
