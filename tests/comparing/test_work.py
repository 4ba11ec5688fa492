from __future__ import annotations

import pytest

from generator.comparing import telling
from generator.comparing.records import Comparison, Difference
from generator.comparing.work import depends_on_output
from generator.render.diff.words import OUTPUT_LENGTH
from tests.comparing.two_rounds import Trials, analysed, compared
from tests.support.held_rounds import held, seen


def of_length(tokens: float, *e2el: float, **more: float) -> Trials:
    """Return a level whose answers have a length, with its E2EL and TTFT in each trial."""
    known = {"output_tokens_mean": tokens, **more}
    return {
        "e2el_p50": e2el, "ttft_p50": (0.1, 0.1002, 0.0998), "output_throughput": (100.0, 100.2, 99.8),
        **{metric: (value,) * len(e2el) for metric, value in known.items()},
    }  # fmt: skip


USUAL = of_length(256.0, 1.0, 1.01, 0.99)


def against(head: Trials) -> Comparison:
    return compared(analysed({"c8": USUAL}), analysed({"c8": head}))


def row(found: Comparison, metric: str) -> Difference:
    return next(one for one in found.differences if one.address.metric == metric)


def test_shorter_answers_confound_what_depends_on_their_length_and_nothing_else() -> None:
    # 230 of 256 tok is 10.2 % short, and so is E2EL: the engine may be as fast as before.
    found = against(of_length(230.0, 0.9, 0.909, 0.891))
    quicker = row(found, "e2el_p50")
    assert (quicker.verdict, quicker.suggests, quicker.grade) == ("confounded", "better", "D")
    assert telling.OTHER_OUTPUT in quicker.reasons
    assert row(found, "ttft_p50").verdict == "same"
    assert row(found, "output_throughput").verdict == "confounded"
    assert found.pairs[0].other_output == ("c8",)
    assert telling.other_output("a", ("c8",)) in found.banner.reasons
    assert found.banner.standing == "partial"


def test_as_much_time_for_shorter_answers_is_not_the_same() -> None:
    assert row(against(of_length(230.0, 1.0, 1.01, 0.99)), "e2el_p50").verdict == "confounded"


def test_within_the_tolerance_answers_count_as_of_one_length() -> None:
    # 2 % of 256 is 5.12: 251 is 5 short, 250 is 6.
    assert row(against(of_length(251.0, 0.9, 0.909, 0.891)), "e2el_p50").verdict == "better"
    assert row(against(of_length(250.0, 0.9, 0.909, 0.891)), "e2el_p50").verdict == "confounded"


def test_answers_that_end_early_confound_although_the_mean_is_the_same() -> None:
    base, head = (of_length(256.0, 1.0, 1.01, 0.99, short_answer_share=share) for share in (0.0, 0.03))
    assert row(compared(analysed({"c8": base}), analysed({"c8": head})), "e2el_p50").verdict == "confounded"


@pytest.mark.parametrize("metric", ["asked_input_tokens", "asked_output_tokens", "input_tokens_mean"])
def test_other_prompts_or_other_lengths_asked_make_no_row_comparable(metric: str) -> None:
    base, head = (analysed({"c8": {**USUAL, metric: (n, n, n)}}) for n in (1000.0, 1100.0))
    found = compared(base, head)
    assert {one.verdict for one in found.differences} == {"not_comparable"}
    assert telling.other_lengths("a", ("c8",)) in found.banner.reasons


def test_what_depends_on_the_length_of_answers() -> None:
    depend = (
        "e2el_mean", "e2el_p99", "request_throughput", "request_goodput", "total_token_throughput", "output_throughput",
    )  # fmt: skip
    assert all(map(depends_on_output, depend))
    assert not any(map(depends_on_output, ("ttft_p50", "itl_p99", "tpot_mean", "failed")))


def test_the_page_names_the_length_among_what_confounds() -> None:
    view = seen(held(USUAL, of_length(230.0, 0.9, 0.909, 0.891)))
    (quicker,) = [one for one in view.rows if one.address.metric == "e2el_p50"]
    assert quicker.label == "◇ confounded"
    assert quicker.why[0] == f"confounded by {OUTPUT_LENGTH.en}"
    assert any("differs by more than 2%" in one for one in view.reasons)
    assert any(one.startswith("The answers of both sides are not of one length") for one, _ in view.shared_reasons)
