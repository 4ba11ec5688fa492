"""What an author of a round writes is text: on pages, in drawings, in data scripts and in spreadsheets."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from generator.render.wording.isolation import without_controls
from tests.support.hostile import FORMULA, IMAGE, LONG, SCRIPT, TEXTS, hostile_round
from tests.support.sites import SCRIPTS, SVG, Page, build, fragment, pages, script_data, text_of

OURS = {"a", "base", "body", "head", "html", "link", "meta", "script", "title"}
NARROW = re.compile(r"\.\./\.\./\.\./data/hostile/figures/\w+\.narrow(?:\.zh)?\.svg")
FIELDS = {"data-input", "data-slider"}
"""Attributes that the fields of a calculator have."""
FORBIDDEN = {"iframe", "object", "embed", "form", "input", "style", "base"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    hostile_round(folder / "runs" / "hostile")
    return build(folder / "runs", folder / "site")


@pytest.fixture(params=["zh", "en"])
def folder(request: pytest.FixtureRequest, site: Path) -> Path:
    return site / str(request.param) / "rounds" / "hostile"


def test_no_element_is_made_of_a_name(site: Path) -> None:
    for page in pages(site):
        tags = [tag for tag, attributes in page.tags if not FIELDS.intersection(attributes)]
        assert not FORBIDDEN.intersection(tags), page.path
        assert all(NARROW.fullmatch(image.attrib["src"]) for image in page.all("img"))
        assert [script.get("src", "").rpartition("/")[2] for script in page.all("script")] in SCRIPTS
        assert {script.get("type") for script in page.all("script") if not script.get("src")} <= {"application/json"}
        assert not [
            tag for tag, attributes in page.tags for name in attributes if name.startswith("on") or name == "style"
        ]


def test_names_are_shown_as_they_were_written_and_turn_nothing_around(folder: Path) -> None:
    text = Page(folder / "index.html").text
    for written in TEXTS:
        # A drawing cuts a long name; the text of the page does not.
        assert without_controls(written.replace("\u2028", "").split()[0]) in text
    assert "49" not in text.split()
    heading = text_of(Page(folder / "index.html").all("h1")[0]).strip()
    assert heading.removeprefix("标题 ") == SCRIPT


def test_panels_are_pieces_of_html_with_nothing_of_a_name_in_them(folder: Path) -> None:
    words = script_data(folder / "derivations.js", "words")
    data = script_data(folder / words["facts"], "facts")
    rows = [*data["facts"].values(), *data["kinds"], *words["metrics"], words["places"], words["reasons"]]
    rows += [words["sources"], words["sources"].values(), words["phrases"].values(), words["origins"]]
    pieces = [fragment(html) for row in rows for html in row if isinstance(html, str)]
    tags = {element.tag for piece in pieces for element in piece.iter()}
    assert tags.isdisjoint(FORBIDDEN | {"img", "script"})
    assert any(IMAGE in text_of(piece) for piece in pieces)


def test_chart_labels_hold_no_markup_but_line_breaks(folder: Path) -> None:
    charts = script_data(folder / "charts.js", "charts")
    names = [trace.get("name", "") for chart in charts.values() for trace in chart["data"]]
    names += [label["text"] for chart in charts.values() for label in chart["labels"]]
    assert any(LONG in name for name in names)
    assert not [name for name in names if "<" in name.replace("<br>", "")]


def test_drawings_to_download_are_well_formed(site: Path) -> None:
    drawings = list(site.rglob("*.svg"))
    assert len(drawings) >= 4
    for path in drawings:
        root = fromstring(path.read_text(encoding="utf-8"))  # noqa: S314  # our own file
        assert {e.tag for e in root.iter()}.isdisjoint({f"{SVG}script", f"{SVG}image", f"{SVG}foreignObject"})


def test_no_cell_of_a_csv_is_a_formula(site: Path) -> None:
    tables = list((site / "data").rglob("*.csv"))
    assert len(tables) >= 3
    for path in tables:
        for row in csv.reader(io.StringIO(path.read_text(encoding="utf-8").removeprefix("\ufeff"))):
            assert not [one for one in row if one[:1] in "=+@\t\r" and one], path
            assert not [one for one in row if one.startswith("-") and not is_number(one)], path


def test_the_index_shows_names_too(site: Path) -> None:
    text = Page(site / "en" / "index.html").text
    assert SCRIPT in text
    assert FORMULA in text


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
