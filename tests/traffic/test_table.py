from __future__ import annotations

from pathlib import Path

import pytest

from generator.traffic.table import lines_of
from tests.support.loads import ACCESS, BURSTGPT, BURSTY, FILES, SECRET, SHAREGPT, profiled, put, trace_of


def said(path: Path, window: float = 60.0) -> str:
    return "\n".join(lines_of(profiled(path, window=window)))


def test_all_that_is_known_has_a_line(tmp_path: Path) -> None:
    text = said(put(tmp_path, trace_of(BURSTY)), 1.0)

    assert "requests                  61\n" in text
    assert "windows of 1 s          peak 12 req/s · peak ÷ mean 4 · index of dispersion 9.474" in text
    assert "note: the span is under a week" in text


def test_what_is_not_known_has_one_with_the_reason(tmp_path: Path) -> None:
    text = said(put(tmp_path, SHAREGPT))

    assert "not known: input, as the sources hold texts, and neither characters nor words are tokens" in text
    assert "characters of prompts     p50 15 · p95 23.1 · which are no tokens" in text


def test_an_access_log_tells_its_concurrency(tmp_path: Path) -> None:
    # 2 ÷ 5.25 s × 0.875 s
    assert "concurrency               0.3333 by Little's law · 1 at most" in said(put(tmp_path, ACCESS))


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (['50,"a,2,M,1,1,2,x'], "line 4 opens a quote that is not closed"),
        (['50,"a,2,M,1,1,2,x', '60,"a,2,M,1,1,2,x'], "lines 4, 5 open quotes that are not closed"),
    ],
)
def test_lines_with_quotes_that_are_not_closed_are_named(tmp_path: Path, rows: list[str], words: str) -> None:
    assert f" · {words}\n" in said(put(tmp_path, BURSTGPT + "\n".join(rows)))


@pytest.mark.parametrize("kind", FILES)
def test_no_text_of_any_file_is_told(tmp_path: Path, kind: str) -> None:
    assert SECRET not in said(put(tmp_path, FILES[kind]))
