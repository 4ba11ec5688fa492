from __future__ import annotations

from generator.machines.records import Machine
from tests.support.machines import machine, ran_on
from tests.support.telling import found_by, said

CHECK = "changed_fingerprint"
CARD = {"gpu.driver": "570.86", "engine.version": "1.4", "flag.--block-size": "16", "flag.--port": "8000"}


def statuses(**machines: Machine) -> list[str]:
    return [finding.status for finding in found_by(CHECK, ran_on(machines))]


def test_a_single_session_cannot_change() -> None:
    assert statuses(a=machine(sessions=[CARD])) == ["pass"]


def test_a_driver_that_was_updated_in_between() -> None:
    round_ = ran_on({"a": machine(sessions=[CARD, {**CARD, "gpu.driver": "580.95"}])})
    (finding,) = found_by(CHECK, round_)
    assert (finding.status, finding.series) == ("warn", "a")
    assert "driver (570.86 for session 1; 580.95 for session 2)" in said(finding, round_)


def test_an_engine_that_was_built_anew() -> None:
    assert statuses(a=machine(sessions=[CARD, {**CARD, "engine.version": "1.5"}])) == ["warn"]


def test_another_flag_counts_and_another_port_does_not() -> None:
    without = {path: text for path, text in CARD.items() if path != "flag.--block-size"}
    round_ = ran_on({"a": machine(sessions=[CARD, without])})
    assert "--block-size (16 for session 1; not given for session 2)" in said(found_by(CHECK, round_), round_)
    assert statuses(a=machine(sessions=[CARD, {**CARD, "flag.--port": "8001"}])) == ["note"]


def test_a_server_that_was_merely_started_again() -> None:
    round_ = ran_on({"a": machine(sessions=[CARD, CARD, CARD])})
    (finding,) = found_by(CHECK, round_)
    assert finding.status == "note"
    assert "a was measured in 3 sessions" in said(finding, round_)


def test_without_sessions_it_is_unknown() -> None:
    assert statuses(a=machine(CARD)) == ["unknown"]
