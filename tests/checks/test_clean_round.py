"""A round without a fault raises nothing above a note; what is then done to it is told by the check that is for it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from generator.model import Round
from generator.runs.requests import Requests
from tests.support.clean_round import write_clean_round
from tests.support.telling import analysed, catalogue

HERE: Final = Path(__file__).parent
GRAVE: Final = ("fail", "warn", "unknown")
SPEAKING: Final = frozenset({"note", "warn", "fail", "unknown"})
LEVEL: Final = ("plain", "c4", None)
NOTHING_TO_EXAMINE: Final = frozenset({
    "cache_in_window", "claims_hold", "client_statistics", "cold_trials", "cuda_graphs", "engine_errors",
    "gauges_sampled", "kv_linear", "kv_pressure", "log_coverage", "lost_requests", "memory_account", "mig_unified",
    "mixed_trials", "power_state", "preemptions", "rate_reached", "rates_add_up", "reasoning_in_output",
    "releases_of_requests", "repeated_runs", "speculation", "start_stages_agree", "telemetry_plausible", "throttling",
    "truncated_requests", "ttft_sources_agree", "unit_slips", "waiting_requests",
})  # fmt: skip
"""Checks of what a good round need not have: trials, rates, failures, a GPU, a log, samples of the engine itself,
numbers that a client reports."""


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Round:
    return catalogue().read(write_clean_round(tmp_path_factory.mktemp("clean") / "round"))


def test_a_clean_round_raises_nothing_above_a_note(clean: Round) -> None:
    findings = analysed(clean).findings

    assert [(one.check, one.series) for one in findings if one.status in GRAVE] == []
    assert {one.check for one in findings} == set(catalogue().checks)  # every check has said something


def test_nearly_every_check_has_something_to_examine_in_it(clean: Round) -> None:
    by_check: dict[str, list[bool]] = {}
    for one in analysed(clean).findings:
        by_check.setdefault(one.check, []).append(one.is_empty)

    assert {check for check, empty in by_check.items() if all(empty)} <= NOTHING_TO_EXAMINE


def first_is_cold(requests: Requests) -> Requests:
    """Let the request that was sent first wait a second longer than it did."""
    longer = np.where(np.arange(len(requests)) == int(np.argmin(requests.start)), 1.0, 0.0)
    return replace(requests, ttft=requests.ttft + longer, e2el=requests.e2el + longer)


def starved_at_the_end(requests: Requests) -> Requests:
    """Let the last twenty wait eight times as long for their first token."""
    late = np.argsort(np.argsort(requests.start)) >= len(requests) - 20
    longer = np.where(late, 7 * requests.ttft, 0.0)
    return replace(requests, ttft=requests.ttft + longer, e2el=requests.e2el + longer)


def half_the_prompt(requests: Requests) -> Requests:
    return replace(requests, input_tokens=requests.input_tokens / 2)


def held_back(requests: Requests) -> Requests:
    """Let all chunks come at once, when the last one did."""
    return replace(requests, ttft=requests.e2el, gaps=np.zeros_like(requests.gaps))


def stalled(requests: Requests) -> Requests:
    """Let one request in flight alone wait for its last token, twenty seconds after all others have ended."""
    gaps = requests.gaps.copy()
    last = int(np.argmax(requests.start))
    gaps[int(np.cumsum(requests.gap_counts)[last]) - 1] += 20_000_000
    return replace(requests, gaps=gaps, e2el=requests.e2el + np.where(np.arange(len(requests)) == last, 20.0, 0.0))


@pytest.mark.parametrize(
    ("fault", "check"),
    [
        (first_is_cold, "first_wave"),
        (starved_at_the_end, "late_cluster"),
        (half_the_prompt, "asked_vs_input"),
        (held_back, "buffered_stream"),
        (stalled, "silent_gaps"),
    ],
)
def test_a_fault_is_told_by_the_check_that_is_there_for_it(
    clean: Round, fault: Callable[[Requests], Requests], check: str
) -> None:
    requests = {**clean.requests, LEVEL: fault(clean.requests[LEVEL])}
    grave = [one for one in analysed(replace(clean, requests=requests)).findings if one.status == "warn"]

    assert check in {one.check for one in grave}
    assert {one.series for one in grave if one.check == check} <= {"plain", None}


def test_every_check_has_a_test_that_makes_it_speak() -> None:
    silent = [key for key in catalogue().checks if (path := HERE / f"test_{key}.py").exists() and not speaks(path)]

    assert silent == [], "write a test in which each of these finds something, and assert its status"


def speaks(path: Path) -> bool:
    """Say whether a test asserts or expects another status than a pass."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return any(isinstance(node, ast.Constant) and node.value in SPEAKING for node in ast.walk(tree))
