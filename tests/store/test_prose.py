"""The folder of a round's prose: which files there may be, and how both languages keep together."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import InputError
from generator.store.prose import Vocabulary, read_prose
from generator.store.reading import read_round
from generator.told.prose import Prose
from tests.support.rounds import places, write_round

STEP = '{{ value("itl_p50", series="alpha", level="c1") }}'
VOCABULARY = Vocabulary(
    sections=frozenset({"verdict", "memory"}),
    units={("itl_p50", None): "ms", ("floor_ratio", None): "ratio", ("floor_ratio", "as_published"): "ratio"},
)


def read(
    folder: Path, files: Mapping[str, str | bytes], vocabulary: Vocabulary | None = VOCABULARY
) -> tuple[Prose, ...]:
    (folder / "prose").mkdir(parents=True)
    for name, text in files.items():
        (folder / "prose" / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_prose(folder, vocabulary)


def refusal(folder: Path, files: Mapping[str, str | bytes], vocabulary: Vocabulary | None = VOCABULARY) -> str:
    with pytest.raises(InputError) as refused:
        read(folder, files, vocabulary)
    assert "\n" not in str(refused.value)
    return str(refused.value).removeprefix(f"{folder}/prose/")


def in_both(en: str, zh: str | None = None) -> dict[str, str | bytes]:
    return {"verdict.en.md": en, "verdict.zh.md": zh if zh is not None else en}


def test_a_round_without_the_folder_has_no_prose(tmp_path: Path) -> None:
    assert read_prose(tmp_path) == ()


def test_texts_are_found_by_section_and_language(tmp_path: Path) -> None:
    texts = read(tmp_path, {"verdict.en.md": "yes", "verdict.zh.md": "是", ".verdict.en.md.swp": "5"})

    assert [(prose.section, prose.lang, prose.source) for prose in texts] == [
        ("verdict", "en", "yes"),
        ("verdict", "zh", "是"),
    ]


def test_a_round_carries_its_prose(tmp_path: Path) -> None:
    folder = write_round(tmp_path / "round")
    read(folder, in_both(f"A step takes {STEP}.", f"一步要 {STEP}。"))
    round_ = read_round(folder, places(), VOCABULARY)

    found = round_.prose_of("verdict", "zh")

    assert found is not None
    assert found.references[0].name == "itl_p50"
    assert round_.prose_of("memory", "zh") is None


@pytest.mark.parametrize(
    ("files", "words"),
    [
        pytest.param(
            {"verdict.md": ""}, "verdict.md: the name does not say section and language; name it", id="no lang"
        ),
        pytest.param({"verdict.de.md": ""}, "verdict.de.md: the name does not say section", id="another language"),
        pytest.param({"notes.txt": ""}, "notes.txt: the name does not say section", id="no Markdown"),
        pytest.param({".en.md": "", "verdict.en.md": ""}, "verdict.zh.md: this language is missing; write", id="alone"),
        pytest.param(
            {"verdikt.en.md": "", "verdikt.zh.md": ""},
            "verdikt.en.md: there is no section 'verdikt'; did you mean 'verdict'?",
            id="no section",
        ),
        pytest.param(in_both("a\nb 5"), "verdict.en.md, line 2: '5' is typed; quote the number with", id="digit"),
        pytest.param(in_both("a", "a\n两倍"), "verdict.zh.md, line 2: '两' is typed", id="number word"),
        pytest.param(
            in_both(f"x\n{STEP}", "x"),
            'verdict.en.md, line 2: \'value("itl_p50", series="alpha", level="c1")\' is quoted more often than in the '
            "other language; quote the same data in both languages",
            id="quoted in English only",
        ),
        pytest.param(
            in_both('{{ series("a") }}', '{{ series("a") }}{{ series("a") }}'),
            "verdict.zh.md, line 1: 'series(\"a\")' is quoted more often",
            id="quoted twice in Chinese",
        ),
        pytest.param(
            in_both('{{ typed("28 layers") }}', '{{ typed("29 层") }}'),
            "line 1: 'typed(\"29 层\")' is quoted more often",
            id="marked numbers differ",
        ),
        pytest.param(
            in_both('{{ value("itl_p50", series="a", unit="GiB") }}'),
            "verdict.en.md, line 1: 'itl_p50' cannot be printed in GiB; it is measured in ms",
            id="a unit of something else",
        ),
        pytest.param(
            in_both('{{ value("itl_p50", series="a", style="percent") }}'),
            "'itl_p50' cannot be printed in the style percent; it is measured in ms; leave the style out",
            id="a style of something else",
        ),
        pytest.param(
            in_both('a\n{{ value("itl_p5O", series="a") }}'),
            "verdict.en.md, line 2: there is no metric 'itl_p5O'; did you mean 'itl_p50'?",
            id="a metric misspelt",
        ),
        pytest.param(
            in_both('{{ value("floor_ratio", basis="as_publised") }}'),
            "'floor_ratio' has no basis 'as_publised'; did you mean 'as_published'?",
            id="a basis misspelt",
        ),
        pytest.param(
            in_both('{{ value("itl_p50", unit="furlong") }}'),
            "line 1: there is no unit 'furlong'; known here",
            id="no unit",
        ),
        pytest.param(
            in_both("x") | {"verdict.en.md": b"a\n\xff"}, "verdict.en.md, line 2: byte 0xff is not UTF-8", id="bytes"
        ),
    ],
)
def test_what_cannot_be_used_is_said_in_one_line(tmp_path: Path, files: dict[str, str | bytes], words: str) -> None:
    assert words in refusal(tmp_path, files)


@pytest.mark.parametrize(
    ("en", "zh"),
    [
        (f'{STEP} and {{{{ series("a") }}}}', f'{{{{ series("a") }}}} {STEP}'),
        ('{{ typed("Three") }} things', "事"),
        ('{{ typed("28 layers") }}', '{{ typed("28 层") }}'),
        ('{{ value("itl_p50", unit="s") }}', '{{ value("itl_p50", unit="s") }}'),
        ('{{ value("floor_ratio", style="percent") }}', '{{ value("floor_ratio", style="percent") }}'),
        (
            '{{ value("floor_ratio", decimals=1, style="times") }}',
            '{{ value("floor_ratio", style="times", decimals=1) }}',
        ),
    ],
)
def test_languages_may_differ_in_order_and_words(tmp_path: Path, en: str, zh: str) -> None:
    assert len(read(tmp_path, in_both(en, zh))) == 2


def test_without_a_vocabulary_any_section_and_unit_is_taken(tmp_path: Path) -> None:
    text = '{{ value("itl_p50", unit="GiB") }}'

    assert read(tmp_path, {"any.en.md": text, "any.zh.md": text}, None)[0].section == "any"


def test_links_lead_nowhere_and_not_out_of_the_round(tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("secret", encoding="utf-8")
    folder = tmp_path / "round"
    (folder / "prose").mkdir(parents=True)
    link = folder / "prose" / "verdict.en.md"
    for target, words in (("nowhere", "is a link to nowhere"), ("../../outside.md", "leads out of the round's folder")):
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        with pytest.raises(InputError, match=words):
            read_prose(folder)


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "prose").touch()

    with pytest.raises(InputError, match=re.escape("cannot be read")):
        read_prose(tmp_path)


def test_a_folder_in_place_of_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "prose" / "verdict.en.md").mkdir(parents=True)

    with pytest.raises(InputError, match="is a folder where a file should be"):
        read_prose(tmp_path)


@given(text=st.text(max_size=60) | st.binary(max_size=60))
def test_any_file_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str | bytes) -> None:
    content = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    try:
        texts = read(tmp_path_factory.mktemp("round"), {"verdict.en.md": content, "verdict.zh.md": content})
    except InputError:
        return
    assert len(texts) == 2
