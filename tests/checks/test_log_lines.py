from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said

CHECK = "log_lines"


def logged(*counts: tuple[float, float]) -> Round:
    """Return a round with so many lines and completed requests at its levels."""
    return memory_round({
        "s": {
            f"c{row}": {"concurrency": row, "log_timing_lines": lines, "completed": completed}
            for row, (lines, completed) in enumerate(counts, 1)
        }
    })  # fmt: skip


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_second_round_lacks_a_line_at_three_levels() -> None:
    # Lines 40, 59, 79, 120, 200, 318, 512; completed 40, 60, 80, 120, 200, 319, 512.
    unknown, note = found_by(CHECK, published("round-2"))

    assert (note.status, note.series, note.levels) == ("note", "llamacpp-q4_k_m", ("c2", "c4", "c32"))
    assert note.doubts == ()
    text = said(note, published("round-2"))
    assert "has 59, 79 and 318 timing lines, where the client counts 60, 80 and 319 completed requests" in text
    assert "有 59、79、318 条 timing，客户端记下的完成数却是 60、80、319" in text
    # 40 + 59 + 79 + 120 + 200 + 318 + 512 = 1328; 40 + 60 + 80 + 120 + 200 + 319 + 512 = 1331
    assert "Over all levels that is 1,328 lines for 1,331 completed requests; another 31 belong to the warm-up" in text
    assert "各档合计 1,328 条，对 1,331 条完成的请求；另有 31 条属于预热" in text
    assert (unknown.status, unknown.series) == ("unknown", "vllm-bf16")


def test_as_many_lines_as_requests_pass() -> None:
    finding = examine(logged((40, 40), (80, 80)))

    assert (finding.status, finding.levels) == ("pass", ("c1", "c2"))


@pytest.mark.parametrize(
    ("lines", "completed", "status"),
    [(95, 100, "note"), (105, 100, "note"), (94, 100, "warn"), (106, 100, "warn"), (1, 0, "warn"), (0, 0, "pass")],
)
def test_more_than_five_in_a_hundred_is_a_warning(lines: float, completed: float, status: str) -> None:
    assert examine(logged((lines, completed))).status == status


def test_warning_doubts_what_is_counted_in_the_log() -> None:
    finding = examine(logged((99, 100), (50, 100)))

    assert finding.levels == ("c1", "c2")
    assert {(doubt.metric, doubt.level) for doubt in finding.doubts} == {
        ("decode_steps", "c2"),
        ("graph_reuse_per_step", "c2"),
        ("graph_reuse_per_token", "c2"),
    }


@pytest.mark.parametrize("seen", [{"log_timing_lines": 40.0}, {"completed": 40.0}, {}])
def test_unknown_where_one_side_is_missing(seen: dict[str, float]) -> None:
    finding = examine(memory_round({"s": {"c1": {"concurrency": 1, **seen}}}))

    assert finding.status == "unknown"
    assert finding.remedy is not None


def test_sums_are_told_where_every_level_is_counted_on_both_sides() -> None:
    counted = logged((40, 40), (59, 60))  # 99 of 100
    partly = memory_round({
        "s": {
            "c1": {"concurrency": 1.0, "completed": 40.0},
            "c2": {"concurrency": 2.0, "completed": 60.0, "log_timing_lines": 59.0},
        }
    })  # fmt: skip

    text = said(examine(counted), counted)
    assert "Over all levels that is 99 lines for 100 completed requests." in text
    assert "belong to the warm-up" not in text
    assert "Over all levels" not in said(examine(partly), partly)
