"""A round of the reference server says on every page that it is simulated; no other round does."""

from __future__ import annotations

from pathlib import Path

from tests.support.collected_rounds import planned, put_run
from tests.support.rounds import write_round
from tests.support.sites import build

SAID = {
    "en": "<b>simulated</b> s: answered by the reference server of Rounds.",
    "zh": "<b>模拟</b> s：由 Rounds 自带的参考服务端应答",
}


def test_every_page_of_a_simulated_round_says_so(tmp_path: Path) -> None:
    put_run(planned(tmp_path / "runs" / "ours") / "s" / "levels" / "c1" / "1", {"duration": 1.0})
    write_round(tmp_path / "runs" / "real")
    site = build(tmp_path / "runs", tmp_path / "site")

    for lang, said in SAID.items():
        rounds = site / lang / "rounds"
        assert {said in page.read_text(encoding="utf-8") for page in (rounds / "ours").glob("*.html")} == {True}
        assert {said in page.read_text(encoding="utf-8") for page in (rounds / "real").glob("*.html")} == {False}


def test_the_list_of_rounds_marks_it(tmp_path: Path) -> None:
    planned(tmp_path / "runs" / "ours")
    write_round(tmp_path / "runs" / "real")
    site = build(tmp_path / "runs", tmp_path / "site")

    front = (site / "en" / "index.html").read_text(encoding="utf-8")

    assert '<span class="id">ours</span> <span class="quiet">· simulated' in front
    assert '<span class="id">real</span>' in front


def test_a_plan_without_data_is_built_all_the_same(tmp_path: Path) -> None:
    planned(tmp_path / "runs" / "ours")
    site = build(tmp_path / "runs", tmp_path / "site")

    page = (site / "en" / "rounds" / "ours" / "index.html").read_text(encoding="utf-8")

    assert "none of its 3 planned runs has been collected" in page
