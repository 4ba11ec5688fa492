from __future__ import annotations

from generator.render.diff.text import lines, markdown
from tests.support.held_rounds import HOSTILE, held, seen, warned
from tests.support.machines import machine


def test_the_terminal_is_told_all_and_the_verdict_first() -> None:
    text = "\n".join(lines(seen(held(findings=(warned(),)))))
    assert text.startswith("other compared with one: Comparable\n")
    assert "Primary metric: output throughput (default setting). Verdict: worse" in text
    assert "▼ worse  a C=8 output throughput: 100 → 80.0 tok/s (−20.0%), p = " in text
    assert "? not checkable in other  something is odd with {s} (a): something is odd with a" in text


def test_chinese_is_chinese() -> None:
    assert "▼ 变差" in "\n".join(lines(seen(held(), "zh")))


def test_a_pull_request_gets_a_table_of_what_stands_out() -> None:
    text = list(markdown(seen(held())))
    assert text[0] == "## other compared with one: Comparable"
    assert "▼ worse: 1 · ≈ same: 1" in text
    (row,) = [line for line in text if "output throughput (tok/s)" in line]
    assert row.startswith("| a C=8 output throughput (tok/s) | 100 | 80.0 | −20.0% | ▼ worse (A) | ±5.0% |")
    assert not any("ITL" in line for line in text)
    assert len({line.count("|") for line in text if line.startswith("|")}) == 1


def test_a_hostile_setting_neither_breaks_the_table_nor_the_terminal() -> None:
    ran = [machine({"gpu.driver": one}, engine="vLLM", flags=()) for one in ("1", HOSTILE)]
    shown = "\n".join((*lines(seen(held(machines=(ran[0], ran[1])))), *markdown(seen(held(machines=(ran[0], ran[1]))))))
    assert "\x1b" not in shown
    assert "<script>" not in "\n".join(markdown(seen(held(machines=(ran[0], ran[1])))))
