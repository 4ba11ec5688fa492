"""Leaving entries of foreign documents out whole."""

from __future__ import annotations

from generator.store.private_entries import without

DOCUMENT = {"url": "node7:8000", "load": {"url": "", "rate": 2.5, "parts": [{"url": "node8"}]}, "headers": {"k": "v"}}


def test_entries_go_at_any_depth_and_their_places_are_told() -> None:
    kept, left_out = without(DOCUMENT, {"url", "headers"})
    assert kept == {"load": {"rate": 2.5, "parts": [{"url": "node8"}]}}
    assert left_out == ("url", "headers")  # the empty one is not worth a word


def test_the_document_stays_as_it_is() -> None:
    without(DOCUMENT, {"url"})
    assert DOCUMENT["url"] == "node7:8000"


def test_what_is_no_object_has_no_entries() -> None:
    assert without([1, 2], {"url"}) == ([1, 2], ())
