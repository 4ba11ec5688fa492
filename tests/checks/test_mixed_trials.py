from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from generator.model import Round
from generator.told.findings import Finding
from tests.support.memory_round import address, memory_round, observation
from tests.support.telling import found_by, said

CHECK = "mixed_trials"


def trials(*throughputs: float, described: Mapping[int, Mapping[str, str]] | None = None) -> Round:
    """Return a level that was run so often, with the output throughput of each run and what it says of itself."""
    numbered = range(1, len(throughputs) + 1) if len(throughputs) > 1 else (None,)
    further = [
        observation(address("output_throughput", "level", "s", "c8", trial=trial), speed, "reported")
        for trial, speed in zip(numbered, throughputs, strict=True)
    ]
    round_ = memory_round(
        {"s": {"c8": {"concurrency": 8}}}, further=further, runs={("s", "c8", trial): None for trial in numbered}
    )
    return replace(round_, described={("s", "c8", trial): told for trial, told in (described or {}).items()})


def test_trials_that_scatter_little_and_say_the_same_are_repetitions() -> None:
    # 125 ÷ 100 = 1.25 is not above 1.25
    told = {"tool": "toy", "engine": "vllm"}
    [finding] = found_by(CHECK, trials(100.0, 125.0, described={1: told, 2: told}))

    assert (finding.status, finding.series) == ("pass", None)


def test_trials_far_apart_are_warned_of_with_both_ends() -> None:
    # 126 ÷ 100 = 1.26
    round_ = trials(110.0, 100.0, 126.0)
    [finding] = found_by(CHECK, round_)

    assert (finding.status, finding.series, finding.levels, finding.spoils) == ("warn", "s", ("c8",), ())
    assert finding.looks == "better"
    assert [at.trial for at in finding.evidence] == [2, 3]  # the slowest, the fastest
    text = said(finding, round_)
    assert "100 to 126 tok/s at C=8" in text.replace("\u202f", " ")
    assert "超过四分之一" in text


def test_trials_of_two_engines_are_warned_of() -> None:
    round_ = trials(100.0, 101.0, described={1: {"engine": "vllm"}, 2: {"engine": "sgl"}})
    [finding] = found_by(CHECK, round_)

    assert (finding.status, finding.levels) == ("warn", ("c8",))
    assert "record different configurations: engine (sgl and vllm)." in said(finding, round_)


def test_what_only_some_trials_have_is_named() -> None:
    round_ = trials(100.0, 101.0, described={1: {"tool": "toy"}, 2: {"tool": "toy", "spec_drafts": ""}})
    [finding] = found_by(CHECK, round_)

    assert "only some have spec_drafts" in said(finding, round_)


def test_both_faults_are_two_findings() -> None:
    findings = found_by(CHECK, trials(100.0, 200.0, described={1: {"engine": "a"}, 2: {"engine": "b"}}))
    assert [finding.status for finding in findings] == ["warn", "warn"]


def test_a_long_text_of_a_file_is_cut() -> None:
    round_ = trials(100.0, 101.0, described={1: {"label": "x" * 900}, 2: {"label": "y"}})
    [finding] = found_by(CHECK, round_)

    assert "x" * 60 + "…" in said(finding, round_)
    assert "x" * 61 not in said(finding, round_)


def test_trials_without_a_throughput_are_not_judged_by_it() -> None:
    assert [finding.status for finding in found_by(CHECK, without_throughput())] == ["pass"]


def without_throughput() -> Round:
    return memory_round({"s": {"c8": {"concurrency": 8}}}, runs={("s", "c8", 1): None, ("s", "c8", 2): None})


def test_a_trial_that_delivered_nothing_is_far_from_one_that_did() -> None:
    finding: Finding
    [finding] = found_by(CHECK, trials(0.0, 100.0))
    assert finding.status == "warn"


def test_a_level_that_was_run_once_is_not_mixed() -> None:
    [finding] = found_by(CHECK, trials(100.0))

    assert finding.status == "pass"
    assert "repeated runs" in said(finding, trials(100.0))
