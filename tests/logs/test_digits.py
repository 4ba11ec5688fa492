from __future__ import annotations

import math

import numpy as np
import pytest

from generator.logs.digits import number, plan
from generator.logs.shapes import ALIKE


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b"405.00", 405.0),
        (b"405,00", 405.0),
        (b"  12", 12.0),
        (b"-1", -1.0),
        (b"93,872", 93872.0),
        (b"2,640,144", 2640144.0),
        (b"1,234.5", 1234.5),
        (b"0,998", 0.998),
        (b"0.1", 0.1),
    ],
)
def test_numbers_as_logs_print_them(text: bytes, value: float) -> None:
    assert number(text) == value


@pytest.mark.parametrize("text", [b"inf", b"-nan", b"nan", b"", b"1.2.3", b"1e5", b"1_0", b"12,34,5"])
def test_what_is_no_number_is_not_known(text: bytes) -> None:
    assert math.isnan(number(text))


def test_many_lines_are_read_side_by_side_as_one_by_one() -> None:
    lines = [b"a  7.25 b -3 c 1,5 d\n", b"a 10.01 b -9 c 2,7 d\n"]
    # The first has one digit more of a blank: another shape. Here both are read by the second one's.
    lines[0] = lines[0].replace(b"  7.25", b" 07.25")
    block = b"".join(lines)
    shape = lines[1].translate(ALIKE)
    text = np.frombuffer(block, np.uint8)

    read = plan(shape, {"x": (2, 7), "y": (10, 12), "z": (15, 18)}).read(block, text, np.array([0, len(lines[0])]))

    assert {name: cells.tolist() for name, cells in read.items()} == {
        "x": [7.25, 10.01],
        "y": [-3, -9],
        "z": [1.5, 2.7],
    }


def test_more_digits_than_a_double_holds_are_read_one_by_one() -> None:
    block = b"12345678901234567890\n"
    read = plan(block.translate(ALIKE), {"n": (0, 20)}).read(block, np.frombuffer(block, np.uint8), np.array([0]))

    assert read["n"].tolist() == [float(12345678901234567890)]


def test_every_amount_of_milliseconds_is_read_exactly() -> None:
    printed = [f"{ms / 100:10.2f}" for ms in range(100_000, 999_999, 997)]
    block = "\n".join(printed).encode() + b"\n"
    begins = np.arange(len(printed)) * 11

    read = plan(block[:10].translate(ALIKE), {"ms": (0, 10)}).read(block, np.frombuffer(block, np.uint8), begins)

    assert read["ms"].tolist() == [float(text) for text in printed]
