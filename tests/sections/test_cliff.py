from __future__ import annotations

from generator.model import Round
from generator.told.blocks import FigureBlock
from tests.support.cliff_rounds import POOL, cliff_round, climbing, preempting, told_in_every_way
from tests.support.telling import analysed, chapter_of, text_of


def told(round_: Round) -> str:
    analysis = analysed(round_)
    return text_of(chapter_of("cliff", analysis), analysis)


def test_the_verdict_gives_both_positions_and_the_signs() -> None:
    text = told(preempting())

    # nothing was measured between C=4 and C=6, so the prediction is not verified any closer
    assert "consistent with the prediction: predicted at C = 4.50, observed between C=4 and C=6" in text
    # blocks of 16: 160 tokens are 10 of them; 720 ÷ 160 = 4.5
    assert "has 720 tok, and a request at full length has 160 tok, in whole blocks of 16 tok: 4.50 fit in." in text
    assert "So the cliff is expected above C=4.50; the KV pool runs out first." in text
    assert "It appeared at C=6: preempted, waiting and TTFT p99 jumps. That is the first level above it." in text


def test_a_cliff_off_the_prediction_is_so_many_levels_off() -> None:
    # 1500 ÷ 160 = 9.4 requests fit, and the engine preempts from C=6 on: 12 was due, 8 and 6 lie before it.
    assert "That is 2 levels earlier than predicted." in told(preempting(kv_pool_tokens=1500.0))
    # 200 ÷ 160 = 1.25: 2 was due, and 6 is two rungs above it.
    assert "That is 2 levels later than predicted, more than staggered requests explain" in told(
        preempting(kv_pool_tokens=200.0)
    )


def test_staggered_requests_explain_a_cliff_that_comes_a_level_late() -> None:
    # 600 ÷ 160 = 3.75, so that C=4 was due; but 600 ÷ (128 + 16) = 4.2, above which C=6 is the first.
    text = told(preempting(kv_pool_tokens=600.0))
    assert "consistent with the prediction" in text
    assert "which agrees with staggered requests: 4.17 of these fit, and this is the first level above." in text


def test_the_observed_level_says_between_which_levels_the_cliff_lies() -> None:
    # 4.5 fit, and C=6 is the first level with a sign: C=4 below it has none
    assert "the first level measured above C=4: the true cliff lies between C=4 and C=6" in told(preempting())


def test_slots_that_come_first_are_not_called_the_pool() -> None:
    text = told(preempting(slots=4.0))
    assert "But the 4 slots run out first, not the KV pool: above C=4 requests wait." in text
    assert "expected above" not in text


def test_slots_that_keep_a_part_each_are_told_as_such() -> None:
    # 720 ÷ 180 = 4 slots: the pool is not divided by the 160 tokens of a request.
    round_ = preempting(slots=4.0, kv_slot_context=180.0)
    text = told(round_)
    assert "has 720 tok, split into slots of 180 tok whatever the length of a request: 720 tok ÷ 180 tok = 4." in text
    assert "Slots (4) and pool end together: above C=4 requests wait" in text
    assert "staggered" not in text


def test_layers_with_a_window_are_counted_in_blocks() -> None:
    # 3 layers keep all and 15 a window: 6 groups, of each 160 ÷ 16 = 10 blocks; 270 ÷ 60 = 4.5. 700 tok ≠ 270 × 16.
    shape = {"kv_elements": 1536.0, "kv_window_elements": 7680.0, "attention_window": 512.0}
    text = told(preempting(kv_pool_tokens=700.0, engine_pool_blocks_of_series=270.0, **shape))
    assert "has 270 blocks, and a request at full length takes 60, over all groups of layers, those with" in text
    assert "a window too: 270 ÷ 60 = 4.50" in text


def test_without_a_sign_anywhere_no_cliff_showed() -> None:
    calm = climbing(gauge_waiting_mean=(0.0,) * 6)
    assert told(cliff_round({"s": calm}, {"s": POOL})).startswith("Verdict: no cliff appeared")


def test_a_ladder_below_the_wall_cannot_show_a_cliff() -> None:
    calm = climbing(gauge_waiting_mean=(0.0,) * 6)
    text = told(cliff_round({"s": calm}, {"s": {"kv_pool_tokens": 160_000.0}}))
    assert "The highest level, C=12, is not above that, so no cliff could appear and nothing can be verified." in text


def test_a_cliff_that_was_due_and_did_not_show_has_the_reason() -> None:
    calm = climbing(gauge_waiting_mean=(0.0,) * 6)
    text = told(cliff_round({"s": calm}, {"s": POOL}))
    assert (
        "It was expected from C=6 on, and did not appear: up to the highest level the engine neither preempted" in text
    )


def test_series_that_cannot_be_told_say_why() -> None:
    levels = {"s": climbing(server_preemptions=(0.0, 0.0, 0.0, 9.0, 9.0, 9.0)), "t": climbing((1, 2)), "u": climbing()}
    text = told(cliff_round(levels, {"s": POOL, "t": POOL}))
    assert "The cliff of t is not known: it has fewer than three levels" in text
    assert "The cliff of u is not known: there is no record of" in text


def test_it_shows_throughput_and_ttft() -> None:
    chapter = chapter_of("cliff", analysed(told_in_every_way()))
    assert chapter is not None
    assert [block.key for block in chapter.blocks if isinstance(block, FigureBlock)] == [
        "cliff_throughput",
        "cliff_ttft",
    ]
