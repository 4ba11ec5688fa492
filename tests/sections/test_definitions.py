from __future__ import annotations

from generator.told.blocks import Subheading, Table
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import chapter_of, text_of


def rows(name: str) -> dict[str, int]:
    """Return how many rows each table of the section has."""
    told = chapter_of("definitions", ANALYSES[name]())
    return {} if told is None else {block.key: len(block.rows) for block in told.blocks if isinstance(block, Table)}


def test_second_round_is_told_with_both_definitions() -> None:
    # Graph reuse and stall shares: the levels that have them in both definitions. Weights: two series with a line
    # for the weights and one for the MBU, and the two lines of the pair.
    assert rows("round-2")["defined-graph-reuse"] == 7
    assert rows("round-2")["defined-weights-basis"] == 2 * 2 + 2


def test_first_round_has_no_graph_reuse() -> None:
    # Its mean TPOT is known at C=8 and C=32 of both series.
    assert rows("round-1") == {"defined-stall-share": 4, "defined-weights-basis": 6}


def test_every_definition_has_its_heading() -> None:
    analysis = ANALYSES["round-2"]()
    told = chapter_of("definitions", analysis)
    assert told is not None
    names = [text_of(block, analysis) for block in told.blocks if isinstance(block, Subheading)]

    assert names == ["Graph reuse", "Stall share", "Weights counted"]


def test_the_lead_lists_what_does_not_hold() -> None:
    analysis = ANALYSES["round-2"]()
    told = chapter_of("definitions", analysis)
    assert told is not None

    assert text_of(told.blocks[0], analysis).startswith(
        "Some definitions of the published report do not hold: those of graph reuse, stall share and weights counted."
    )


def test_rounds_with_one_definition_have_no_such_section() -> None:
    assert chapter_of("definitions", ANALYSES["nothing recorded"]()) is None
