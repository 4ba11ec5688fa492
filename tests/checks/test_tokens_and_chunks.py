from __future__ import annotations

from generator.model import Round
from generator.runs.requests import Requests
from generator.told.findings import Finding
from tests.support.memory_round import memory_round
from tests.support.request_rows import answer, requests_of
from tests.support.telling import found_by, said

CHECK = "tokens_and_chunks"

ONE_EACH = (answer(0.1, 0.020, 0.020),)
EMPTY_LAST = (answer(0.1, 0.020, 0.020, 0.0003, tokens=3),)
EMPTY_FIRST = (answer(0.1, 0.000002, 0.020, 0.020, tokens=3),)


def streamed(*rows_of_levels: tuple[object, ...]) -> Round:
    requests: list[Requests] = [requests_of(*rows) for rows in rows_of_levels]  # type: ignore[arg-type]
    levels = {f"c{row}": {"concurrency": float(row)} for row in range(1, len(requests) + 1)}
    return memory_round({"s": levels}, runs={("s", f"c{row}", None): one for row, one in enumerate(requests, 1)})


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_several_tokens_a_chunk_make_itl_no_time_a_token() -> None:
    # 9 tokens in 4 chunks: 9 ÷ 4 = 2.25. ITL (60 + 120 + 60) ÷ 3 = 80 ms; TPOT (340 − 100) ÷ 8 = 30 ms.
    round_ = streamed((answer(0.1, 0.06, 0.12, 0.06, tokens=9),))
    finding = examine(round_)

    assert (finding.status, finding.levels) == ("warn", ("c1",))
    assert finding.looks == "worse"
    assert {one.metric for one in finding.doubts} == {"itl_mean", "itl_p50", "itl_p90", "itl_p95", "itl_p99"}
    text = said(finding, round_)
    assert "hold several tokens at C=1: 2.25 tokens per chunk" in text
    assert "At C=1 the mean ITL is 80.0 ms and the mean TPOT 30.0 ms." in text
    assert "平均每个 chunk 有 2.25 个 token" in text


def test_the_level_with_most_tokens_a_chunk_is_named() -> None:
    round_ = streamed((answer(0.1, 0.02, tokens=4),), (answer(0.1, 0.02, tokens=6),))  # 4 ÷ 2 and 6 ÷ 2

    assert "most of all at C=2, 3.00 tokens per chunk" in said(examine(round_), round_)


def test_two_tokens_that_come_together_once_are_no_matter() -> None:
    # 41 tokens in 40 chunks: 1.025.
    assert examine(streamed((answer(0.1, *[0.02] * 39, tokens=41),))).status == "pass"


def test_an_empty_last_chunk_is_recognised_with_its_effect() -> None:
    # 4 chunks for 3 tokens; of the 3 gaps one is 0.3 ms beside 20 ms: a third of all gaps.
    round_ = streamed(EMPTY_LAST)
    finding = examine(round_)

    assert finding.status == "note"
    text = said(finding, round_)
    assert "At C=1, 100.0% of the answers of s have one more chunk than tokens: an empty one at the end" in text
    assert "(median last gap 0.300 ms, against a median of 20.0 ms over all gaps)" in text
    assert "next to nothing, 33.3% of all gaps, and the mean ITL is too low by as much" in text
    assert "末尾的空 chunk 只带结束原因" in text
    assert "flatters s" in text
    assert finding.looks == "better"


def test_an_empty_first_chunk_is_told_from_a_last_one() -> None:
    text = said(examine(streamed(EMPTY_FIRST)), streamed(EMPTY_FIRST))

    assert "an empty one at the start" in text
    assert "median first gap 0.00200 ms" in text
    assert "at the end" not in text


def test_one_chunk_more_at_a_usual_distance_is_not_called_empty() -> None:
    assert examine(streamed((answer(0.1, 0.02, 0.02, 0.02, tokens=3),))).status == "pass"


def test_a_few_answers_with_one_chunk_more_are_no_rule() -> None:
    # Of 4 answers 1 has a chunk more: the usual one has none. Of 4, 3 have: the median is one more.
    assert examine(streamed((*EMPTY_LAST, *ONE_EACH * 3))).status == "pass"
    assert "75.0% of the answers" in said(
        examine(streamed((*EMPTY_LAST * 3, *ONE_EACH))), streamed((*EMPTY_LAST * 3, *ONE_EACH))
    )


def test_shares_of_several_levels_are_a_range() -> None:
    # 8 of 9 are 88.9 %, and all are 100 %; of the gaps 9 ÷ 26 (8 × 3 + 2) are 34.6 %, and 1 ÷ 3 are 33.3 %
    round_ = streamed((*EMPTY_LAST * 8, *ONE_EACH), EMPTY_LAST)
    text = said(examine(round_), round_)

    assert "At C=1 and C=2, 88.9–100.0% of the answers of s have one more chunk than tokens" in text
    assert "next to nothing, 33.3–34.6% of all gaps" in text
    assert "(at C=2, median last gap 0.300 ms" in text


