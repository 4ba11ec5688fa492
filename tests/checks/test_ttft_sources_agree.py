from __future__ import annotations

from generator.model import Round
from tests.support.anatomy_rounds import by_counters, by_log, of_levels
from tests.support.telling import analysed, found_by, text_of


def statuses(round_: Round) -> list[tuple[str, tuple[str, ...]]]:
    return [(finding.status, finding.levels) for finding in found_by("ttft_sources_agree", round_)]


def test_sources_that_say_the_same_agree() -> None:
    # 1 ms and 2.5 ms of queueing are 1.5 ms apart, 490 and 450 ms of prefill 40 ms of 49 that they may.
    assert statuses(of_levels({"c1": {**by_log(0.001, 0.49), **by_counters(0.0025, 0.45)}})) == [("pass", ())]


def test_sources_that_differ_are_warned_of_with_the_worst_part() -> None:
    alike = {**by_log(0.001, 0.49), **by_counters(0.001, 0.49)}
    apart = {**by_log(0.2, 0.28), **by_counters(0.05, 0.24)}
    round_ = of_levels({"c1": alike, "c4": apart})

    # queueing is off by 150 ms of 20 that it may, prefill by 40 of 28
    assert statuses(round_) == [("warn", ("c4",))]
    (finding,) = found_by("ttft_sources_agree", round_)
    told = text_of(finding.message, analysed(round_))
    assert (
        told
        == "At C=4 the log and the counters of a disagree: queueing is 200 ms by the log and 50.0 ms by the counters."
    )


def test_with_one_source_there_is_nothing_to_compare() -> None:
    (finding,) = found_by("ttft_sources_agree", of_levels({"c1": by_log(0.001, 0.49)}))

    assert (finding.status, finding.is_empty) == ("pass", True)
