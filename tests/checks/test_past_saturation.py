from __future__ import annotations

from generator.model import Round
from generator.told.findings import Finding
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said

CHECK = "past_saturation"


def curve(*points: tuple[float, float, float]) -> Round:
    """Return a series at some concurrencies: tokens a second and the median E2EL in seconds at each."""
    return memory_round({
        "s": {f"c{c}": {"concurrency": c, "output_throughput": x, "e2el_p50": t} for c, x, t in points}
    })  # fmt: skip


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_levels_above_the_knee_are_noted() -> None:
    # From C=2 on, doublings gain 3 % and 1 %.
    round_ = curve((1, 100, 1), (2, 195, 1.1), (4, 201, 2), (8, 203, 4))
    finding = examine(round_)

    assert (finding.status, finding.levels) == ("note", ("c4", "c8"))
    assert finding.evidence[0].metric == "knee_concurrency"
    text = said(finding, round_)
    assert (
        "s is saturated at C = 2: C=4 and C=8, with more in flight, deliver hardly more, and their E2EL is longer"
        in text
    )
    assert "s 在 C = 2 已经饱和；C=4、C=8 的并发更高" in text


def test_throughput_that_still_grows_passes() -> None:
    assert examine(curve((1, 100, 1), (2, 195, 1.1), (4, 380, 1.2))).status == "pass"


def test_one_level_makes_no_curve() -> None:
    assert examine(curve((1, 100, 1))).is_empty
