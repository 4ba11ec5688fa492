from __future__ import annotations

from dataclasses import replace

from generator.model import Round
from generator.told.findings import Finding
from tests.support.machines import machine
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said
from tests.support.watched_rounds import watched_round

CHECK = "samples_missing"
SAMPLED = {"gpu_samples": 60.0, "gpu_sample_gap_max": 1.1}


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_a_round_sampled_once_a_second_passes() -> None:
    assert examine(watched_round({"c1": SAMPLED})).status == "pass"


def test_memory_of_the_server_is_enough_where_there_is_no_gpu() -> None:
    assert examine(watched_round({"c1": {"server_rss_max": 2.0**30}})).status == "pass"


def test_a_run_of_ours_without_samples_is_a_warning() -> None:
    finding = examine(watched_round({"c1": {"warm_up_requests": 1.0}}))

    assert finding.status == "warn"
    assert finding.remedy is not None


def test_a_run_of_another_tool_without_samples_is_unknown() -> None:
    assert examine(watched_round({"c1": {}})).status == "unknown"


def test_a_round_copied_from_a_publication_says_so() -> None:
    round_ = memory_round({"s": {"c1": {"concurrency": 1.0}}})  # transcribed

    finding = examine(round_)

    assert finding.status == "note"
    assert "transcribed from a publication without samples of memory and GPU" in said(finding, round_)


def test_a_gap_is_a_warning_with_its_length() -> None:
    round_ = watched_round({"c1": SAMPLED, "c8": {**SAMPLED, "gpu_sample_gap_max": 10.0}})

    finding = examine(round_)

    assert (finding.status, finding.levels) == ("warn", ("c8",))
    assert "have gaps at C=8: 10.0 s at most" in said(finding, round_)
    assert "在 C=8 中断过：最长 10.0 s" in said(finding, round_)


def test_a_gap_of_five_seconds_is_none() -> None:
    assert examine(watched_round({"c1": {**SAMPLED, "gpu_sample_gap_max": 5.0}})).status == "pass"


def test_a_level_without_samples_beside_others_is_a_warning() -> None:
    finding = examine(watched_round({"c1": SAMPLED, "c8": {}}))

    assert (finding.status, finding.levels) == ("warn", ("c8",))


def test_samples_of_the_whole_series_are_samples() -> None:
    numbers = {f"{name}_of_series": value for name, value in SAMPLED.items()}

    assert examine(watched_round({"c1": {}}, of_series={"s": numbers})).status == "pass"


def test_a_run_of_another_tool_without_a_gpu_lacks_no_samples() -> None:
    round_ = replace(watched_round({"c1": {}}), machines={"s": machine({"gpu.gpus.name": "none (two-core CPU)"})})

    finding = examine(round_)

    assert (finding.status, finding.is_empty, finding.remedy) == ("pass", True, None)
