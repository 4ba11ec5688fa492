"""Runs of a file, and where in it each stands."""

from __future__ import annotations

from generator.runs.imported import Run
from generator.store.only_run import placed
from generator.store.request_rows import RequestRows
from generator.values import Source


def run_at(place: str) -> Run:
    rows = RequestRows()
    rows.add(e2el=1.0)
    return Run(tool="Toybench", place=place, requests=rows.requests(Source("toy.json", place)))


def test_the_only_run_has_no_place_in_its_file() -> None:
    [only] = placed([run_at("object 1")])
    assert only.place == ""
    assert only.requests is not None
    assert only.requests.source == Source("toy.json", "")


def test_of_several_each_keeps_its_place() -> None:
    assert [run.place for run in placed([run_at("object 1"), Run("Toybench", "object 2")])] == ["object 1", "object 2"]


def test_a_run_without_requests_has_no_place_either() -> None:
    assert placed([Run("Toybench", "object 1")]) == (Run("Toybench"),)
