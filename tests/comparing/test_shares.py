from __future__ import annotations

import pytest

from generator.comparing.shares import Said, among, quantity_of, refuse_unknown, share_for, without
from generator.errors import InputError
from generator.text import same
from tests.comparing.two_rounds import DECLARED


def test_a_metric_has_its_own_share_before_that_of_its_quantity() -> None:
    shares = {"itl": 0.02, "itl_p99": 0.2, "failed": 0.1}
    assert [share_for(one, shares) for one in ("itl_p50", "itl_p99", "failed", "ttft_p50")] == [0.02, 0.2, 0.1, None]


def test_only_quantities_with_several_statistics_stand_for_them() -> None:
    assert quantity_of("e2el_p95") == "e2el"
    assert quantity_of("output_throughput") == "output_throughput"


def test_of_two_rounds_the_smaller_or_larger_share_holds() -> None:
    tables = {"a": {"itl": 0.02, "e2el": 0.1}, "b": {"itl_p50": 0.05}}
    # Of itl_p50 both rounds say something: a 2 % by the quantity, b 5 %.
    assert among(tables, largest=False) == {"itl": (0.02, ("a",)), "e2el": (0.1, ("a",)), "itl_p50": (0.02, ("a",))}
    assert among(tables, largest=True)["itl_p50"] == (0.05, ("b",))
    assert among({"a": {"itl": 0.1}, "b": {"itl": 0.1}}, largest=True) == {"itl": (0.1, ("a", "b"))}


def test_what_is_said_of_a_quantity_is_said_of_its_statistics() -> None:
    said = [Said(of, 0.1, same("x")) for of in ("itl", "itl_p50", "ttft", "ttft_p99")]
    assert [one.of for one in without(said, ["itl", "ttft_p99"])] == ["ttft"]


def test_a_share_of_what_is_no_metric_is_refused() -> None:
    refuse_unknown(["itl", "itl_p50"], DECLARED, "--margin", "")
    with pytest.raises(InputError) as refused:
        refuse_unknown(["itll"], DECLARED, "--margin", "")
    assert str(refused.value) == "--margin: there is no metric 'itll' of a level; did you mean 'itl'?"
