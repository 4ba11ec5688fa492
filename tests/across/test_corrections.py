from __future__ import annotations

from dataclasses import replace

import pytest

from generator.across.corrections import corrections
from generator.values import Address
from tests.support.analyses import small_analysis
from tests.support.odd_rounds import ANALYSES


def rows(name: str) -> dict[str, int]:
    """Return how many pairs of numbers each correction of a round has."""
    return {one.key: len(one.pairs) for one in corrections(ANALYSES[name]())}


def test_second_round_has_all_three() -> None:
    # Seven levels of llama.cpp have a graph counter. Weights: two series with a line for the weights and one for the
    # MBU, and the two lines of the pair.
    found = rows("round-2")

    assert list(found) == ["graph-reuse", "stall-share", "weights-basis"]
    assert (found["graph-reuse"], found["weights-basis"]) == (7, 2 * 2 + 2)


def test_first_round_has_no_graph_counter() -> None:
    assert rows("round-1") == {"stall-share": 4, "weights-basis": 6}


def test_pairs_hold_the_published_number_first() -> None:
    reuse = corrections(ANALYSES["round-2"]())[0]
    _, published, better = reuse.pairs[0]

    assert published.address == Address("graph_reuse_per_token", "level", "llamacpp-q4_k_m", "c1", "as_published")
    assert better.address == Address("graph_reuse_per_step", "level", "llamacpp-q4_k_m", "c1")


def test_two_ways_to_the_same_number_correct_nothing() -> None:
    # No series counts an embedding (0 bytes), so that both weights are the same; no mean TPOT and no counter is known.
    assert corrections(small_analysis()) == ()


@pytest.mark.parametrize("name", ["nothing recorded", "no levels", "arrival rates"])
def test_without_both_numbers_there_is_no_correction(name: str) -> None:
    assert corrections(ANALYSES[name]()) == ()


def test_a_round_that_was_measured_has_published_nothing() -> None:
    round_2 = ANALYSES["round-2"]()
    table = round_2.round.file.round.model_copy(update={"origin": "measured"})
    file = round_2.round.file.model_copy(update={"round": table})

    assert corrections(replace(round_2, round=replace(round_2.round, file=file))) == ()
