from __future__ import annotations

from generator.model import Round
from generator.told.findings import Finding
from tests.support.machines import machine, ran_on
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said

CHECK = "cuda_graphs"


def logged(**off: float) -> Round:
    """Return series whose logs say whether CUDA graphs were off."""
    return memory_round(
        {series: {} for series in off}, of_series={one: {"log_graphs_off_of_series": n} for one, n in off.items()}
    )


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_off_on_one_side_is_a_warning() -> None:
    round_ = logged(eager=1.0, graphs=0.0)

    finding = examine(round_)

    assert (finding.status, finding.series, finding.looks) == ("warn", "eager", "worse")
    assert "eager went without CUDA graphs, and graphs did not" in said(finding, round_)


def test_on_for_all_passes_and_off_for_all_is_a_note() -> None:
    assert examine(logged(a=0.0, b=0.0)).status == "pass"
    assert examine(logged(a=1.0, b=1.0)).status == "note"


def test_graphs_that_flags_leave_on_and_the_log_has_off_are_a_warning() -> None:
    round_ = ran_on({"s": machine(engine="vLLM", flags=[])}, of_series={"s": {"log_graphs_off_of_series": 1.0}})

    found = found_by(CHECK, round_)

    assert found[0].status == "warn"
    assert "leave CUDA graphs on, and its log says that it goes without them" in said(found[0], round_)


def test_graphs_that_a_flag_has_off_are_no_surprise() -> None:
    round_ = ran_on(
        {"s": machine(engine="vLLM", flags=[("--enforce-eager", "true")])},
        of_series={"s": {"log_graphs_off_of_series": 1.0}},
    )

    assert examine(round_).status == "note"


def test_a_start_without_a_capture_leaves_it_open() -> None:
    round_ = ran_on({"s": machine(engine="vLLM", flags=[])}, of_series={"s": {"log_context_length_of_series": 4096.0}})

    finding = examine(round_)

    assert finding.status == "unknown"
    assert "mentions no capture" in said(finding, round_)


def test_without_a_log_there_is_nothing_to_examine() -> None:
    assert examine(memory_round({"s": {"c1": {"concurrency": 1.0}}})).is_empty
