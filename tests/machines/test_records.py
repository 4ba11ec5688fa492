from __future__ import annotations

import pytest

from generator.machines.records import NOTHING_KNOWN
from tests.support.machines import machine


def test_what_is_not_known_is_none() -> None:
    assert machine({"gpu.driver": "570"}).text("gpu.driver") == "570"
    assert NOTHING_KNOWN.text("gpu.driver") is None
    assert not NOTHING_KNOWN.has_flags


@pytest.mark.parametrize(
    ("facts", "has_none"),
    [
        ({"gpu.gpus.name": "none (two-core CPU)"}, True),
        ({"gpu.gpus.name": "No GPU"}, True),
        ({"gpu.gpus.name": "NVIDIA H100", "gpu.source": "nvml"}, False),
        ({"gpu.source": "nvml"}, True),
        ({"gpu.source": "nvml", "gpu.gpus.ecc": "true"}, False),
        ({}, False),
    ],
    ids=["declared", "declared otherwise", "a name", "looked for", "without a name", "nothing known"],
)
def test_whether_there_is_no_gpu(facts: dict[str, str], has_none: bool) -> None:
    assert machine(facts).has_no_gpu is has_none
