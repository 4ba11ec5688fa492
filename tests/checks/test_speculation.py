from __future__ import annotations

from generator.model import Round
from generator.told.findings import Finding
from tests.support.machines import machine, ran_on
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said
from tests.support.watched_rounds import watched_round

CHECK = "speculation"


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_drafts_make_itl_a_time_between_chunks() -> None:
    # 600 of 800 were accepted
    drafting = {"log_draft_tokens": 800.0, "log_draft_accepted": 600.0, "itl_p50": 0.02}
    round_ = watched_round({"c1": drafting})

    finding = examine(round_)

    assert (finding.status, finding.levels, finding.looks) == ("note", ("c1",), None)
    assert [one.metric for one in finding.doubts] == ["itl_p50"]
    text = said(finding, round_)
    assert "Of its drafted tokens were accepted: 75.0% (s at C=1)." in text
    assert "the time per token is TPOT" in text


def test_only_one_side_with_drafts_is_a_warning() -> None:
    round_ = memory_round({"a": {}, "b": {}}, of_series={"a": {"log_draft_tokens_of_series": 10.0}})

    finding = examine(round_)

    assert (finding.status, finding.series, finding.looks) == ("warn", "a", "better")
    assert "Of b nothing tells that it had it" in said(finding, round_)


def test_a_flag_tells_as_much_as_a_log() -> None:
    asked = machine(engine="SGLang", flags=[("--speculative-algorithm", "EAGLE")])
    round_ = ran_on({"s": asked})

    finding = examine(round_)

    assert finding.status == "note"
    assert "s ran with speculative decoding" in said(finding, round_)


def test_drafts_in_the_log_of_the_series_count() -> None:
    round_ = watched_round(
        {"c1": {}}, of_series={"s": {"log_draft_tokens_of_series": 100.0, "log_draft_accepted_of_series": 25.0}}
    )

    assert "25.0% (s, over the whole series)" in said(examine(round_), round_)


def test_no_drafts_are_nothing_to_examine() -> None:
    assert examine(watched_round({"c1": {"log_draft_tokens": 0.0}})).is_empty
