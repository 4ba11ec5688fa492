from __future__ import annotations

from dataclasses import replace

from tests.support.choices import levels, tried, two
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.telling import analysed, chapter_of, said, text_of


def test_it_switches_with_hysteresis_around_the_crossover() -> None:
    analysis = analysed(published("round-2"))
    text = text_of(chapter_of("guide_runbook", analysis), analysis)

    assert "Switch to vLLM BF16 once C=16 is sustained, and back once the load is down to C=4." in text
    assert "At C=8 the two are too close to choose: either will do. Between C=4 and C=16, keep what is running" in text
    assert "roll the last change back if throughput is more than 5% below 1,387.8 tok/s" in text
    assert "5% and 1% are defaults, not measurements" in text
    assert "switching changes the answers" in text


def test_nobody_is_advised_past_an_excluded_level() -> None:
    round_ = published("round-2")
    text = said(chapter_of("guide_runbook", analysed(round_)), round_)

    # llama.cpp collapses at C=32, the level between C=16 (548.0 tok/s) and C=64; vLLM has no such level.
    assert "llama.cpp Q4_K_M: no more than C=16 (548.0 tok/s): C=32 above it is excluded (see Anomaly)" in text
    assert "llama.cpp Q4_K_M 最多给到 C=16（548.0 tok/s）：再往上的 C=32 已排除（见“异常”）" in text
    assert "If vLLM BF16 fails, llama.cpp Q4_K_M takes over up to C=16;" in text
    assert "If llama.cpp Q4_K_M fails, vLLM BF16 takes over up to C=64;" in text
    assert "llama.cpp Q4_K_M at C=16: roll the last change back" in text


def test_what_is_not_known_of_a_capacity_leaves_no_gap_and_is_said() -> None:
    # Round 1 has the throughput of neither engine at these levels, and no failures of vLLM at any.
    round_ = published("round-1")
    text = said(chapter_of("guide_runbook", analysed(round_)), round_)

    assert "(—)" not in text
    assert "（—）" not in text
    assert "vLLM BF16: no more than C=32, the highest usable level measured" in text
    assert "llama.cpp Q4_K_M: no more than C=8, as too many requests fail" in text
    assert "How many requests fail at C=1, C=8 and C=32 is not on record, so failures set no limit here." in text
    assert text.count("is not on record, so failures") == 1


def test_one_that_always_leads_is_primary() -> None:
    round_ = two(levels(output_throughput=[100, 200]), levels(output_throughput=[150, 250]))
    text = said(chapter_of("guide_runbook", analysed(round_)), round_)

    assert "other is primary" in text
    assert "Switch to" not in text
    assert "switching changes the answers" not in text
    assert "left open" not in text


def test_a_margin_that_is_declared_is_no_default() -> None:
    round_ = two(levels(output_throughput=[100, 200]), levels(output_throughput=[150, 201]))
    declared = round_.file.round.model_copy(update={"margin": 0.02})
    stated = replace(round_, file=round_.file.model_copy(update={"round": declared}))
    text = said(chapter_of("guide_runbook", analysed(stated)), stated)

    assert "2% is the margin that this round declares and 1% a default" in text
    # At C=2 they are half a per cent apart.
    assert "at every usable level that both have. base is the backup. At C=2 the two are too close to choose" in text


def test_where_the_lead_is_open_nobody_is_told_to_switch() -> None:
    # 100 to 140 tok/s against 130 to 160 tok/s: who delivers more may be so by chance.
    round_ = tried("output_throughput", [100, 140], [130, 160])

    text = said(chapter_of("guide_runbook", analysed(round_)), round_)

    assert "No clear lead: which of base and other leads is left open" in text
    assert "Switch to" not in text
    assert "is primary" not in text


def test_one_series_has_a_capacity_and_a_rollback() -> None:
    round_ = memory_round({"s": levels(output_throughput=[100, 190])})
    text = said(chapter_of("guide_runbook", analysed(round_)), round_)

    assert "s: no more than C=2 (190 tok/s), the highest usable level" in text
    assert "roll the last change back" in text
    assert "Backup" not in text


def test_a_series_that_fails_at_once_is_kept_out() -> None:
    round_ = memory_round({"s": levels(output_throughput=[100], requests=[10], completed=[5], failed=[5])})

    assert "do not put it into service" in said(chapter_of("guide_runbook", analysed(round_)), round_)


def test_without_a_usable_level_there_is_none() -> None:
    assert chapter_of("guide_runbook", analysed(memory_round({"s": {}}))) is None
