from __future__ import annotations

from dataclasses import replace

import pytest

from generator.model import Integrity, Round
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said


def sealed(integrity: Integrity) -> Round:
    return replace(memory_round({"s": {}}), integrity=integrity)


@pytest.mark.parametrize(
    ("integrity", "status", "words"),
    [
        (Integrity("absent"), "note", "has no MANIFEST.json"),
        (Integrity("intact"), "pass", "Every data file matches"),
        (Integrity("changed", ("s/published.csv",)), "fail", "No longer as MANIFEST.json has it: s/published.csv."),
        (Integrity("changed", ("a", "b", "c")), "fail", "与 MANIFEST.json 不符的文件：a、b、c。"),
    ],
)
def test_data_are_held_against_their_manifest(integrity: Integrity, status: str, words: str) -> None:
    (finding,) = found_by("data_integrity", sealed(integrity))

    assert finding.status == status
    assert words in said(finding, sealed(integrity))
    assert (finding.remedy is None) == (status == "pass")


def test_changed_data_spoil_no_level() -> None:
    (finding,) = found_by("data_integrity", sealed(Integrity("changed", ("a",))))

    assert finding.spoils == ()
