"""The report on the time to the first answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.collected_rounds import START, planned, put_json, read
from tests.support.memory_round import memory_round
from tests.support.started_rounds import Start, started_round
from tests.support.telling import analysed, catalogue, chapter_of, text_of

RUNS = Path(__file__).parents[2] / "runs"


def test_it_is_made_of_one_start() -> None:
    report = catalogue().report("cold_start")

    assert report.page == "cold-start.html"
    assert report.lacks(analysed(started_round((Start(),)))) is None


def test_a_round_without_says_how_a_start_is_recorded() -> None:
    why = catalogue().report("cold_start").lacks(analysed(memory_round({"s": {}})))

    assert why is not None
    for words in ("argv", "starts = 3", "published.toml"):
        assert words in why.en
        assert words in why.zh


def test_sessions_on_disk_become_starts(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r")
    shares = {"1": 0.0, "2": 1.0, "3": 1.0}
    for number, resident in shares.items():
        told = {**START, "first_token_s": 3.0 + int(number), "page_cache": {"state": "", "resident": resident}}
        put_json(folder / "s" / "sessions" / number / "cold_start.json", told)

    analysis = analysed(read(folder))
    text = text_of(chapter_of("cold_start", analysis), analysis)

    assert "takes 4.00 s from spawn" in text  # the first start
    # 5 and 6 s
    assert "Its 2 warm starts (model files in memory) took 5.50 s at the median, from 5.00 s to 6.00 s." in text


def test_declared_times_are_enough(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r")
    (folder / "s").mkdir()
    (folder / "s" / "published.toml").write_text("[cold_start]\nt1_s = 61.2\nt2_s = 0.4\nt3_s = 1.9\n")

    analysis = analysed(read(folder))

    assert catalogue().report("cold_start").lacks(analysis) is None
    assert analysis.frame.of_series("cold_start_perceived", "s").value == pytest.approx(61.6)


def test_a_real_start_of_llama_cpp_is_explained_by_its_log() -> None:
    analysis = catalogue().analyse(catalogue().read(RUNS / "cpu-llamacpp"))
    series = analysis.round.series[0].id

    def number(key: str) -> float:
        found = analysis.frame.of_series(key, series).value
        assert found is not None
        return found

    # By its log: fitting took 0.98 s; 0.984 690 to 1.995 598 s loading; to 2.188 812 s the warm-up.
    assert number("log_stage_engine_of_series") == 0.98
    assert number("log_stage_weights_of_series") == pytest.approx(1.010908)
    assert number("log_stage_setup_of_series") == pytest.approx(0.193214)
    # The port was open after 0.08 s, health good after 2.29 s; the log leaves 0.03 s unexplained.
    assert number("cold_start_unready") == pytest.approx(2.2112, abs=1e-4)
    assert abs(number("start_untold")) < 0.05
    assert abs(number("start_ready_gap")) < 0.05
