from __future__ import annotations

import pytest

from generator.logs.blocks import GOES_ON, LONGEST, whole_lines


@pytest.mark.parametrize("width", [1, 2, 3, 7, 100])
def test_blocks_end_where_lines_do_wherever_the_pieces_are_cut(width: int) -> None:
    log = b"one\ntwo\n\nthree\nfour"
    blocks = list(whole_lines(log[at : at + width] for at in range(0, len(log), width)))

    assert b"".join(blocks) == log
    assert all(block.endswith(b"\n") for block in blocks[:-1])


def test_a_line_without_end_is_never_held_whole() -> None:
    # 4 MiB without a line end, then one: of them LONGEST bytes are kept, and the lines behind are whole.
    pieces = [*(b"x" * 2**20 for _ in range(4)), b"y\nlast\n"]

    blocks = list(whole_lines(pieces))

    assert blocks == [b"x" * LONGEST + GOES_ON + b"y\nlast\n"]


def test_nothing_gives_nothing() -> None:
    assert list(whole_lines([b"", b""])) == []
