from __future__ import annotations

import json
from typing import Any

from generator.collect.reference.stamps import StampBook


def filled(book: StampBook, chunks: int, request: str | None = None) -> None:
    sheet = book.open(request, arrived=100)
    for index in range(chunks):
        sheet.note(planned=200 + index, sent=210 + index, tokens=1)
    book.close(sheet, "done")


def parsed(book: StampBook, *page: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    head, *rest = [json.loads(line) for line in book.lines(*page)]
    return head, rest


def test_a_request_is_a_line() -> None:
    book = StampBook()
    filled(book, 2, "mine")
    head, [line] = parsed(book)
    assert (head["clock"], head["unit"], head["requests"], head["next"]) == ("CLOCK_MONOTONIC", "ns", 1, 1)
    assert (line["request"], line["state"], line["arrived"]) == ("mine", "done", 100)
    assert (line["planned"], line["sent"], line["tokens"]) == ([200, 201], [210, 211], [1, 1])


def test_without_an_id_the_number_is_the_name() -> None:
    book = StampBook()
    filled(book, 1)
    filled(book, 1)
    assert [line["request"] for line in parsed(book)[1]] == ["0", "1"]


def test_pages_follow_each_other() -> None:
    book = StampBook()
    for _ in range(5):
        filled(book, 1)
    head, lines = parsed(book, 1, 3)
    assert ([line["number"] for line in lines], head["next"]) == ([1, 2, 3], 4)
    head, lines = parsed(book, 4, 3)
    assert ([line["number"] for line in lines], head["next"]) == ([4], 5)


def test_beyond_the_end_there_is_nothing() -> None:
    head, lines = parsed(StampBook(), 7, 3)
    assert (head["next"], lines) == (7, [])


def test_the_oldest_go_when_there_are_too_many_and_it_says_so() -> None:
    book = StampBook(most=5)
    for _ in range(4):
        filled(book, 2)
    head, lines = parsed(book)
    # 8 stamps; two requests of 2 have to go for 5 to be enough
    assert (head["dropped"], [line["number"] for line in lines]) == (2, [2, 3])


def test_what_is_open_is_kept() -> None:
    book = StampBook(most=1)
    book.open(None, 0)
    filled(book, 9)
    assert [line["state"] for line in parsed(book)[1]] == ["open", "done"]
