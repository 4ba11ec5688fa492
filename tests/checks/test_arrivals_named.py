from __future__ import annotations

from dataclasses import replace

import pytest

from generator.declared.round_tables import WorkloadTable
from generator.model import Round
from generator.told.findings import Finding
from tests.support.memory_round import Numbers, memory_round
from tests.support.telling import found_by, said

CHECK = "arrivals_named"
RATE: Numbers = {"rate": 4}


def one(seen: Numbers, **workload: str) -> Round:
    round_ = memory_round({"s": {"l": seen}})
    return replace(round_, file=round_.file.model_copy(update={"workload": WorkloadTable.model_validate(workload)}))


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_a_rate_alone_does_not_say_how_requests_arrive() -> None:
    finding = examine(one(RATE))

    assert (finding.status, finding.levels) == ("note", ("l",))
    assert "How the requests of s arrive at 4 req/s is not on record" in said(finding, one(RATE))


@pytest.mark.parametrize("seen", [{"concurrency": 4}, {"rate": 4, "burstiness": 1}])
def test_a_closed_loop_and_a_burstiness_are_names_enough(seen: Numbers) -> None:
    assert examine(one(seen)).status == "pass"


def test_the_author_may_name_it() -> None:
    assert examine(one(RATE, arrival="constant")).status == "pass"


def test_our_own_client_sends_as_the_workload_says() -> None:
    assert examine(replace(one(RATE), described={("s", "l", None): {"stamps": "user"}})).status == "pass"


def test_a_round_without_levels_has_nothing_to_name() -> None:
    assert examine(memory_round({"s": {}})).is_empty
