from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import LONGEST_QUOTE, InputError, fault, nearest, quote


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("line 3, column x", "a/b.csv, line 3, column x: expected a number; correct the cell"),
        ("", "a/b.csv: expected a number; correct the cell"),
    ],
)
def test_error_is_one_line(place: str, line: str) -> None:
    assert str(InputError("a/b.csv", place, "expected\na   number", "correct the cell")) == line


def test_a_fault_of_the_program_is_one_line_that_tells_nothing_of_the_error_but_its_kind_and_place() -> None:
    with pytest.raises(AttributeError) as caught:
        quote(Unprintable())
    told = fault("runs/r", caught.value)
    assert re.fullmatch(
        r"runs/r: a fault of this program, not of the input, stopped it "
        r"\(AttributeError in generator/errors\.py, line \d+\); run it again with "
        r"ROUNDS_TRACEBACK=1 in the environment, and report what that prints",
        str(told),
    )
    assert told.__cause__ is caught.value


class Unprintable:
    def __str__(self) -> str:
        raise AttributeError("/home/someone/key")


def test_error_can_be_raised_through_a_context_manager() -> None:
    with pytest.raises(InputError) as caught:
        raise InputError("f", "", "p", "r")
    caught.value.__traceback__ = None  # as contextlib does


@pytest.mark.parametrize(
    ("raw", "quoted"),
    [
        ("12.3.4", "'12.3.4'"),
        ("a\x1b[31mb\n", r"'a\x1b[31mb\n'"),
        (b"\xff", r"'b'\xff''"),
        ("x" * 100, "'" + "x" * LONGEST_QUOTE + "…'"),
        (5, "'5'"),
    ],
)
def test_quoted_input_is_safe_to_print(raw: object, quoted: str) -> None:
    assert quote(raw) == quoted


@given(st.text() | st.binary())
def test_quoted_input_is_short_and_printable(raw: object) -> None:
    assert quote(raw).isprintable()
    assert len(quote(raw)) <= LONGEST_QUOTE + len("'…'")


def test_advice_names_the_nearest_word() -> None:
    assert nearest("itl_p50", ["itl_p50_ms", "ttft_p50_ms"]) == "did you mean 'itl_p50_ms'?"
    assert nearest("zzz", ["b", "a"]) == "known here: a, b"


def test_a_median_is_a_p50_and_not_a_mean() -> None:
    assert nearest("ttft_median_ms", ["ttft_mean_ms", "ttft_p50_ms"]) == "did you mean 'ttft_p50_ms'?"


@pytest.mark.parametrize(
    ("raw", "quoted"),
    [
        ("sk-abcdefghijkl", "'***'"),
        ("http://ann:secret@gpu-7.acme.internal/v1", "'http://***/v1'"),
        ("/home/ann/results", "'~/results'"),
        ("x " * 25 + "api_key=abcdefghijklmnopqrstuvwxyz", "'" + "x " * 25 + "api_key=**…'"),
    ],
)
def test_quoted_input_has_no_secret_in_it(raw: str, quoted: str) -> None:
    assert quote(raw) == quoted