def test_one_odd_answer_does_not_make_the_level_one_of_several_tokens_a_chunk() -> None:
    # 63 tokens in 17 chunks among ten: (9 × 3 + 63) ÷ (9 × 4 + 17) = 90 ÷ 53 = 1.70 tokens a chunk
    held_up = answer(0.1, *[0.02] * 16, tokens=63)
    round_ = streamed((*EMPTY_LAST * 9, held_up))
    odd, empty = found_by(CHECK, round_)

    assert (odd.status, odd.doubts) == ("note", ())
    assert "1 at C=1, with up to 46 chunks missing" in said(odd, round_)
    assert "C=1 有 1 条，最多少 46 个 chunk" in said(odd, round_)
    assert "90.0% of the answers" in said(empty, round_)


def test_imported_runs_are_not_told_to_fill_in_a_column() -> None:
    nothing = memory_round({"s": {"c1": {"concurrency": 1}}}, runs={("s", "c1", None): None})

    assert "--save-detailed" in said(examine(nothing), nothing)
    assert "column" not in said(examine(nothing), nothing)


def test_one_token_a_chunk_is_as_it_should_be() -> None:
    finding = examine(streamed(ONE_EACH))

    assert (finding.status, finding.series) == ("pass", "s")


def test_a_chunk_count_in_a_table_is_enough() -> None:
    round_ = memory_round({"s": {"c1": {"concurrency": 1, "tokens_per_chunk": 3}}})

    assert examine(round_).status == "warn"
    text = said(examine(round_), round_)
    assert "3.00 tokens per chunk" in text
    assert "mean ITL" not in text


def test_uncounted_chunks_leave_the_question_open() -> None:
    round_ = memory_round({"s": {"c1": {"concurrency": 1, "itl_p50": 0.02}}})
    finding = examine(round_)

    assert (finding.status, finding.series) == ("unknown", None)
    assert finding.remedy is not None


def test_a_gap_longer_than_a_token_takes_in_all_is_between_chunks() -> None:
    # One stream of 292 tokens a second: 3.42 ms a token, while gaps last 8.7 ms.
    round_ = memory_round({"s": {"c1": {"concurrency": 1.0, "output_throughput": 292.0, "itl_mean": 0.0087}}})
    finding = examine(round_)

    assert (finding.status, finding.levels, finding.looks) == ("warn", ("c1",), "worse")
    assert [doubt.metric for doubt in finding.doubts] == ["itl_mean"]
    text = said(finding, round_)
    assert "longer than a token of a stream takes in all: 8.70 ms against 3.42 ms at C=1" in text
    assert "C=1 的 8.70 ms 对 3.42 ms" in text


def test_gaps_of_single_tokens_fit_into_the_time_of_a_stream() -> None:
    # 1 ÷ 100 = 10 ms a token; a fifth more is still forgiven
    for gap, status in ((0.0119, "unknown"), (0.0121, "warn")):
        level = {"concurrency": 1.0, "output_throughput": 100.0, "itl_mean": gap}
        assert examine(memory_round({"s": {"c1": level}})).status == status


def test_two_tokens_that_always_come_together_are_no_speed() -> None:
    together, apart = (streamed((answer(0.1, gap, 0.02, 0.02),)) for gap in (0.00004, 0.00006))
    finding = examine(together)

    assert finding.status == "note"
    assert "the first two tokens of s arrive together, with a median gap of 0.0400 ms" in said(finding, together)
    assert examine(apart).status == "pass"


def test_more_chunks_than_tokens_put_the_count_in_doubt() -> None:
    # 5 tokens counted in 1 + 8 chunks: four of them at least hold none, or the count is wrong.
    round_ = streamed((answer(0.1, *[0.02] * 8, tokens=5),))
    finding = examine(round_)

    assert (finding.status, finding.levels) == ("warn", ("c1",))
    assert "several chunks more than tokens counted at C=1" in said(finding, round_)


def test_many_gaps_of_next_to_nothing_put_the_mean_and_the_stalls_in_doubt() -> None:
    # A third of all gaps pulls the mean down; 1 of 200, or 0.5 %, does not show in it.
    few, many = streamed((answer(0.1, *[0.02] * 199, 0.0003, tokens=200),)), streamed(EMPTY_LAST)

    assert examine(few).doubts == ()
    assert (
        {"itl_mean", "itl_mean_over_p50", "stall_overhead", "stall_share"}
        >= {one.metric for one in examine(many).doubts}
        >= {"itl_mean", "stall_overhead", "stall_share"}
    )
