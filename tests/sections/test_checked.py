from __future__ import annotations

from dataclasses import replace

from generator.frame import Analysis
from generator.text import Lang
from generator.told.blocks import FindingSummary, Paragraph
from generator.told.findings import Finding, Looks, Status
from generator.told.sentence import say
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import chapter_of, text_of


def finding(status: Status, series: str | None = None, looks: Looks | None = None) -> Finding:
    return Finding("toy", status, say(zh="话", en="words"), series, looks=looks)


def bias(analysis: Analysis, lang: Lang = "en") -> list[str]:
    """Return what is said of the direction of the findings."""
    chapter = chapter_of("checked", analysis)
    assert chapter is not None
    return [text_of(block, analysis, lang) for block in chapter.blocks if isinstance(block, Paragraph)]


def with_findings(*findings: Finding) -> Analysis:
    return replace(ANALYSES["round-2"](), findings=findings)


def test_what_was_found_stands_first() -> None:
    chapter = chapter_of("checked", ANALYSES["round-2"]())
    assert chapter is not None

    assert chapter.blocks[0] == FindingSummary(ANALYSES["round-2"]().findings)


def test_the_second_round_is_flattered_once_and_understated_twice() -> None:
    # For it: the medians of the latencies. Against it: the dip, the mean TPOT.
    analysis = ANALYSES["round-2"]()
    ours = [
        one for one in analysis.findings if one.check in ("latency_identity", "non_monotonic_throughput", "tpot_bound")
    ]

    assert bias(replace(analysis, findings=tuple(ours))) == [
        "Direction of bias: 1 finding favours llama.cpp Q4_K_M and 2 work against it."
    ]


def test_findings_without_a_direction_favour_nobody() -> None:
    assert bias(with_findings(finding("warn", "vllm-bf16"), finding("pass"))) == []


def test_each_series_is_named_with_what_favours_it() -> None:
    analysis = with_findings(
        *[finding("warn", "vllm-bf16", "better")] * 3, finding("note", "llamacpp-q4_k_m", "worse"), finding("pass")
    )

    assert bias(analysis, "zh") == ["这些问题中，3 项使结果偏向 vLLM BF16、1 项使结果不利于 llama.cpp Q4_K_M。"]
    assert bias(analysis) == [
        "Direction of bias: 3 findings favour vLLM BF16 and 1 finding works against llama.cpp Q4_K_M."
    ]
