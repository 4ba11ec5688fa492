from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.memory_round import memory_round
from tests.support.request_rows import Row, answer, requests_of
from tests.support.telling import found_by, said

CHECK = "buffered_stream"


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def run(*rows: Row) -> Round:
    return memory_round({"s": {"c1": {"concurrency": 1}}}, runs={("s", "c1", None): requests_of(*rows)})


def table(**seen: float) -> Round:
    return memory_round({"s": {"c1": {"concurrency": 1, **seen}}})


STREAMED = answer(0.1, 0.1, 0.1)
AT_ONCE = answer(0.999, 0.001, tokens=20)


def test_a_stream_passes() -> None:
    assert examine(run(STREAMED, STREAMED, AT_ONCE)).status == "pass"  # one of three


def test_most_answers_at_once_are_no_stream() -> None:
    # 0.999 ÷ 1.0 in two of three
    round_ = run(STREAMED, AT_ONCE, AT_ONCE)
    finding = examine(round_)

    assert (finding.status, finding.levels) == ("warn", ("c1",))
    assert {"ttft_p50", "tpot_p50", "itl_p99"} <= {doubt.metric for doubt in finding.doubts}
    text = said(finding, round_)
    assert "the TTFT p50 is 999 ms, the E2EL p50 1,000 ms" in text
    assert "TTFT 其实是最后一个 chunk 的时刻" in text


@pytest.mark.parametrize(("ttft", "status"), [(0.985, "pass"), (0.995, "warn")])
def test_a_table_is_judged_by_its_medians(ttft: float, status: str) -> None:
    assert examine(table(ttft_p50=ttft, e2el_p50=1.0, output_tokens_mean=20.0)).status == status


@pytest.mark.parametrize(
    "round_",
    [
        pytest.param(table(ttft_p50=1.0, e2el_p50=1.0, output_tokens_mean=1.0), id="one token is its own last"),
        pytest.param(table(e2el_p50=1.0, output_tokens_mean=20.0), id="not streamed: no TTFT was measured"),
    ],
)
def test_where_there_is_no_stream_to_judge_nothing_is_said_of_it(round_: Round) -> None:
    assert examine(round_).is_empty
