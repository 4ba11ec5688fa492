from __future__ import annotations

from generator.collect.server_counts import reported_of, summary_of, times_of
from generator.runs.imported import Reported
from generator.telemetry.page import Growth

GROWN = {
    "prompt_tokens": Growth(640.0),
    "generation_tokens": Growth(None, "reset"),
    "preemptions": Growth(2.0),
}


def test_every_counter_stands_in_the_summary() -> None:
    assert summary_of(GROWN) == {
        "server_prompt_tokens": 640.0,
        "server_generation_tokens": None,
        "server_preemptions": 2.0,
    }


def test_what_is_known_of_tokens_is_a_number_of_the_report() -> None:
    assert reported_of(GROWN) == [Reported("server_prompt_tokens", "server_prompt_tokens", "tok", 640.0)]
    assert reported_of({"generation_tokens": Growth(5.0)}) == [
        Reported("server_output_tokens", "server_generation_tokens", "tok", 5.0)
    ]
    assert reported_of({}) == []


def test_times_are_those_that_means_are_taken_from() -> None:
    timed = {"queue_seconds": Growth(1.5), "queue_count": Growth(3.0)}
    assert times_of({**GROWN, **timed}) == timed
