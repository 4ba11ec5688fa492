from __future__ import annotations

import json

import pytest

from generator.comparing.held import Held
from generator.render.diff.json import diff_json
from tests.support.held_rounds import FAST, held, printers, swapped, warned
from tests.support.machines import machine


def written(found: Held) -> dict[str, object]:
    text = json.dumps(diff_json(found, printers(found.base, found.head)), allow_nan=False)
    loaded: dict[str, object] = json.loads(text, parse_constant=pytest.fail)
    return loaded


def row(found: Held, metric: str = "output_throughput") -> dict[str, object]:
    rows = written(found)["rows"]
    assert isinstance(rows, list)
    one: dict[str, object] = next(one for one in rows if one["metric"] == metric)
    return one


def test_a_row_has_its_evidence_unrounded() -> None:
    found = row(held())
    assert found["change"] == pytest.approx((80 * 81 * 79 / (100 * 101 * 99)) ** (1 / 3) - 1)
    assert (found["verdict"], found["state"], found["grade"], found["method"]) == ("worse", "worse", "A", "welch")
    assert found["base"] == {"value": pytest.approx(99.99667, rel=1e-6), "trials": 3, "n": 3}
    assert found["unit"] == "tok/s"


def test_swapping_mirrors_verdict_change_and_interval() -> None:
    one, other = row(held()), row(swapped(held()))
    assert (one["verdict"], other["verdict"]) == ("worse", "better")
    assert (one["p"], one["grade"]) == (other["p"], other["grade"])
    assert (1 + float(str(one["change"]))) * (1 + float(str(other["change"]))) == pytest.approx(1)


def test_what_decided_and_what_differs_is_there() -> None:
    ran = [machine({"gpu.driver": one}, engine="vLLM", flags=()) for one in ("1", "2")]
    found = written(held(machines=(ran[0], ran[1]), findings=(warned(),)))
    assert found["comparable"] == "comparable"
    assert found["counts"] == {"worse": 1, "same": 1}
    assert found["margin"] == {"value": 0.05, "by": {"zh": "默认", "en": "default setting"}}
    settings = found["settings"]
    assert isinstance(settings, list)
    (driver,) = [one for one in settings if one["path"] == "gpu.driver"]
    assert (driver["base"], driver["head"], driver["status"], driver["fingerprint"]) == ("1", "2", "different", True)
    assert found["findings"] == [
        {
            "check": "x", "series": "a", "fate": "unchecked", "head": None,
            "base": {"status": "warn", "message": {"zh": "a 有事", "en": "something is odd with a"}},
        }
    ]  # fmt: skip


def test_a_side_without_a_number_is_null() -> None:
    assert row(held(FAST, {"output_throughput": (80.0,)}), "itl_p50")["head"] == {"value": None, "trials": 0, "n": None}
