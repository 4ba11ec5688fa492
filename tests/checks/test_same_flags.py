from __future__ import annotations

from generator.machines.records import Machine
from generator.told.findings import Finding
from tests.support.machines import machine, ran_on
from tests.support.telling import found_by, said

CHECK = "same_flags"


def found(one: Machine, other: Machine) -> list[Finding]:
    return found_by(CHECK, ran_on({"a": one, "b": other}, baseline="a"))


def told(one: Machine, other: Machine) -> str:
    round_ = ran_on({"a": one, "b": other}, baseline="a")
    return said(found_by(CHECK, round_), round_)


OFF = machine(engine="vLLM", flags=[("--no-enable-prefix-caching", "true")])
LLAMA_OFF = machine(engine="llama.cpp", flags=[("--no-cache-prompt", "true")])
LLAMA_ON = machine(engine="llama.cpp", flags=[])


def test_two_engines_with_the_same_settings_agree() -> None:
    assert [finding.status for finding in found(OFF, LLAMA_OFF)] == ["pass"]


def test_a_prefix_cache_of_one_side_only_favours_it() -> None:
    (finding,) = found(OFF, LLAMA_ON)
    words = told(OFF, LLAMA_ON)
    assert (finding.status, finding.series) == ("warn", "b")
    assert "prompt cache (off for a; on by default for b)" in words
    assert "prompt cache favours b." in words


def test_graphs_that_one_side_lacks_favour_the_other() -> None:
    eager = machine(engine="vLLM", flags=[("--no-enable-prefix-caching", "true"), ("--enforce-eager", "true")])
    assert "CUDA graphs favours b." in told(eager, LLAMA_OFF)


def test_slots_and_context_are_noted() -> None:
    one = machine(engine="vLLM", flags=[("--max-num-seqs", "256"), ("--max-model-len", "8192")])
    # 65,536 ÷ 32 = 2048
    other = machine(engine="llama.cpp", flags=[("--parallel", "32"), ("--ctx-size", "65536")])
    assert [finding.status for finding in found(one, other)] == ["note"]
    assert "parallel slots (256 for a; 32 for b) and context of a request (8192 for a; 2048 for b)" in told(one, other)


def test_flags_of_one_engine_are_compared_one_by_one() -> None:
    one = machine(engine="vLLM", flags=[("--max-num-batched-tokens", "2048"), ("--port", "1")])
    other = machine(engine="vLLM", flags=[("--max-num-batched-tokens", "8192"), ("--port", "2")])
    (finding,) = found(one, other)
    assert finding.status == "note"
    assert "--max-num-batched-tokens (2048 for a; 8192 for b)" in told(one, other)


def test_several_flags_at_once_cannot_be_told_apart() -> None:
    one = machine(engine="vLLM", flags=[("--block-size", "16")])
    other = machine({"env.VLLM_ATTENTION_BACKEND": "X"}, engine="vLLM", flags=[("--block-size", "32")])
    (finding,) = found(one, other)
    assert finding.status == "warn"
    assert "VLLM_ATTENTION_BACKEND (not given for a; X for b)" in told(one, other)


def test_flags_that_mean_something_else_elsewhere_are_not_compared() -> None:
    one = machine(engine="vLLM", flags=[("--no-enable-prefix-caching", "true"), ("--block-size", "16")])
    assert [finding.status for finding in found(one, LLAMA_OFF)] == ["pass"]


def test_flags_that_are_not_on_record_are_not_the_same() -> None:
    assert [finding.status for finding in found(OFF, machine(engine="llama.cpp"))] == ["note"]
    assert [finding.status for finding in found(machine(engine="vLLM"), machine())] == ["unknown"]


def test_a_single_series_is_compared_with_none() -> None:
    assert [finding.is_empty for finding in found_by(CHECK, ran_on({"a": OFF}))] == [True]
