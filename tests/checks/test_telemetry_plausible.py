from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said
from tests.support.watched_rounds import watched_round

CHECK = "telemetry_plausible"
SOUND = {
    "gpu_utilisation_max": 1.0, "gpu_power_max": 410.0, "gpu_power_limit": 400.0, "gpu_energy": 5000.0,
    "gpu_energy_by_power": 5069.0, "gpu_samples": 20.0,
}  # fmt: skip


def examine(**other: float) -> tuple[Finding, str]:
    round_ = watched_round({"c1": {**SOUND, **other}})
    (finding,) = found_by(CHECK, round_)
    return finding, said(finding, round_)


def test_what_agrees_passes() -> None:
    # 410 W is 2.5 % above the limit, and 5000 J 1.4 % below power × time
    finding, _ = examine()

    assert (finding.status, finding.levels) == ("pass", ("c1",))


def test_a_use_above_the_whole_is_that_of_slices() -> None:
    finding, text = examine(gpu_utilisation_max=1.4)

    assert finding.status == "warn"
    assert "reaches 140.0%, above the whole; that is how slices of MIG are scaled" in text


def test_power_above_the_limit_is_not_to_be_relied_on() -> None:
    # 441 W is 10.25 % above 400 W
    finding, text = examine(gpu_power_max=441.0)

    assert finding.status == "warn"
    assert finding.doubts == finding.evidence
    assert "a power of 441 W was sampled where the limit is 400 W" in text


@pytest.mark.parametrize("counted", [0.0, 4500.0, 5600.0])
def test_energy_that_power_times_time_does_not_explain(counted: float) -> None:
    # 4500 J is 11.2 % below 5069 J, 5600 J is 10.5 % above
    finding, text = examine(gpu_energy=counted)

    assert finding.status == "warn"
    assert "where mean power × time is 5,069 J" in text


def test_of_few_samples_energy_is_not_judged() -> None:
    assert examine(gpu_energy=0.0, gpu_samples=4.0)[0].status == "pass"


def test_without_samples_there_is_nothing_to_examine() -> None:
    (finding,) = found_by(CHECK, memory_round({"s": {"c1": {"concurrency": 1.0}}}))

    assert (finding.status, finding.is_empty) == ("pass", True)


def test_each_doubt_is_a_finding_of_its_own() -> None:
    round_: Round = watched_round({"c1": {**SOUND, "gpu_utilisation_max": 2.0, "gpu_power_max": 900.0}})

    assert [finding.status for finding in found_by(CHECK, round_)] == ["warn", "warn"]
