from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring

from generator.render.diff.junit import junit
from tests.support.held_rounds import FAST, SLOW, held, seen
from tests.support.machines import machine


def parsed(text: str) -> Element:
    return fromstring(text)  # noqa: S314  # our own text


def test_what_got_worse_fails_and_the_rest_passes() -> None:
    suite = parsed(junit(seen(held())))
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "2", "0")
    cases = {(one.get("classname"), one.get("name")): one for one in suite.iter("testcase")}
    failure = cases["a.c8", "output_throughput"].find("failure")
    assert failure is not None
    assert "−20.0%" in failure.get("message", "")
    assert cases["gate", "output_throughput"].find("failure") is not None
    assert list(cases["a.c8", "itl_p50"]) == []


def test_what_got_better_passes() -> None:
    suite = parsed(junit(seen(held(SLOW, FAST))))
    assert (suite.get("failures"), suite.get("skipped")) == ("0", "0")


def test_what_is_confounded_is_skipped_with_the_reason() -> None:
    ran = [machine({"gpu.driver": one, "gpu.cuda": one}, engine="vLLM", flags=()) for one in ("1", "2\x01")]
    suite = parsed(junit(seen(held(machines=(ran[0], ran[1])))))
    assert (suite.get("failures"), suite.get("skipped")) == ("0", "2")
    (case,) = [
        one for one in suite.iter("testcase") if one.get("classname") == "a.c8" and one.find("skipped") is not None
    ]
    skipped = case.find("skipped")
    assert skipped is not None
    assert "confounded by driver, CUDA" in skipped.get("message", "")


def test_it_is_well_formed_in_whatever_encoding_it_is_redirected() -> None:
    assert junit(seen(held(), "zh")).isascii()
