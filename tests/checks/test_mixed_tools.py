from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from generator.checks import mixed_tools as module
from generator.kinds import Importer
from generator.mapping import Mapped
from generator.model import Round, Trial
from generator.text import Text, same
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said

CHECK = "mixed_tools"
A_TTFT = Mapped("ttft", "ms", same("x"), "ttft_mean")
A_TPOT = Mapped("tpot_{}", "ms", same("x"), "tpot_{}", statistics={"mean": "mean"})
B_TPOT = replace(A_TPOT, field="per_token.{}", why=Text(zh="它除以 n。", en="It divides by n."))
TOOLS = {
    "Aa": Importer("aa", same("Aa"), lambda _: 0, lambda _p, _q: [], (A_TTFT, A_TPOT)),
    "Bb": Importer(
        "bb", same("Bb"), lambda _: 0, lambda _p, _q: [], (A_TTFT, B_TPOT),
        conduct=Text(zh="每条请求新建连接。", en="It connects anew for each request."),
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def two_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "importers_by_tool", lambda: TOOLS)


def measured_by(tools: Mapping[str, str | None]) -> Round:
    """Return a round of a series each, whose one run names a tool."""
    round_ = memory_round({series: {"c1": {"concurrency": 1.0}} for series in tools})
    named: dict[Trial, dict[str, str]] = {
        (series, "c1", None): {"tool": tool} for series, tool in tools.items() if tool
    }
    return replace(round_, described=named)


def test_one_tool_is_as_it_should_be() -> None:
    round_ = measured_by({"s": "Aa", "t": "Aa"})
    [finding] = found_by(CHECK, round_)
    assert finding.status == "pass"
    assert "All runs were measured by Aa." in said(finding, round_)


def test_two_tools_are_warned_of_with_what_they_mean_by_one_name() -> None:
    round_ = measured_by({"s": "Aa", "t": "Bb"})
    [finding] = found_by(CHECK, round_)
    assert finding.status == "warn"
    assert "s by Aa" in said(finding, round_)
    assert "t by Bb" in said(finding, round_)
    assert "per_token.{} of Bb is not TPOT: It divides by n." in said(finding, round_)
    assert "Bb: It connects anew for each request." in said(finding, round_)
    assert "of Aa is not" not in said(finding, round_)  # what Aa gives is ours


def test_a_tool_that_no_importer_reads_is_still_another_tool() -> None:
    round_ = measured_by({"s": "Aa", "t": "home-made"})
    [finding] = found_by(CHECK, round_)
    assert finding.status == "warn"
    assert "is not" not in said(finding, round_)


def test_a_series_without_runs_leaves_its_tool_open() -> None:
    round_ = measured_by({"s": "Aa", "t": None})
    [finding] = found_by(CHECK, round_)
    assert (finding.status, finding.is_empty) == ("note", False)
    assert "t do not name it" in said(finding, round_)


def test_tables_alone_name_no_tool() -> None:
    round_ = measured_by({"s": None, "t": None})
    [finding] = found_by(CHECK, round_)
    assert (finding.status, finding.is_empty) == ("pass", True)
