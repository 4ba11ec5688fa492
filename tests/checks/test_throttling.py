from __future__ import annotations

from dataclasses import replace

from generator.model import Round
from generator.told.findings import Finding
from tests.support.machines import machine
from tests.support.memory_round import memory_round
from tests.support.telling import analysed, found_by, said
from tests.support.watched_rounds import watched_round

CHECK = "throttling"
SOUND = {"gpu_throttled_share": 0.0, "gpu_held_share": 0.0, "gpu_clock_sm_min": 1.9e9, "gpu_clock_sm_limit": 2e9}
HOT = {
    "gpu_throttled_share": 0.5, "gpu_held_share": 0.5, "gpu_throttle_reasons": 0x20, "gpu_clock_sm_mean": 1.59e9,
    "gpu_throttled_after": 30.0,
}  # fmt: skip
CAPPED = {"gpu_throttled_share": 0.9, "gpu_held_share": 0.0, "gpu_throttle_reasons": 0x4}


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_clocks_that_nothing_held_pass() -> None:
    finding = examine(watched_round({"c1": SOUND}))

    assert (finding.status, finding.levels, finding.is_empty) == ("pass", ("c1",), False)


def test_heat_over_half_the_samples_of_a_level_spoils_it() -> None:
    round_ = watched_round({"c1": SOUND, "c8": HOT})

    finding = examine(round_)

    assert (finding.status, finding.levels, finding.spoils) == ("fail", ("c8",), ("c8",))
    assert ("s", "c8") in analysed(round_).spoilt
    assert finding.looks == "worse"
    text = said(finding, round_)
    assert "throttled at C=8 (heat (SW thermal slowdown)): at 50.0% of the samples" in text
    assert "It set in 30.0 s after the beginning. The SM clock was 1,590 MHz in the mean." in text
    assert "在 C=8 被降频，原因是过热（SW thermal slowdown）：占采样的 50.0%" in text


def test_less_heat_is_a_warning() -> None:
    finding = examine(watched_round({"c1": {**HOT, "gpu_throttled_share": 0.4, "gpu_held_share": 0.4}}))

    assert (finding.status, finding.spoils) == ("warn", ())


def test_the_power_cap_alone_spoils_nothing() -> None:
    round_ = watched_round({"c1": CAPPED, "c8": {**CAPPED, "gpu_throttled_share": 0.95}})

    finding = examine(round_)

    assert (finding.status, finding.levels, finding.spoils) == ("warn", ("c1", "c8"), ())
    assert "(the power cap (SW power cap)): most of all at C=8, at 95.0% of the samples" in said(finding, round_)


def test_a_moment_is_a_note() -> None:
    assert examine(watched_round({"c1": {**CAPPED, "gpu_throttled_share": 0.005}})).status == "note"


def test_a_low_clock_under_load_is_throttling_whatever_the_driver_says() -> None:
    # 375 of 1400 MHz is 27 %
    round_ = watched_round({"c1": {**SOUND, "gpu_clock_sm_min": 3.75e8, "gpu_clock_sm_limit": 1.4e9}})

    finding = examine(round_)

    assert finding.status == "warn"
    assert "fell to 375 MHz at C=1, where it can reach 1,400 MHz" in said(finding, round_)


def test_a_clock_at_its_lower_bound_passes() -> None:
    # 1200 of 2000 MHz is 60 %
    assert examine(watched_round({"c1": {**SOUND, "gpu_clock_sm_min": 1.2e9}})).status == "pass"


def test_samples_of_the_whole_series_warn_and_spoil_nothing() -> None:
    round_ = watched_round({"c1": {}}, of_series={"s": {f"{name}_of_series": value for name, value in HOT.items()}})

    finding = examine(round_)

    assert (finding.status, finding.levels, finding.spoils) == ("warn", (), ())
    assert "was throttled over the whole series" in said(finding, round_)
    assert "在整个系列里被降频" in said(finding, round_)


def test_without_samples_nobody_knows() -> None:
    assert examine(memory_round({"s": {"c1": {"concurrency": 1.0}}})).status == "unknown"


def test_a_machine_without_a_gpu_has_no_clocks_to_hold() -> None:
    finding = examine(watched_round({"c1": {"server_rss_max": 2.0**30}}))

    assert (finding.status, finding.is_empty) == ("pass", True)


def test_a_round_that_declares_no_gpu_needs_no_samples_of_one() -> None:
    round_ = replace(watched_round({"c1": {}}), machines={"s": machine({"gpu.gpus.name": "none (two-core CPU)"})})
    finding = examine(round_)

    assert (finding.status, finding.is_empty, finding.remedy) == ("pass", True, None)
