"""How a round is cited."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import yaml

from generator.declared.table_types import Words
from generator.model import Round
from generator.render.archive.citing import Citation, citation_cff, latex, licence_of, spdx
from generator.text import Lang
from tests.support.analyses import small_analysis

URL = "https://example.org/bench/en/rounds/r/index.html"


def round_with(**declared: object) -> Round:
    """Return a small round that declares this of itself."""
    found = small_analysis().round
    table = found.file.round.model_copy(update=declared)
    return replace(found, id="r_1", data_sha256="ab" * 32, file=found.file.model_copy(update={"round": table}))


def day(text: str) -> Any:
    from datetime import date

    return date.fromisoformat(text)


def test_words_name_authors_title_day_and_state() -> None:
    cited = Citation(round_with(authors=("Doe, Jane", "The group"), date=day("2026-11-30")), "en", URL)
    title = cited.round.title.en
    assert cited.words == (
        f"Doe, Jane; The group. {title} [dataset]. 2026-11-30. Round r_1, data sha256:{'ab' * 32}. {URL}"
    )


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_nobody_is_named_and_no_address_claimed_that_was_not_declared(lang: Lang) -> None:
    cited = Citation(round_with(), lang)
    assert cited.words.startswith(cited.title)
    assert "http" not in cited.words + cited.bibtex
    assert "author" not in cited.bibtex
    assert "year" not in cited.bibtex
    assert (
        cited.lacks
        == {
            "zh": "没有记录、因而未写的：作者、年份、链接。没有链接时，凭轮次 id 与数据的 sha256 认定是哪一份数据。",
            "en": "Not known, and therefore left out: author, year, address. Without an address, the id of the round "
            "and the sha256 of its data say which data are meant.",
        }[lang]
    )
    for told in (cited.words, cited.bibtex.replace("\\", "")):
        assert "r_1" in told
        assert "ab" * 32 in told
    assert cited.words.endswith("。" if lang == "zh" else ".")


def test_a_report_with_an_address_is_cited_by_it() -> None:
    round_ = round_with(
        authors=("Doe, Jane",), date=day("2026-11-30"), source=Words(zh="https://a.example/r", en="https://a.example/r")
    )

    assert "  url = {https://a.example/r}," in Citation(round_, "en").bibtex
    assert Citation(round_, "zh").words.endswith("https://a.example/r")
    assert Citation(round_, "en").lacks == ""
    assert "  url = {https://b.example}," in Citation(round_, "en", "https://b.example").bibtex


def test_bibtex_names_people_by_their_parts_and_groups_as_one() -> None:
    made = Citation(round_with(authors=("Doe, Jane", "R & D"), date=day("2026-11-30")), "en", URL).bibtex
    assert made.splitlines()[0] == "@misc{r-1-abababab,"
    assert r"  author = {Doe, Jane and {R \& D}}," in made
    assert "  year = {2026}," in made
    assert "  date = {2026-11-30}," in made
    assert f"  url = {{{URL}}}," in made
    assert made.count("{") == made.count("}")


def test_bibtex_is_in_english_on_pages_of_either_language() -> None:
    round_ = round_with(date=day("2026-11-30"))
    zh, en = (Citation(round_, lang, URL) for lang in ("zh", "en"))
    assert zh.bibtex == en.bibtex
    assert zh.words != en.words


def test_a_day_in_words_stands_in_the_note() -> None:
    cited = Citation(round_with(date=Words(zh="8 月中", en="mid-August")), "en")
    assert "mid-August" in cited.words
    assert "note = {mid-August; Round r\\_1" in cited.bibtex
    assert "year" not in cited.bibtex


def test_nothing_in_a_title_means_anything_to_latex() -> None:
    assert latex(r"50% of {a_b} \input{x} #1 $2^3~&") == (
        r"50\% of \textbraceleft{}a\_b\textbraceright{} "
        r"\textbackslash{}input\textbraceleft{}x\textbraceright{} \#1 \$2\^{}3\~{}\&"
    )


def test_no_title_and_no_author_ends_a_field_of_bibtex() -> None:
    evil = "}}, url = {javascript:x}}\n\n@misc{y,"
    made = Citation(round_with(authors=(evil, f"{evil} {evil}"), title=Words(zh=evil, en=evil)), "en", URL).bibtex
    depth, ends = 0, []
    for at, letter in enumerate(made):  # as BibTeX counts: a backslash in front of a brace changes nothing
        depth += {"{": 1, "}": -1}.get(letter, 0)
        ends += [at] if depth == 0 and letter == "}" else []
    assert ends == [len(made) - 1]
    assert [line.split(" = ")[0] for line in made.splitlines() if " = " in line and line.startswith("  ")] == [
        "  author", "  title", "  howpublished", "  note", "  url",
    ]  # fmt: skip


def test_a_citation_file_reads_as_declared() -> None:
    licence = Words(zh="CC-BY-4.0", en="CC-BY-4.0")
    round_ = round_with(authors=("Doe, Jane", "yes: no\n- x"), license=licence, date=day("2026-11-30"))
    text = citation_cff(round_, "A verdict: 2.71×.", URL)
    assert text is not None
    told = yaml.safe_load(text)
    assert told["cff-version"] == "1.2.0"
    assert told["type"] == "dataset"
    assert told["authors"] == [{"family-names": "Doe", "given-names": "Jane"}, {"name": "yes: no\n- x"}]
    assert told["abstract"] == "A verdict: 2.71×."
    assert told["license"] == "CC-BY-4.0"
    assert told["url"] == URL
    assert told["date-released"] == day("2026-11-30")
    assert [one["value"] for one in told["identifiers"]] == [f"sha256:{'ab' * 32}", "r_1"]


def test_a_citation_file_without_an_address_says_which_data_are_meant() -> None:
    text = citation_cff(round_with(authors=("Doe, Jane",), date=day("2026-11-30")), "", None)
    assert text is not None
    told = yaml.safe_load(text)
    assert "url" not in told
    assert told["date-released"] == day("2026-11-30")
    assert [one["value"] for one in told["identifiers"]] == [f"sha256:{'ab' * 32}", "r_1"]


def test_without_an_author_there_is_no_citation_file() -> None:
    # The form asks for at least one; a made-up one would be a false statement.
    assert citation_cff(round_with(), "", URL) is None


def test_a_licence_is_an_id_or_words_or_none_was_declared() -> None:
    words = Words(zh="仅供内部", en="internal use only")
    assert spdx(round_with(license=Words(zh="CC0-1.0", en="CC0-1.0"))) == "CC0-1.0"
    assert spdx(round_with(license=words)) is None
    assert licence_of(round_with(license=words)).zh == "仅供内部"
    assert licence_of(round_with()).en == "none was declared by the author"
    assert "license:" not in (citation_cff(round_with(authors=("A",), license=words), "", None) or "")
