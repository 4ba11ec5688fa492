from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import InputError
from generator.importers.locust import locust
from tests.support.mutated import survives

HEADER = (
    "Type,Name,Request Count,Failure Count,Median Response Time,Average Response Time,Min Response Time,"
    "Max Response Time,Average Content Size,Requests/s,Failures/s,50%,66%,75%,80%,90%,95%,98%,99%,99.9%,99.99%,100%"
)
CELLS = "100,25,2800.0,2900.5,220.5,6049.1,831.3,4.5,1.1,2800,4600,6000,6000,6000,6000,6000,6000,6000,6000,6000"
ONE = f"{HEADER}\nPOST,/v1/accounts/acme-42/predict?key=sk-abcdefgh,{CELLS}\n,Aggregated,{CELLS}\n"
FAILURES = "Method,Name,Error,Occurrences\nPOST,/x?key=secret,HTTPError('500 for url: /x?key=secret'),9\n"


def written(folder: Path, text: str) -> Path:
    path = folder / "test_stats.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_it_is_recognised() -> None:
    assert locust.recognises(ONE.encode()) == 4
    assert locust.recognises(FAILURES.encode()) == 4
    assert not locust.recognises(b"Type,Name,Value\n")


def test_requests_and_failures_are_all_that_is_ours(tmp_path: Path) -> None:
    [run] = locust.read(written(tmp_path, ONE), lambda _: None)

    # 100 sent − 25 failed; times hold the timeouts of those 25, and no token is known
    assert {one.metric: one.value for one in run.reported} == {"requests": 100, "completed": 75}
    assert run.summary["90%"] == 6000
    assert (run.place, run.concurrency, run.rate) == ("", None, None)


def test_no_path_or_key_gets_through(tmp_path: Path) -> None:
    [run] = locust.read(written(tmp_path, ONE), lambda _: None)

    assert "acme-42" not in repr(run)
    assert run.struck_out == ("Name",)


def test_several_paths_are_several_runs_and_events_are_none(tmp_path: Path) -> None:
    text = f"{HEADER}\nPOST,/a,{CELLS}\nMETRIC,ttft_ms,{CELLS}\nPOST,/b,{CELLS}\n,Aggregated,{CELLS}\n"
    runs = locust.read(written(tmp_path, text), lambda _: None)

    assert [run.place for run in runs] == ["line 2", "line 4"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (FAILURES, "holds the failures of Locust"),
        (f"{HEADER}\n,Aggregated,{CELLS}\n", "holds no HTTP request"),
        (ONE.replace("100,25,", "0,0,"), "holds no HTTP request"),
        (ONE.replace("100,25,", "100,125,"), "count more requests than"),
    ],
)
def test_what_holds_no_requests_is_refused(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(InputError) as refused:
        locust.read(written(tmp_path, text), lambda _: None)

    assert why in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.fuzz
def test_broken_files_are_read_or_refused(tmp_path: Path) -> None:
    assert survives(locust, ONE.encode(), tmp_path) > 20
