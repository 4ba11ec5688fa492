"""Who is ahead at each level, and over which loads."""

from __future__ import annotations

import pytest

from generator.deciding.leads import common_levels, leads, other_lengths, spans
from generator.deciding.records import least_sure
from generator.deciding.yardsticks import BY_METRIC, YARDSTICKS
from tests.support.choices import levels, pair_of, tried, two
from tests.support.example_rounds import published
from tests.support.telling import analysed

THROUGHPUT = BY_METRIC["output_throughput"]
FIRST_TOKEN = BY_METRIC["ttft_p50"]


def test_more_throughput_leads_and_so_does_less_waiting() -> None:
    base = levels(output_throughput=[100], ttft_p50=[0.2])
    analysis, pair = pair_of(two(base, levels(output_throughput=[150], ttft_p50=[0.3])))

    [throughput] = leads(analysis, pair, THROUGHPUT)
    [first_token] = leads(analysis, pair, FIRST_TOKEN)

    # 150 ÷ 100, and 0.3 ÷ 0.2
    assert (throughput.leader, throughput.times) == ("other", 1.5)
    assert first_token.leader == "base"
    assert first_token.times == pytest.approx(1.5)


def test_the_lead_is_the_one_of_the_graph() -> None:
    analysis = analysed(published("round-2"))
    base, other = analysis.round.series

    for yardstick in YARDSTICKS:
        for lead in leads(analysis, (base, other), yardstick):
            told = analysis.frame.of_pair_level(yardstick.lead, other.id, lead.level.id).value
            assert lead.times == pytest.approx(told)


def test_spans_change_where_the_lead_does() -> None:
    # 200 : 100 and 100 : 100 × 2^½ … the ratio falls from 2 at C=1 to ½ at C=2: they meet at √2.
    analysis, pair = pair_of(two(levels(output_throughput=[100, 200, 300]), levels(output_throughput=[200, 100, 100])))

    first, last = spans(analysis, pair, leads(analysis, pair, THROUGHPUT))

    assert (first.leader, last.leader) == ("other", "base")
    assert first.end.at == pytest.approx(2**0.5)
    assert first.end.crossover is not None
    assert [level.id for level in first.end.between] == ["c1", "c2"]
    assert first.begin.is_end
    assert last.end.is_end


def test_a_second_change_is_between_its_levels() -> None:
    # The graph knows the first crossing alone; the second lies between C=2 and C=4, halfway at √8.
    analysis, pair = pair_of(two(levels(output_throughput=[100, 300, 400]), levels(output_throughput=[200, 250, 500])))

    found = spans(analysis, pair, leads(analysis, pair, THROUGHPUT))

    assert [span.leader for span in found] == ["other", "base", "other"]
    assert found[1].end.crossover is None
    assert found[1].end.at == pytest.approx(8**0.5)


def test_an_even_level_belongs_to_the_one_before() -> None:
    analysis, pair = pair_of(two(levels(output_throughput=[100, 200, 300]), levels(output_throughput=[200, 200, 100])))

    first, last = spans(analysis, pair, leads(analysis, pair, THROUGHPUT))

    assert [lead.level.id for lead in first.leads] == ["c1", "c2"]
    assert last.leader == "base"


def test_two_that_are_equal_throughout_have_no_leader() -> None:
    analysis, pair = pair_of(two(levels(output_throughput=[100, 200]), levels(output_throughput=[100, 200])))

    [span] = spans(analysis, pair, leads(analysis, pair, THROUGHPUT))

    assert span.leader is None
    assert span.certainty == "open"


def test_spoilt_levels_do_not_count() -> None:
    analysis = analysed(published("round-2"))
    base, other = analysis.round.series

    assert [level.id for level in common_levels(analysis, (base, other))] == ["c1", "c2", "c4", "c8", "c16", "c64"]


def test_what_only_one_side_has_is_no_lead() -> None:
    analysis, pair = pair_of(two(levels(output_throughput=[100]), levels(ttft_p50=[0.1])))

    assert leads(analysis, pair, THROUGHPUT) == []
    assert spans(analysis, pair, []) == []


@pytest.mark.parametrize(
    ("base", "other", "certainty"),
    [
        pytest.param([100], [150], "leaning", id="a single trial"),
        pytest.param([100, 140], [130, 160], "open", id="ranges overlap"),
        pytest.param([100, 101], [150, 151], "leaning", id="two of each come apart by chance once in three"),
        pytest.param([100, 101, 102, 103], [150, 151, 152, 153], "firm", id="four of each, once in 35"),
        pytest.param([100, 101, 102, 103], [104, 105, 105, 106], "open", id="apart, but too close"),
    ],
)
def test_certainty_is_bounded_by_trials(base: list[float], other: list[float], certainty: str) -> None:
    analysis, pair = pair_of(tried("output_throughput", base, other))

    [lead] = leads(analysis, pair, THROUGHPUT)

    # What checks say of a round without machines bounds it too; here the trials alone are asked about.
    assert lead.leader == "other"
    assert least_sure(*(bound.most for bound in lead.bounds if bound.finding is None)) == certainty


def test_certainty_is_bounded_by_what_checks_say() -> None:
    analysis, pair = pair_of(tried("output_throughput", [100, 101, 102, 103], [150, 151, 152, 153]))

    [lead] = leads(analysis, pair, THROUGHPUT)

    # Nothing is known of the machines, and there is no tail percentile.
    assert {bound.key for bound in lead.bounds} == {"reporting_demands", "same_machine"}
    assert lead.certainty == "qualitative"


def test_levels_of_other_lengths_are_told_apart() -> None:
    # Short prompts have two loads, long ones a single one.
    asked = {"c1": 100.0, "c2": 100.0, "long": 1000.0}
    loads = {"c1": 1.0, "c2": 2.0, "long": 1.0}
    made = {
        key: {"concurrency": loads[key], "asked_input_tokens": length, "output_throughput": 10.0}
        for key, length in asked.items()
    }
    analysis, pair = pair_of(two(made, made))

    assert [level.id for level in common_levels(analysis, pair)] == ["c1", "c2"]
    assert [level.id for level in other_lengths(analysis, pair)] == ["long"]
