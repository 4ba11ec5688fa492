from __future__ import annotations

from generator.machines.records import Machine
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.machines import machine, ran_on
from tests.support.telling import found_by, said

CHECK = "same_machine"
CARD = {"gpu.gpus.name": "NVIDIA L40S", "gpu.gpus.vbios": "95.02", "gpu.gpus.ecc": "true", "gpu.driver": "570.86"}


def only(**machines: Machine) -> Finding:
    (finding,) = found_by(CHECK, ran_on(machines))
    return finding


def test_one_card_and_one_driver_are_one_machine() -> None:
    round_ = ran_on({"a": machine(CARD), "b": machine(CARD)})
    (finding,) = found_by(CHECK, round_)
    assert finding.status == "pass"
    assert "GPU, VBIOS, ECC and driver" in said(finding, round_)


def test_another_driver_is_named_with_what_it_can_change() -> None:
    round_ = ran_on({"a": machine(CARD), "b": machine({**CARD, "gpu.driver": "580.95"})})
    (finding,) = found_by(CHECK, round_)
    told = said(finding, round_)
    assert finding.status == "warn"
    assert "driver (570.86 for a; 580.95 for b)" in told
    assert "which kernels run, and hence every latency" in told
    assert "驱动（a：570.86；b：580.95）" in told


def test_driver_and_engine_changed_at_once_cannot_be_told_apart() -> None:
    one = machine({**CARD, "engine.version": "1.4.0"}, engine="vLLM")
    other = machine({**CARD, "gpu.driver": "580.95", "engine.version": "1.5.0"}, engine="vLLM")
    round_ = ran_on({"a": one, "b": other})
    (finding,) = found_by(CHECK, round_)
    told = said(finding, round_)
    assert "Two things changed: driver, and engine version. The change cannot be put down to the engine." in told
    assert "差别不能归到引擎头上" in told


def test_the_engine_alone_is_no_matter_of_the_machine() -> None:
    one = machine({**CARD, "engine.version": "1.4.0"}, engine="vLLM")
    assert only(a=one, b=machine({**CARD, "engine.version": "1.5.0"}, engine="vLLM")).status == "pass"


def test_versions_of_two_engines_are_not_compared() -> None:
    one = machine({**CARD, "engine.version": "1.4.0"}, engine="vLLM")
    other = machine({**CARD, "gpu.driver": "580.95", "engine.version": "b1"}, engine="llama.cpp")
    round_ = ran_on({"a": one, "b": other})
    assert "Two things changed" not in said(found_by(CHECK, round_), round_)


def test_packages_and_power_limits_count() -> None:
    one, other = {"python.packages.torch": "2.8"}, {"python.packages.torch": "2.9"}
    assert only(a=machine(one), b=machine(other)).status == "warn"
    limits = [machine({"gpu.gpus.power_limit_w": watts}) for watts in ("350", "300")]
    assert only(a=limits[0], b=limits[1]).status == "warn"


def test_what_only_one_has_on_record_is_not_the_same() -> None:
    round_ = ran_on({"a": machine(CARD), "b": machine({"gpu.gpus.name": "L40S"})})
    (finding,) = found_by(CHECK, round_)
    assert finding.status == "note"
    assert "only some series have these on record: VBIOS, ECC and driver" in said(finding, round_)


def test_where_nothing_can_be_compared_it_is_unknown() -> None:
    assert only(a=machine(CARD), b=machine()).status == "unknown"


def test_a_single_series_is_compared_with_none() -> None:
    assert only(a=machine(CARD)).is_empty


def test_the_published_rounds() -> None:
    first, second = (found_by(CHECK, published(name))[0] for name in ("round-1", "round-2"))
    assert (first.status, second.status) == ("warn", "pass")
    assert "host (A for vLLM BF16; B for llama.cpp Q4_K_M)" in said(first, published("round-1"))
