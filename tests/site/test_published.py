"""The page of what was published against what is recomputed."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.text import Lang
from generator.told.claims import VERDICTS
from tests.support.sites import page_at, report_of, text_of

TRANSCRIBED = ("round-1", "round-2")


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("round_id", TRANSCRIBED)
def test_every_published_statement_has_a_row_with_its_verdict(site: Path, round_id: str, lang: Lang) -> None:
    page = page_at(site / lang / "rounds" / round_id / "published.html")
    claims = [one for one in report_of(site, round_id)["claims"] if one["kind"] == "published"]
    rows = {row.attrib["id"]: text_of(row) for row in page.all("tr") if row.get("id")}

    assert set(rows) == {f"claim-{one['id']}" for one in claims}
    assert len(rows) > 40
    assert [one["id"] for one in claims if VERDICTS[one["verdict"]][lang][0] not in rows[f"claim-{one['id']}"]] == []


@pytest.mark.parametrize("round_id", TRANSCRIBED)
def test_what_is_contradicted_goes_first(site: Path, round_id: str) -> None:
    page = page_at(site / "en" / "rounds" / round_id / "published.html")
    wrong = {f"claim-{one['id']}" for one in report_of(site, round_id)["claims"] if one["verdict"] == "contradicted"}
    listed = [row.attrib["id"] for row in page.all("tr") if row.get("id")]

    assert wrong
    assert set(listed[: len(wrong)]) == wrong


def test_what_holds_is_folded_away_and_nothing_else(site: Path) -> None:
    page = page_at(site / "en/rounds/round-2/published.html")
    claims = [one for one in report_of(site, "round-2")["claims"] if one["kind"] == "published"]
    (folded,) = page.all("details", "folded")

    held = {f"claim-{one['id']}" for one in claims if one["verdict"] == "holds"}
    assert {row.attrib["id"] for row in folded.iter("tr") if row.get("id")} == held


def test_the_summary_counts_each_verdict(site: Path) -> None:
    (tally,) = page_at(site / "en/rounds/round-2/published.html").all("p", "tally")
    verdicts = [one["verdict"] for one in report_of(site, "round-2")["claims"]]

    for verdict, words in VERDICTS.items():
        assert f"{words.en} {verdicts.count(verdict)}" in text_of(tally)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_report_leads_there_from_its_data_and_its_foot(site: Path, lang: str) -> None:
    folder = site / lang / "rounds" / "round-2"

    assert list(page_at(folder / "measurement.html").links).count("published.html") == 2
    assert list(page_at(folder / "index.html").links).count("published.html") == 1


def test_a_round_of_which_nothing_was_published_has_no_such_page(site: Path) -> None:
    others = [
        path.parent for path in (site / "en" / "rounds").glob("*/index.html") if path.parent.name not in TRANSCRIBED
    ]

    assert others
    for folder in others:
        assert not (folder / "published.html").exists()
        assert "published.html" not in page_at(folder / "index.html").links


def test_expectations_stand_above_the_prose_with_their_verdicts(site: Path) -> None:
    report = page_at(site / "en/rounds/round-1/index.html")
    (section,) = [one for one in report.all("section") if one.get("id") == "expectations"]
    (table,) = section.iter("table")

    assert text_of(table).count(VERDICTS["not_derivable"].en) == 3
    assert text_of(section).index("memory saved by quantisation") < text_of(section).index("written down before")
