"""Changes of the lead, told by the levels at which one is ahead by enough."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from generator.deciding.changing import change_at, tell_change
from generator.text import Lang
from generator.told.sentence import say
from tests.support.choices import levels, pair_of, two
from tests.support.telling import text_of

OPEN = say(zh="未定", en="nothing is settled")


def told(base: Sequence[float], other: Sequence[float], gap: tuple[int, int], lang: Lang = "en") -> str:
    """Tell the change between two levels, by their places; the other leads before it."""
    analysis, pair = pair_of(two(levels(output_throughput=base), levels(output_throughput=other)))
    low, high = (pair[1].levels[at] for at in gap)
    change = change_at(analysis, pair, (low, high))
    return text_of(tell_change(analysis, pair, change, ("other", "base"), OPEN, is_last=True), analysis, lang)


def test_where_both_are_clear_beside_the_change_the_levels_are_named_once() -> None:
    assert told([100, 400], [200, 200], (0, 1)) == (
        "Up to C=1, other delivers more; from C=2 on, base does; between the two, nothing is settled"
    )


def test_a_level_too_close_is_no_part_of_either_lead() -> None:
    # 2 times at C=1, 1 % at C=2; 2 % the other way at C=4, 1.5 times at C=8.
    base, other = [100, 200, 408, 600], [200, 202, 400, 400]

    assert told(base, other, (1, 2)) == (
        "Up to C=1, other delivers more; from C=8 on, base does; at C=2 and C=4 it is too close "
        "to call; between C=1 and C=8, nothing is settled"
    )
    assert told(base, other, (1, 2), "zh") == (
        "到 C=1 为止 other 吞吐更高，从 C=8 起 base 反超，在 C=2、C=4 两者差距太小、不足以选择，C=1 与 C=8 之间未定"
    )


@pytest.mark.parametrize(
    ("base", "other", "begins"),
    [
        pytest.param(
            [100, 400], [101, 200], "From C=2 on, base delivers more; at C=1 it is too close", id="close before"
        ),
        pytest.param(
            [100, 202], [200, 200], "Up to C=1, other delivers more; at C=2 it is too close", id="close behind"
        ),
        pytest.param([100, 202], [101, 200], "At C=1 and C=2 it is too close", id="close throughout"),
    ],
)
def test_a_side_that_is_nowhere_clear_is_not_said_to_deliver_more(
    base: list[float], other: list[float], begins: str
) -> None:
    sentence = told(base, other, (0, 1))

    assert sentence.startswith(begins)
    assert sentence.endswith("between C=1 and C=2, nothing is settled")


def test_an_excluded_level_is_not_among_those_of_a_lead() -> None:
    # The base falls at C=8 and recovers at C=16: C=8 is excluded.
    sentence = told([100, 200, 400, 100, 900], [200, 300, 300, 400, 500], (1, 2))

    assert "Up to C=2, other delivers more; at the usable levels from C=4 on, base does" in sentence
