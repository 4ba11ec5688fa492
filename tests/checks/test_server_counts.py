from __future__ import annotations

from typing import Final

from generator.model import Round, Trial
from generator.runs.requests import Requests
from generator.told.findings import Finding
from tests.support.memory_round import address, memory_round, observation
from tests.support.telling import found_by, said

CHECK: Final = "server_counts"
# 10 answers of 32 tokens to prompts of 64, and one of each before the clock: 352 and 704 in all
CLIENT: Final = {
    "concurrency": 1.0,
    "output_tokens_counted": 320.0,
    "input_tokens_counted": 640.0,
    "warm_up_requests": 1.0,
    "warm_up_output_tokens": 32.0,
    "warm_up_input_tokens": 64.0,
}


def counted(output: float = 352, prompt: float = 704, **more: float) -> Round:
    server = {"server_output_tokens": output, "server_prompt_tokens": prompt}
    return memory_round({"s": {"c1": {**CLIENT, **server, **more}}}, runs={("s", "c1", None): None})


def examine(round_: Round) -> tuple[Finding, str]:
    (finding,) = found_by(CHECK, round_)
    return finding, said(finding, round_)


def test_equal_counts_pass_with_the_warm_up_in_both() -> None:
    finding, text = examine(counted())

    assert (finding.status, finding.levels) == ("pass", ("c1",))
    assert "count the same tokens, warm-up included" in text


def test_a_difference_that_nothing_explains_is_a_warning() -> None:
    # 360 − 320 − 32
    finding, text = examine(counted(output=360))

    assert finding.status == "warn"
    assert "count output tokens differently: most of all at C=1, where the server counts 8 tok beyond" in text
    assert "服务端多计 8 tok" in text


def test_a_server_that_counts_fewer_is_a_warning_too() -> None:
    # 350 − 320 − 32
    finding, text = examine(counted(output=350))

    assert finding.status == "warn"
    assert "−2 tok beyond" in text


def test_requests_that_failed_explain_what_the_server_counts_beyond() -> None:
    finding, text = examine(counted(output=360, requests=11, completed=10))

    assert finding.status == "note"
    assert "counts more output tokens than the client, most of all 8 tok at C=1: requests failed" in text


def test_requests_that_failed_explain_no_count_that_is_short() -> None:
    finding, _ = examine(counted(output=350, requests=11, completed=10))

    assert finding.status == "warn"


def test_what_came_from_the_cache_explains_fewer_prompt_tokens() -> None:
    # 604 − 640 − 64 = −100
    finding, text = examine(counted(prompt=604, server_cached_prompt_tokens=100))

    assert finding.status == "note"
    assert "by just what it took from its prompt cache (−100 tok at C=1)" in text


def test_a_cache_that_gave_less_than_is_missing_does_not() -> None:
    finding, _ = examine(counted(prompt=604, server_cached_prompt_tokens=99))

    assert finding.status == "warn"


def test_a_trial_that_differs_is_not_hidden_by_the_others() -> None:
    # Three trials: the median of the surplus is 0, and the third has 5 more.
    further = [
        observation(address(key, "level", "s", "c1", trial=trial), number + (5 if trial == 3 and is_server else 0))
        for trial in (1, 2, 3)
        for key, number, is_server in (
            ("server_output_tokens", 352.0, True),
            ("output_tokens_counted", 320.0, False),
            ("warm_up_output_tokens", 32.0, False),
        )
    ]
    runs: dict[Trial, Requests | None] = {("s", "c1", trial): None for trial in (1, 2, 3)}
    round_ = memory_round({"s": {"c1": {"concurrency": 1}}}, further=further, runs=runs)

    finding, text = examine(round_)

    assert finding.status == "warn"
    assert {one.trial for one in finding.evidence} == {3}
    assert "5 tok beyond" in text


def test_our_own_runs_without_counters_are_unknown() -> None:
    finding, text = examine(memory_round({"s": {"c1": CLIENT}}))

    assert (finding.status, finding.series) == ("unknown", "s")
    assert "--metrics" in text


def test_a_round_without_counters_has_none_to_compare() -> None:
    finding, _ = examine(memory_round({"s": {"c1": {"concurrency": 1}}}))

    assert (finding.status, finding.series) == ("pass", None)
