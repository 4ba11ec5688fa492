"""What is renamed or removed in a round is renamed or gone everywhere in the site."""

from __future__ import annotations

import math
import re
import shutil
from pathlib import Path

import pytest

from tests.support.sites import IN_FRONT, RUNS, build, ids_of, page_at, report_of

OLD = "llamacpp-q4_k_m"
NEW = "candidate-x"
LANGS = ("zh", "en")


@pytest.fixture
def round_2(tmp_path: Path) -> Path:
    """A copy of the round, alone in its folder of rounds."""
    return Path(shutil.copytree(RUNS / "round-2", tmp_path / "runs" / "round-2"))


def rewrite(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_renamed_series_leaves_no_trace_of_its_old_id(round_2: Path) -> None:
    (round_2 / OLD).rename(round_2 / NEW)
    for path in round_2.rglob("*"):
        if path.is_file() and OLD in path.read_text(encoding="utf-8"):
            rewrite(path, OLD, NEW)
    site = build(round_2.parent, round_2.parents[1] / "site")
    files = [path for path in site.rglob("*") if path.is_file()]
    assert [path for path in files if OLD.encode() in path.read_bytes() or OLD in path.name] == []
    for lang in LANGS:
        page = (site / lang / "rounds/round-2/index.html").read_text(encoding="utf-8")
        assert f'id="head-to-head-{NEW}"' in page
        folder = site / lang / "rounds/round-2"
        assert sum(len(page_at(folder / name).quantities) for name in IN_FRONT) > 500


def test_a_renamed_round_leaves_no_trace_of_its_old_id(round_2: Path) -> None:
    round_2.rename(round_2.with_name("spring"))
    site = build(round_2.parent, round_2.parents[1] / "site")
    files = [path for path in site.rglob("*") if path.is_file()]
    assert [path for path in files if b"round-2" in path.read_bytes() or "round-2" in path.parts] == []


def test_a_removed_level_is_gone_and_the_crossover_moves(round_2: Path) -> None:
    (round_2 / "claims.csv").unlink()  # it makes claims about that level
    for series in ("vllm-bf16", OLD):
        table = round_2 / series / "published.csv"
        rows = table.read_text(encoding="utf-8").splitlines(keepends=True)
        table.write_text("".join(row for row in rows if not row.startswith("8,")), encoding="utf-8")
    site = build(round_2.parent, round_2.parents[1] / "site")
    report = report_of(site, "round-2")
    assert {value["level"] for value in report["values"]} == {None, "c1", "c2", "c4", "c16", "c32", "c64"}
    known = set(ids_of(report))
    for lang in LANGS:
        for name in ("index", "how"):
            page = page_at(site / lang / "rounds" / "round-2" / f"{name}.html")
            assert re.search(r"C=8(?!\d)", page.source) is None
            assert {id_ for id_, _ in page.quantities} <= known
    # The throughput ratio falls through one between C=4 and C=16; on log-log axes that is a straight line.
    above, below = math.log(318.4 / 225.1), math.log(548.0 / 681.5)
    expected = math.exp(math.log(4) + (math.log(16) - math.log(4)) * above / (above - below))
    (found,) = [value["value"] for value in report["values"] if value["metric"] == "crossover_concurrency"]
    assert found == pytest.approx(expected, rel=1e-9)
    assert f"{expected:.1f}" in page_at(site / "en/rounds/round-2/index.html").text
