from __future__ import annotations

from generator.model import Round
from generator.told.blocks import Cards
from tests.support.memory_round import memory_round
from tests.support.started_rounds import TOLD, Start, started_in_every_way, started_round
from tests.support.telling import analysed, chapter_of, text_of


def told(round_: Round) -> str:
    analysis = analysed(round_)
    return text_of(chapter_of("cold_start", analysis), analysis)


def test_the_verdict_gives_what_a_user_waits_for_and_its_parts() -> None:
    # T1 = 1 s, T2 = 4 − 1, T3 = 4.5 − 1
    text = told(started_round((Start(),)))

    assert "s takes 4.00 s from spawn to first token (T1 1.00 s, T2 3.00 s and T3 3.50 s)." in text
    assert "Compare engines" not in text  # there is one series
    assert "The model's files were already in memory: this is a warm start, not a cold one." in text


def test_the_longest_stages_of_its_log_are_named() -> None:
    # of 3 s to good health the log tells 0.25 of imports, 0.5 and 0.75 of stages: 1.5 are left, of 5 s in all
    text = told(started_in_every_way())
    assert "Its longest stage is what its log does not tell (1.50 s), then loading weights (0.750 s)." in text
    assert "Compare engines by T1 + T2 only" in text

    # 1.5 s of 2 s to the token
    compiling = {**TOLD, "stage_compile": 1.2, "stages_told": 2.45}
    text = told(started_round((Start(healthy=2.8, token=2.3, log=compiling),)))
    assert "Most of it goes into compiling (1.20 s), then into loading weights (0.750 s)." in text


def test_what_t1_means_follows_from_when_health_was_good() -> None:
    # health comes 1 s after the port, which is half of the way; then at once
    assert "Its port opens before the model is loaded (healthy only after 2.00 s)" in told(started_round((Start(),)))
    assert "Its port opens only when it is ready" in told(started_round((Start(port=1.9),)))
    assert "port opens" not in told(started_round((Start(healthy=None),)))


def test_medians_are_of_starts_that_are_alike() -> None:
    text = told(started_in_every_way())

    # perceived 5 and 7 s cold, 9 and 11 s warm, 13 and 15 s of unknown state
    assert (
        "Its 2 cold starts (model files not in the page cache) took 6.00 s at the median, from 5.00 s to 7.00 s."
        in text
    )
    assert "Its 2 warm starts (model files in memory) took 10.0 s at the median, from 9.00 s to 11.0 s." in text
    assert "with the page cache in an unknown state took 14.0 s at the median, from 13.0 s to 15.0 s." in text


def test_one_start_has_no_median() -> None:
    assert "median" not in told(started_round((Start(), Start(resident=0.0))))


def test_the_soonest_of_several_series_leads() -> None:
    assert "Verdict: s gives the first token soonest" in told(started_in_every_way())  # 5 s against 20 + 1.5 s
    assert "how long a cold start takes" in told(started_round((Start(),)))


def test_without_repeated_starts_none_is_called_the_fastest() -> None:
    other = {"cold_start_t1": 20.0, "cold_start_t2": 1.5}
    assert "Verdict: which start is the fastest cannot be told" in told(started_round((Start(),), others={"t": other}))


def test_starts_within_the_spread_of_repeated_ones_are_not_told_apart() -> None:
    # s took 3 and 4 s, a spread of 1.33: 5 s lie within 1.33 × 4 = 5.33, and 50 s do not.
    others = {
        "near": {"cold_start_t1": 4.0, "cold_start_t2": 1.0}, "far": {"cold_start_t1": 49.0, "cold_start_t2": 1.0},
    }  # fmt: skip
    text = told(started_round((Start(), Start(token=3.0)), others=others))
    assert "Verdict: s and near, indistinguishable, give the first token sooner than far" in text


def test_a_start_without_a_token_is_told_by_its_port() -> None:
    text = told(started_round((Start(token=None, completion=None),)))
    assert "The port of s opens after 1.00 s; when its first token came is not on record." in text


def test_cards_say_how_the_first_start_found_the_files() -> None:
    analysis = analysed(started_in_every_way())
    chapter = chapter_of("cold_start", analysis)

    assert chapter is not None
    ours, declared = (block for block in chapter.blocks if isinstance(block, Cards))
    assert text_of(ours.heading, analysis) == "s, first start: page cache cold"
    assert text_of(declared.heading, analysis) == "declared"
    assert [len(one.cards) for one in (ours, declared)] == [4, 4]


def test_without_a_start_there_is_nothing_to_tell() -> None:
    assert chapter_of("cold_start", analysed(memory_round({"s": {}}))) is None
