from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from generator.errors import InputError
from generator.model import Round
from generator.store.prose import Vocabulary
from generator.store.reading import read_round
from generator.text import Text, same
from generator.told.claims import Claim
from tests.support.memory_round import GRAPH
from tests.support.rounds import write_round

COLUMNS = ("id", "metric", "series", "level", "op", "value", "unit", "tolerance",
           "source_zh", "source_en", "text_zh", "text_en")  # fmt: skip
HEADER = ",".join(COLUMNS) + "\n"
GOOD = {"id": "a", "metric": "output_throughput", "series": "SERIES", "level": "LEVEL", "op": "=", "value": "15.20"}


def row(**cells: str) -> str:
    """Return a row of claims.csv that is a claim but for some cells."""
    return ",".join({**dict.fromkeys(COLUMNS, ""), **GOOD, **cells}[column] for column in COLUMNS) + "\n"


VOCABULARY = Vocabulary(
    frozenset(),
    {named: metric.unit for named, metric in GRAPH.metrics.items()},
    {named: metric.scope for named, metric in GRAPH.metrics.items()},
)


def round_in(folder: Path) -> Round:
    return read_round(folder, GRAPH.places(), VOCABULARY)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A round with one series and one level at least."""
    return write_round(tmp_path / "ours")


def names(folder: Path) -> tuple[str, str]:
    series = round_in(folder).series[0]
    return series.id, series.levels[0].id


def read(folder: Path, rows: str = "", toml: str = "") -> tuple[Claim, ...]:
    series, level = names(folder)
    if rows:
        (folder / "claims.csv").write_text(
            HEADER + rows.replace("SERIES", series).replace("LEVEL", level), encoding="utf-8"
        )
    file = folder / "round.toml"
    file.write_text(file.read_text(encoding="utf-8") + toml.replace("SERIES", series), encoding="utf-8")
    return round_in(folder).claims


def refused(folder: Path, rows: str = "", toml: str = "") -> str:
    with pytest.raises(InputError) as error:
        read(folder, rows, toml)
    return str(error.value)


def test_a_round_without_claims_has_none(folder: Path) -> None:
    assert read(folder) == ()


def test_a_row_is_a_claim_with_the_digits_that_were_written(folder: Path) -> None:
    series, level = names(folder)
    words = {"text_zh": "约 {stated}", "text_en": "about {stated}", "source_zh": "表一", "source_en": "table one"}
    (claim,) = read(folder, row(op="about", unit="tok/s", tolerance="0.5", **words))

    assert claim == Claim(
        "a",
        "published",
        "output_throughput",
        series,
        level,
        op="about",
        stated=Decimal("15.20"),
        unit="tok/s",
        tolerance=Decimal("0.5"),
        source=Text(zh="表一", en="table one"),
        text=Text(zh="约 {stated}", en="about {stated}"),
    )
    assert claim.decimals == 2


TOML = """
[[claim]]
id = "b"
kind = "expectation"
metric = "requests_total"
series = "SERIES"
op = ">"
value = {value}
source = "notes"
"""


@pytest.mark.parametrize(
    ("value", "stated"), [("8", "8"), ("8.5", "8.5"), ('"8.50"', "8.50"), ("-3", "-3"), ("1e3", "1000")]
)
def test_an_entry_of_round_toml_is_a_claim(folder: Path, value: str, stated: str) -> None:
    (claim,) = read(folder, toml=TOML.format(value=value))

    assert (claim.kind, claim.op, str(claim.stated), claim.source) == ("expectation", ">", stated, same("notes"))


def test_entries_go_before_rows(folder: Path) -> None:
    assert [claim.id for claim in read(folder, row(), TOML.format(value=1))] == ["b", "a"]


ALL_QUOTES = "{level}, {series}, {stated}"
NO_METRIC = "there is no metric 'output_throughputt'; did you mean 'output_throughput'?"
IS_A_LEVEL = "output_throughput is a number of a level; add level"
IS_A_SERIES = "requests_total is a number of a series; leave out level"
IN_ANOTHER_UNIT = "output_throughput is measured in tok/s, not in ms; convert the number, or correct the metric"
NO_REASON = "names no metric; name one, or give a text and the reason why nothing can be computed"
TWICE = "the claim a is there twice, first in claims.csv, line 2; give each an id of its own"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (row(metric="output_throughputt"), f"line 2, metric: {NO_METRIC}"),
        (row(series="SERIESx"), "line 2, series: there is no series"),
        (row(level="LEVEL7"), "line 2, level: there is no level"),
        (row(level=""), f"line 2, metric: {IS_A_LEVEL}"),
        (row(metric="requests_total"), f"line 2, metric: {IS_A_SERIES}"),
        (row(unit="ms"), f"line 2, unit: {IN_ANOTHER_UNIT}"),
        (row(unit="%"), "line 2, unit: there is no unit '%'"),
        (row(unit="toks"), "line 2, unit: there is no unit 'toks'; did you mean 'tok/s'?"),
        (row(value="many"), "line 2, column value: 'many' is not a plain decimal number"),
        (row(tolerance="-1"), "line 2, column tolerance: '-1' is negative"),
        (row(op="=="), "line 2, column op: expected one of"),
        (row(value=""), "line 2: names a metric and no value; add the number that was stated"),
        (row(metric="", series="", level=""), f"line 2: {NO_REASON}"),
        (row(series=""), "line 2: names a level and no series; add the series"),
        (row(source_zh="只有中文"), "line 2, column source_en: is missing; add it"),
        (row(text_zh="{stated}", text_en="none"), "line 2: only one language quotes {stated}; quote the same in both"),
        (row(text_zh="{0}", text_en="{0}"), f"line 2: the text has {{ in it; quote {ALL_QUOTES}, or write brackets"),
        (row(text_zh="{metric}", text_en="{metric}"), f"line 2: the text has {{metric}} in it; quote {ALL_QUOTES}"),
        (row(id="a b"), "line 2, column id: expected letters, digits, dots, dashes and underscores"),
        (row() + row(), f"line 3: {TWICE}"),
        ("a,1\n", "line 2: the row ends after 2 of 12 cells"),
    ],
)
def test_a_row_that_is_no_claim_is_one_line_with_its_place(folder: Path, rows: str, said: str) -> None:
    told = refused(folder, rows)

    assert f"claims.csv, {said}" in told
    assert "\n" not in told


SERIES_OF_ENTRY = 'series = "SERIES"'


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("metric =", "metrik =", "metrik: there is no such key; did you mean 'metric'?"),
        ("requests_total", "requests_totals", "metric: there is no metric 'requests_totals'; did you mean"),
        (SERIES_OF_ENTRY, "", "metric: requests_total is a number of a series; add series"),
        (SERIES_OF_ENTRY, f'{SERIES_OF_ENTRY}\nbasis = "reported"', "basis: there is no basis 'reported'"),
        ("value = 1", "value = true", "value"),
        ("value = 1", 'value = "1,5"', "value"),
        ("value = 1", "value = nan", "value"),
    ],
)
def test_an_entry_that_is_no_claim_names_its_key(folder: Path, old: str, new: str, said: str) -> None:
    told = refused(folder, toml=TOML.format(value=1).replace(old, new))

    assert f"round.toml, [[claim]] b, {said}" in told
    assert "\n" not in told


TO_BE_COLLECTED = """
schema = 1
[round]
title.zh = "计划"
title.en = "a plan"
[model]
name = "a model"
[[series]]
id = "ours"
kind = "reference"
[[level]]
id = "c4"
concurrency = 4
[[claim]]
id = "fast-enough"
kind = "expectation"
metric = "ttft_p99"
series = "ours"
level = "LEVEL"
op = "<"
value = 200
"""


def test_an_expectation_may_speak_of_a_level_that_is_still_to_be_run(tmp_path: Path) -> None:
    file = tmp_path / "plan" / "round.toml"
    file.parent.mkdir()
    file.write_text(TO_BE_COLLECTED.replace("LEVEL", "c4"), encoding="utf-8")
    (claim,) = round_in(file.parent).claims
    assert (claim.level, claim.stated) == ("c4", Decimal(200))

    file.write_text(TO_BE_COLLECTED.replace("LEVEL", "c5"), encoding="utf-8")
    with pytest.raises(
        InputError, match=r"\[\[claim\]\] fast-enough, level: there is no level 'c5'; did you mean 'c4'\?"
    ):
        round_in(file.parent)


def test_claims_are_no_data(folder: Path) -> None:
    before = round_in(folder).data_sha256
    read(folder, row())

    assert round_in(folder).data_sha256 == before


def test_a_table_without_rows_is_refused(folder: Path) -> None:
    (folder / "claims.csv").write_text(HEADER, encoding="utf-8")

    with pytest.raises(InputError, match="has a header and no rows; write one row a claim"):
        round_in(folder)


def test_a_link_that_leads_out_is_not_followed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text(HEADER, encoding="utf-8")
    (folder / "claims.csv").symlink_to(tmp_path / "secret.csv")

    with pytest.raises(InputError, match=r"claims\.csv"):
        round_in(folder)
