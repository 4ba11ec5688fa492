"""Which metrics a check looks at: by its code, and by what its findings rest on."""

from __future__ import annotations

from dataclasses import replace

from generator.kinds import Check
from generator.render.views.looked_at import looked_at, looked_at_by
from generator.text import same
from generator.themes import RECORDS
from generator.told.findings import Finding
from generator.told.sentence import say
from generator.values import Address
from tests.support.analyses import small_analysis
from tests.support.telling import catalogue

METRICS = ("ttft_p50", "itl_p50", "rate")
BLANK = Check("blank", same("blank"), same("?"), "levels", len, RECORDS)  # type: ignore[arg-type]  # its code names nothing


def test_a_check_looks_at_what_its_code_names() -> None:
    checks = catalogue().checks
    keys = [key for key, _ in catalogue().graph.metrics]
    looked = looked_at(checks, (), keys)

    assert {"first_ttft_over_rest", "first_wave_weight", "waves"} - set(looked["first_wave"]) == {"waves"}
    assert (
        looked["faster_than_the_floor"][:2]
        == [key for key in dict.fromkeys(keys) if key in looked["faster_than_the_floor"]][:2]
    )
    assert "decode_floor" in looked["faster_than_the_floor"]
    assert looked.keys() == checks.keys()


def test_a_check_looks_at_what_its_findings_rest_on() -> None:
    # A word that stands alone, as "rate", counts only where a finding gives it as evidence.
    found = Finding("blank", "pass", say("话", "words"), evidence=(Address("rate", "level", "a", "c1"),))
    analysis = replace(small_analysis(), findings=(found,))

    assert looked_at({"blank": BLANK}, (), METRICS) == {"blank": []}
    assert looked_at({"blank": BLANK}, (analysis,), METRICS) == {"blank": ["rate"]}


def test_each_metric_knows_the_checks_that_look_at_it() -> None:
    assert looked_at_by({"a": ["x", "y"], "b": ["y"]}) == {"x": ["a"], "y": ["a", "b"]}
