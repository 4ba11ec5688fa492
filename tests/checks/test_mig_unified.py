from __future__ import annotations

import pytest

from tests.support.machines import machine, ran_on
from tests.support.telling import found_by, said

CHECK = "mig_unified"
GPU = "gpu.gpus.name"


@pytest.mark.parametrize(
    ("facts", "status"),
    [
        pytest.param({GPU: "NVIDIA H100", "gpu.gpus.mig": "false"}, "pass", id="MIG is off"),
        pytest.param({GPU: "NVIDIA H100", "gpu.gpus.mig": "true"}, "note", id="MIG is on"),
        pytest.param({GPU: "A100 MIG 3g.40gb"}, "note", id="named as a slice"),
        pytest.param({GPU: "NVIDIA H100"}, "unknown", id="not on record"),
        pytest.param({GPU: "NVIDIA GeForce RTX 4090"}, "pass", id="has no MIG"),
        pytest.param({GPU: "RTX PRO 6000"}, "unknown", id="may have MIG"),
        pytest.param({GPU: "NVIDIA GB10"}, "note", id="unified by name"),
        pytest.param({GPU: "a device", "gpu.gpus.memory_source": "host"}, "note", id="memory of the machine"),
        pytest.param({GPU: "none (two-core CPU)"}, "pass", id="no GPU"),
        pytest.param({}, "unknown", id="nothing"),
    ],
)
def test_what_the_gpu_is(facts: dict[str, str], status: str) -> None:
    assert [one.status for one in found_by(CHECK, ran_on({"a": machine(facts)}))] == [status]


def test_it_says_which_numbers_mean_less() -> None:
    sliced, shared = machine({"gpu.gpus.mig": "true"}), machine({GPU: "NVIDIA GB10"})
    round_ = ran_on({"a": sliced, "b": shared})
    told = said(found_by(CHECK, round_), round_)
    assert "power, heat and utilisation are those of the whole card" in told
    assert "bandwidth is shared with the CPU" in told


def test_without_a_gpu_there_is_nothing_to_examine() -> None:
    (finding,) = found_by(CHECK, ran_on({"a": machine({GPU: "none (two-core CPU)"})}))
    assert finding.is_empty
