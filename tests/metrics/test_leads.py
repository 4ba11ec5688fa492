from __future__ import annotations

import pytest

from generator.kinds import Metric, Unknown
from generator.metrics.leads import leads
from tests.support.memory_round import Levels, memory_round
from tests.support.telling import analysed

KEYS = ("output_throughput_lead", "itl_p50_lead", "ttft_p50_lead", "ttft_p99_lead", "e2el_p50_lead")
NUMBERS = ("output_throughput", "itl_p50", "ttft_p50", "ttft_p99", "e2el_p50")


@pytest.mark.parametrize("lead", leads, ids=KEYS)
def test_a_lead_is_the_same_whichever_of_the_pair_has_it(lead: Metric) -> None:
    # A ratio of 0.8 is 1 ÷ 0.8 = 1.25 seen from the other side.
    [name] = (one.name for one in lead.derivations[0].parameters)

    assert lead(**{name: 1.25}) == 1.25
    assert lead(**{name: 0.8}) == pytest.approx(1.25)


@pytest.mark.parametrize("lead", leads, ids=KEYS)
def test_nothing_is_a_multiple_of_nothing(lead: Metric) -> None:
    [name] = (one.name for one in lead.derivations[0].parameters)

    assert isinstance(lead(**{name: 0.0}), Unknown)


def test_each_lead_is_taken_from_its_own_quantity() -> None:
    # The compared series has 2, 3, 5, 7 and 11 times the numbers of the baseline, in the order of NUMBERS.
    factors = dict(zip(NUMBERS, (2.0, 3.0, 5.0, 7.0, 11.0), strict=True))
    base: Levels = {"c1": {"concurrency": 1.0, **dict.fromkeys(NUMBERS, 1.0)}}
    other: Levels = {"c1": {"concurrency": 1.0, **factors}}

    frame = analysed(memory_round({"base": base, "other": other}, baseline="base")).frame

    found = [frame.of_pair_level(key, "other", "c1").value for key in KEYS]
    assert found == pytest.approx([2, 3, 5, 7, 11])
