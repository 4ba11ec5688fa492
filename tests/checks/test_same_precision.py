from __future__ import annotations

from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.machines import machine, ran_on
from tests.support.telling import found_by, said

CHECK = "same_precision"


def found(*series: tuple[str, str | None]) -> list[Finding]:
    names = [f"s{number}" for number in range(len(series))]
    tables = {
        name: {"engine": engine, **({} if precision is None else {"precision": precision})}
        for name, (engine, precision) in zip(names, series, strict=True)
    }
    return found_by(CHECK, ran_on({name: machine() for name in names}, tables=tables, baseline="s0"))


def test_engine_and_precision_at_once_lack_a_control() -> None:
    (finding,) = found(("vLLM", "BF16"), ("llama.cpp", "Q4_K_M"))
    assert (finding.status, finding.series) == ("warn", "s1")


def test_the_missing_control_is_named_both_ways() -> None:
    told = said(found_by(CHECK, published("round-2")), published("round-2"))
    assert "Measure a control: llama.cpp at BF16, or vLLM at Q4_K_M." in told
    assert "补测一个对照：llama.cpp 用 BF16，或 vLLM 用 Q4_K_M。" in told


def test_a_control_tells_them_apart() -> None:
    pairs = found(("vLLM", "BF16"), ("llama.cpp", "Q4_K_M"), ("llama.cpp", "F16"))
    assert [(one.status, one.series) for one in pairs] == [("pass", "s1")]


def test_two_bytes_a_weight_are_one_precision() -> None:
    (finding,) = found(("vLLM", "BF16"), ("llama.cpp", "F16"))
    assert (finding.status, finding.is_empty) == ("pass", False)


def test_one_engine_at_two_precisions_compares_just_those() -> None:
    (finding,) = found(("vLLM", "BF16"), ("vLLM", "FP8"))
    assert finding.is_empty


def test_a_precision_that_nobody_declared_is_unknown() -> None:
    (finding,) = found(("vLLM", "BF16"), ("llama.cpp", None))
    assert finding.status == "unknown"
