from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.collect.engine_process.log_text import LONGEST_LINE, Cleaner, LineCutter


def cut(*pieces: bytes) -> list[bytes]:
    cutter = LineCutter()
    return [line for piece in pieces for line in cutter.feed(piece)] + cutter.flush()


def clean(line: bytes, *secrets: str) -> str:
    return Cleaner(secrets).clean([line])[0]


def test_a_line_may_come_in_pieces() -> None:
    assert cut(b"one\ntw", b"o\n", b"three") == [b"one", b"two", b"three"]


def test_each_refresh_of_a_progress_bar_is_a_line() -> None:
    assert cut(b"0%\r50%\r100%\r\ndone\n") == [b"0%", b"50%", b"100%", b"done"]


def test_a_long_line_is_cut_before_the_word_that_does_not_fit_and_says_so() -> None:
    # Of LONGEST_LINE + 5 bytes and one more the first 6 are kept.
    line = b"first " + b"x" * (LONGEST_LINE - 1)
    assert cut(line[:100], line[100:], b"y\nnext\n") == [b"first [%d bytes cut]" % LONGEST_LINE, b"next"]


def test_no_secret_is_cut_in_two() -> None:
    url = b"http://ann:password@acme.internal/v1"
    line = b"x" * (LONGEST_LINE - 16) + b" " + url + b"\n"
    assert cut(line) == [b"x" * (LONGEST_LINE - 16) + b" [%d bytes cut]" % len(url)]


@given(st.lists(st.binary(max_size=50)))
def test_where_the_pieces_end_does_not_matter(pieces: list[bytes]) -> None:
    assert cut(*pieces) == cut(b"".join(pieces))


def test_bytes_that_are_no_text_are_spelt_out() -> None:
    assert clean(b"\xff\x00 a\tb \x1b]0;title\x07") == "\\xff\\x00 a\tb \\x1b]0;title\\x07"


def test_colours_are_dropped() -> None:
    assert clean(b"\x1b[32mI\x1b[0m ready") == "I ready"


@pytest.mark.parametrize(
    "line",
    [b"key is open-sesame", b"['open-sesame']", b"/v1?key=open-sesame&x", b"open-sesame", b"_open-sesame_"],
)
def test_a_given_secret_is_struck_out(line: bytes) -> None:
    assert "sesame" not in clean(line, "open-sesame")


def test_a_secret_is_not_struck_out_of_longer_words() -> None:
    assert clean(b"prefill fill", "fill") == "prefill ***"


def test_of_two_secrets_the_longer_goes_first() -> None:
    assert clean(b"a open-sesame b", "open", "open-sesame") == "a *** b"


def test_what_looks_like_a_secret_is_struck_out() -> None:
    assert "abcdef" not in clean(b"using sk-abcdef123456 from /home/abcdef/x and http://abcdef.example/")


@pytest.mark.parametrize("line", ["#token: 7, token usage: 0.10", "EOS token        = 106 '<end_of_turn>'"])
def test_counted_tokens_are_no_secrets(line: str) -> None:
    assert clean(line.encode()) == line


@pytest.mark.parametrize(
    "line",
    [
        "0.00.012.345 I srv          init: loading model",
        "1621.16.348.559 W slot      release: id  0",
        "[49152] 1.20.132.171 E srv          init: x",
    ],
    ids=["at the start", "after a day", "of a child"],
)
def test_the_clock_of_llama_cpp_is_no_address(line: str) -> None:
    assert clean(line.encode()) == line


def test_addresses_of_hosts_are_struck_out() -> None:
    assert clean(b"0.00.012.345 I peer 10.20.132.171 connected") == "0.00.012.345 I peer *** connected"
    assert clean(b"10.20.132.171 connected") == "*** connected"


def test_a_token_that_is_a_secret_is_struck_out_all_the_same() -> None:
    assert clean(b"token=a1b2c3d4") == "token=***"


def test_rules_that_join_lines_do_not() -> None:
    lines = [b"authorization: basic", b"aGVsbG8gd29ybGQ"]
    assert len(Cleaner([]).clean(lines)) == 2


@given(st.lists(st.binary(max_size=30).filter(lambda line: b"\n" not in line and b"\r" not in line), min_size=1))
def test_lines_stay_one_for_one_and_printable(lines: list[bytes]) -> None:
    cleaned = Cleaner(["secret"]).clean(lines)
    assert len(cleaned) == len(lines)
    assert all(len(line.splitlines()) <= 1 for line in cleaned)
