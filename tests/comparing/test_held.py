from __future__ import annotations

from dataclasses import replace

from generator.comparing.held import hold
from generator.declared.round_tables import ModelTable
from generator.told.findings import Finding
from generator.told.sentence import say
from tests.comparing.two_rounds import DECLARED, analysed, throughputs
from tests.support.machines import machine

WARNED = Finding("x", "warn", say(zh="话", en="words"), "a")


def test_settings_that_several_series_share_are_told_once() -> None:
    base = throughputs(100.0, machine=machine({"gpu.driver": "1"}, engine="vLLM"))
    head = throughputs(100.0, machine=machine({"gpu.driver": "2"}, engine="vLLM"))
    held = hold(base, head, DECLARED)
    driver = next(one for one in held.settings if one.setting.path == "gpu.driver")
    assert (driver.series, driver.status, driver.is_fingerprint) == (("a",), "different", True)
    model = next(one for one in held.settings if one.setting.path == "model.name")
    assert (model.status, model.is_fingerprint) == ("equal", False)


def test_what_one_side_does_not_record_may_have_changed() -> None:
    base = throughputs(100.0, machine=machine({"gpu.driver": "1"}, engine="vLLM"))
    held = hold(base, throughputs(100.0), DECLARED)
    assert {"gpu.driver", "flags", "engine.name"} <= {one.path for one in held.unknown_of("a")}
    assert held.unknown_of("nobody") == ()


def test_of_rounds_that_did_other_work_no_flaw_is_told() -> None:
    base = replace(throughputs(100.0), findings=(WARNED,))
    assert [one.fate for one in hold(base, throughputs(100.0), DECLARED).flaws] == ["unchecked"]
    file = base.round.file.model_copy(update={"model": ModelTable(name="another")})
    other = replace(base, round=replace(base.round, file=file))
    assert hold(other, throughputs(100.0), DECLARED).flaws == ()
    assert hold(analysed({"c8": {"itl_p50": (0.01,)}}, series="b"), base, DECLARED).flaws == ()


def test_another_engine_is_not_comparable_and_another_spelling_of_it_is() -> None:
    one, written, other = (
        throughputs(100.0, machine=machine(engine=name)) for name in ("llama.cpp", "llamacpp", "vLLM")
    )
    assert hold(one, written, DECLARED).comparison.banner.standing == "comparable"
    found = hold(one, other, DECLARED).comparison.banner
    assert found.standing == "not_comparable"
    assert "engine" in repr(found.reasons[1])
