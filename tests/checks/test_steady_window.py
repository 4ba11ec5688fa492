from __future__ import annotations

import pytest

from generator.model import Round
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.request_rows import answer, requests_of
from tests.support.telling import found_by, said

CHECK = "steady_window"


def round_of(first: float, later: float) -> Round:
    """Return ten requests at C=1: the first, sent before any has ended, five alike, and four alike once it is steady.

    All six are sent at once and end at 1 s the soonest; the others follow at 1.1, 2.1, 3.1 and 4.1 s.
    """
    begun = [answer(first, 1.0 - first, start=0.0) for _ in range(6)]
    steady = [answer(later, 1.0 - later, start=1.1 + number) for number in range(4)]
    return memory_round({"s": {"c1": {"concurrency": 1}}}, runs={("s", "c1", None): requests_of(*begun, *steady)})


@pytest.mark.parametrize(
    ("later", "status"),
    [(0.2, "pass"), (0.218, "pass"), (0.224, "note"), (0.26, "warn")],
    ids=["alike", "9 %", "12 %", "30 %"],
)
def test_a_tenth_is_noted_and_a_quarter_is_a_warning(later: float, status: str) -> None:
    # The median of six 0.2 s and four others is 0.2 s. The ITL is 0.8 s against 1 − later: 7.5 % apart at the most.
    (finding,) = found_by(CHECK, round_of(0.2, later))

    assert finding.status == status


def test_both_numbers_are_told() -> None:
    round_ = round_of(0.2, 0.3)
    (finding,) = found_by(CHECK, round_)

    assert [doubt.metric for doubt in finding.doubts] == ["ttft_p50"]
    text = said(finding, round_)
    assert "TTFT p50 is 200 ms over the whole run and 300 ms in the steady part" in text
    assert "TTFT p50 全程是 200 ms，稳态里是 300 ms" in text


def test_without_times_there_is_no_steady_part() -> None:
    (finding,) = found_by(CHECK, published("round-2"))

    assert (finding.status, finding.is_empty) == ("pass", True)
