from __future__ import annotations

from generator.model import Round
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said, throughputs

CHECK = "curve_gaps"


def found(round_: Round, status: str) -> list[Finding]:
    return [finding for finding in found_by(CHECK, round_) if finding.status == status]


def test_second_rounds_slope_steps_over_its_spoilt_level() -> None:
    (slope,) = found(published("round-2"), "note")

    assert (slope.series, slope.levels, slope.looks) == ("llamacpp-q4_k_m", ("c32",), "better")
    text = said(slope, published("round-2"))
    # (35.32 − 5.84) ms ÷ 63 = 0.468 ms a slot
    assert "0.468 ms/slot, is taken from C=1 and C=64 and steps over C=32, which is excluded" in text
    assert "由 C=1 与 C=64 两点得出，跨过了已排除的 C=32" in text


def test_second_rounds_crossover_has_a_usable_bracket() -> None:
    crossing, slope = found(published("round-2"), "pass")

    assert "C ≈ 8.3 lies between C=8 and C=16: both are usable" in said(crossing, published("round-2"))
    assert slope.series == "vllm-bf16"


def test_a_crossover_over_a_spoilt_level_is_in_doubt() -> None:
    # At C=2 the compared series dips to 40 and recovers: excluded. It leads at C=1 and trails at C=4, so that the
    # crossover is interpolated across the hole.
    round_ = memory_round({"a": throughputs(90, 95, 120, 240), "b": throughputs(100, 40, 110, 220)}, baseline="a")
    (crossing,) = found(round_, "warn")

    assert (crossing.series, crossing.levels) == ("b", ("c2",))
    assert [doubt.metric for doubt in crossing.doubts] == ["crossover_concurrency"]
    text = said(crossing, round_)
    assert "is interpolated between C=1 and C=4, and C=2 between them is excluded" in text
    assert "Measure C=2 again" in text


def test_a_round_without_slopes_and_crossovers_has_no_gap_in_them() -> None:
    (finding,) = found_by(CHECK, memory_round({"a": {"c1": {"concurrency": 1.0}}}))

    assert finding.is_empty
