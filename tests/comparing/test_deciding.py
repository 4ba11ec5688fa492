from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from generator.comparing.deciding import DISAGREE, SAID_BY, Asked, decide, level_metrics
from generator.declared.table_types import Wording
from generator.errors import InputError
from generator.frame import Analysis
from tests.comparing.two_rounds import DECLARED, throughputs
from tests.support.memory_round import GRAPH


def naming(round_id: str, **keys: Any) -> Analysis:  # keys of [round]
    """Return a round whose [round] has some keys."""
    analysis = throughputs(100.0)
    table = analysis.round.file.round.model_copy(update=keys)
    file = analysis.round.file.model_copy(update={"round": table})
    return replace(analysis, round=replace(analysis.round, id=round_id, file=file))


PLAIN = naming("plain")


def test_where_nobody_says_anything_it_is_the_default() -> None:
    found = decide(PLAIN, PLAIN, DECLARED)
    assert (found.options.primary, found.options.margin) == ("output_throughput", 0.05)
    assert found.primary_by == found.margin_by == SAID_BY["usual"]


def test_a_round_names_metric_and_margin_with_its_reason() -> None:
    head = naming("ours", primary="itl_p50", margin=0.02, margin_reason=Wording(zh="合同", en="the contract"))
    found = decide(PLAIN, head, DECLARED)
    assert (found.options.primary, found.options.margin) == ("itl_p50", 0.02)
    assert found.primary_by.en == "set in round.toml of ours"
    assert found.margin_by.en == "set in round.toml of ours: the contract"


def test_a_command_is_heard_before_the_rounds() -> None:
    found = decide(naming("x", primary="itl_p50", margin=0.02), PLAIN, DECLARED, Asked("ttft_p99", 0.1))
    assert (found.options.primary, found.options.margin) == ("ttft_p99", 0.1)
    assert found.primary_by == found.margin_by == SAID_BY["command"]


def test_which_round_is_the_base_changes_nothing() -> None:
    one = naming("a", primary="itl_p50", margin=0.02, intended=("gpu.driver",))
    other = naming("b", primary="ttft_p50", margin=0.1, intended=("engine",))
    assert decide(one, other, DECLARED) == decide(other, one, DECLARED)
    found = decide(one, other, DECLARED)
    assert (found.options.primary, found.primary_by) == ("output_throughput", DISAGREE)
    assert found.options.margin == 0.02  # the smaller one, which both are held to
    assert found.options.intended == {"gpu.driver", "engine"}


def test_margins_of_single_metrics_are_said_with_who_set_them() -> None:
    head = naming("ours", margin=0.1, margins={"itl": 0.02, "ttft_p99": 0.3}, thresholds={"ttft": 0.2})
    found = decide(PLAIN, head, DECLARED, Asked(margins={"itl_p99": 0.04}))
    assert [(one.of, one.share, one.by.en) for one in found.margins] == [
        ("itl_p99", 0.04, "set on the command line"),
        ("itl", 0.02, "set in round.toml of ours"),
        ("ttft_p99", 0.3, "set in round.toml of ours"),
    ]
    metrics = ("itl_p50", "itl_p99", "ttft_p99", "ttft_p50")
    assert [found.options.margin_of(one) for one in metrics] == [0.02, 0.04, 0.3, 0.1]
    assert [found.options.threshold_of(one) for one in metrics] == [None, None, 0.2, 0.2]


def test_a_margin_of_all_metrics_on_the_command_line_is_heard_before_those_of_the_rounds() -> None:
    head = naming("ours", margins={"itl": 0.02}, thresholds={"itl": 0.02})
    found = decide(PLAIN, head, DECLARED, Asked(margin=0.1, threshold=0.3))
    assert (found.margins, found.thresholds) == ((), ())
    assert (found.options.margin_of("itl_p50"), found.options.threshold_of("itl_p50")) == (0.1, 0.3)


def test_of_two_rounds_the_smaller_margin_and_the_larger_threshold_hold() -> None:
    one = naming("a", margins={"itl": 0.02}, thresholds={"itl": 0.02})
    other = naming("b", margins={"itl": 0.05}, thresholds={"itl": 0.05})
    found = decide(one, other, DECLARED)
    assert (found.options.margin_of("itl_p50"), found.options.threshold_of("itl_p50")) == (0.02, 0.05)
    assert found == decide(other, one, DECLARED)


def test_pairs_are_said_with_who_named_them() -> None:
    head = naming("ours", pairs={"a": "a"})
    assert {of: by.en for of, by in decide(PLAIN, head, DECLARED).pairs_by.items()} == {
        "a": "set in round.toml of ours"
    }
    asked = decide(PLAIN, PLAIN, DECLARED, Asked(pairs={"a": "a"}))
    assert (asked.options.pairs, asked.pairs_by) == ({"a": "a"}, {"a": SAID_BY["command"]})


def test_a_margin_of_no_metric_is_refused_where_it_stands() -> None:
    with pytest.raises(InputError) as refused:
        decide(PLAIN, naming("ours", margins={"itlp50": 0.02}), DECLARED)
    assert str(refused.value).startswith("ours/round.toml, [round] margins: there is no metric 'itlp50' of a level")


@pytest.mark.parametrize(
    ("primary", "problem"),
    [("itl_p5", "there is no metric 'itl_p5' of a level"), ("requests", "neither direction of 'requests' is better")],
)
def test_a_metric_that_can_decide_nothing_is_refused(primary: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as of_round:
        decide(PLAIN, naming("ours", primary=primary), DECLARED)
    assert (of_round.value.file, of_round.value.place) == ("ours/round.toml", "[round] primary")
    with pytest.raises(InputError) as of_command:
        decide(PLAIN, PLAIN, DECLARED, Asked(primary))
    assert of_command.value.file == "--primary"


def test_metrics_of_levels_are_known_by_their_first_definition() -> None:
    metrics = level_metrics(GRAPH.metrics.values())
    assert metrics == dict(DECLARED)
    assert "crossover_concurrency" not in metrics
