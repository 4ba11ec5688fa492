from __future__ import annotations

from dataclasses import replace

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.machines import machine
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said

CHECK = "memory_account"


def account(left: float) -> Round:
    """Return a round whose series uses 1000 bytes, of which weights and KV pool leave so many."""
    of_series = {"device_memory_used": 1000.0, "weights_loaded": 600.0, "kv_pool_bytes": 400.0 - left}
    return memory_round({"s": {}}, of_series={"s": of_series})


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_second_round_leaves_a_remainder_which_is_no_error() -> None:
    # 19 089 MiB = 20 016.3 MB, less weights of 4680 MB and a pool of 14 GiB = 15 032.4 MB: 303.9 MB, which is 1.5 %.
    unknown, passed = found_by(CHECK, published("round-2"))

    assert (passed.status, passed.series) == ("pass", "llamacpp-q4_k_m")
    text = said(passed, published("round-2"))
    assert "leaves 1.5%, room for a CUDA context and compute buffers: a normal remainder" in text
    assert "余量为 1.5%" in text
    assert "属正常余量" in text
    assert (unknown.status, unknown.series) == ("unknown", "vllm-bf16")
    assert "there is no record of device memory used for vLLM BF16" in said(unknown, published("round-2"))


@pytest.mark.parametrize(
    ("left", "status"),
    [(-1, "fail"), (0, "warn"), (9, "warn"), (10, "pass"), (150, "pass"), (151, "note"), (400, "note")],
)
def test_neither_nothing_nor_too_much_may_be_left(left: float, status: str) -> None:
    assert examine(account(left)).status == status  # suspicious below 1 % of 1000, a lot above 15 %


def test_overdrawn_account_doubts_all_that_is_in_it_and_spoils_nothing() -> None:
    finding = examine(account(-200))

    assert {doubt.metric for doubt in finding.doubts} == {
        "device_memory_used",
        "weights_loaded",
        "kv_pool_bytes",
        "device_memory_residual",
    }
    assert finding.spoils == ()
    assert "overdrawn, with a remainder of -20.0%" in said(finding, account(-200)).replace("−", "-")


def test_a_mere_nothing_is_suspicious_but_doubts_nothing() -> None:
    finding = examine(account(5))

    assert finding.doubts == ()
    assert "leaves a mere 0.5%" in said(finding, account(5))


def test_unknown_where_nothing_is_recorded() -> None:
    finding = examine(memory_round({"s": {}}))

    assert finding.status == "unknown"
    assert finding.remedy is not None


def test_without_a_gpu_no_memory_of_one_is_asked_for() -> None:
    round_ = replace(memory_round({"s": {}}), machines={"s": machine({"gpu.gpus.name": "none (two-core CPU)"})})
    finding = examine(round_)

    assert (finding.status, finding.is_empty, finding.remedy) == ("pass", True, None)
