from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from generator.declared.round_tables import RoundFile
from generator.declared.table_types import Words
from generator.errors import InputError
from generator.store.round_file import read_round_file
from generator.text import Text, same
from tests.support.rounds import ROUND_TOML, write_round


def test_lists_and_dates_are_read(tmp_path: Path) -> None:
    toml = ROUND_TOML.replace("baseline", "date = 2026-08-15\nbaseline", 1) + 'argv = ["-np", "64"]\n'
    file = read_round_file(write_round(tmp_path / "round", toml=toml))
    assert file.round.date == datetime.date(2026, 8, 15)
    assert file.series[1].argv == ("-np", "64")


def test_a_date_may_be_words(tmp_path: Path) -> None:
    toml = ROUND_TOML.replace("baseline", 'date = "08-15 / 08-24"\nbaseline', 1)
    assert read_round_file(write_round(tmp_path / "round", toml=toml)).round.when == same("08-15 / 08-24")


WORDS = (("[round]", "source"), ("[round]", "date"), ("[hardware]", "gpu"), ("[workload]", "dataset"),
         ("[workload]", "seed_policy"))  # fmt: skip


def held_by(file: RoundFile, table: str, key: str) -> Text:
    if key == "date":
        return file.round.when or same("")
    held = getattr(getattr(file, table[1:-1]), key)
    assert isinstance(held, Words)
    return held.text()


@pytest.mark.parametrize(("table", "key"), WORDS)
@pytest.mark.parametrize(
    ("written", "read"),
    [('"a name"', same("a name")), ('{zh = "两个词", en = "two words"}', Text(zh="两个词", en="two words"))],
)
def test_what_is_said_in_words_is_one_text_or_one_for_each_language(
    table: str, key: str, written: str, read: Text, tmp_path: Path
) -> None:
    file = read_round_file(write_round(tmp_path / "round", toml=with_key(table, f"{key} = {written}")))
    assert held_by(file, table, key) == read


@pytest.mark.parametrize(("table", "key"), WORDS)
@pytest.mark.parametrize(
    ("written", "line"),
    [
        ('{zh = "两个词"}', "{}.en: is missing; add it"),
        ('{en = "two words"}', "{}.zh: is missing; add it"),
        ('{zh = "两个词", en = ""}', "{}.en: expected at least 1 character, found ''"),
        ('{zh = "两个词", en = 2}', "{}.en: expected text in quotes, found 2"),
        ('{zh = "两个词", en = "two words", fr = "deux mots"}', "{}.fr: there is no such key"),
        ('["two", "words"]', "{}: expected {}, found a list; correct the value"),
        ("2", "{}: expected {}, found 2; correct the value"),
        ('""', "{}: expected {empty}, found ''; correct the value"),
    ],
)
def test_words_that_are_neither_get_one_line(table: str, key: str, written: str, line: str, tmp_path: Path) -> None:
    folder = write_round(tmp_path / "round", toml=with_key(table, f"{key} = {written}"))
    kinds = "a date or text" if key == "date" else "text in quotes, or text for zh and for en"
    empty = "a date or text" if key == "date" else "at least 1 character"
    with pytest.raises(InputError) as refused:
        read_round_file(folder)
    assert str(refused.value).startswith(f"{folder / 'round.toml'}, {table} {line.format(key, kinds, empty=empty)}")


def with_key(table: str, line: str) -> str:
    """Return a round.toml in which a table says one thing more, or says it otherwise."""
    key = line.partition(" ")[0]
    before, heading, behind = ROUND_TOML.partition(f"{table}\n")
    own, bracket, others = behind.partition("\n[")
    kept = [one for one in own.splitlines() if not one.startswith(f"{key} ")]
    return before + heading + "\n".join([line, *kept]) + bracket + others


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('id = "beta"\n', "", "[[series]] number 2, id: is missing; add it"),
        ('gpu = "RTX 4090"', 'gpu = ""', "[hardware] gpu: expected at least 1 character, found ''"),
        ('"Two engines"', '"' + "x" * 201 + '"', "[round] title.en: expected at most 200 characters, found 'xxx"),
        ('"transcribed"', '"guessed"', "[round] origin: expected one of 'measured' or 'transcribed', found 'guessed'"),
        ("layers = 28", "layers = 1e19", "[model] layers: expected a number not above 1e+18, found 1e+19"),
        ("layers = 28", "layers = [28]", "[model] layers: expected a number, found a list"),
        ("layers = 28", "layers = 1979-05-27", "[model] layers: expected a number, found 1979-05-27"),
        ("input_tokens = 1024", "ignore_eos = 1", "[workload] ignore_eos: expected true or false, found 1"),
        ('engine = "vLLM"', "embedding_bytes = -1", "[[series]] alpha, embedding_bytes: expected a number not below 0"),
        ('engine = "vLLM"', 'argv = "-np 64"', "[[series]] alpha, argv: expected a list, found '-np 64'"),
        ('engine = "vLLM"', "argv = [64]", "[[series]] alpha, argv: expected text in quotes, found 64"),
        ('engine = "vLLM"', '"a\\u001Bb" = 1', r"[[series]] alpha, a\x1bb: there is no such key; known here: argv, "),
        ("[model]", "[[model]]", "[model]: expected a table, found a list"),
        ('[model]\nname = "Model"', "[modle]", "modle: there is no such key; did you mean 'model'?"),
        ("schema = 1", "schema = true", "schema: expected a whole number from 1 on; write schema = 1"),
    ],
)
def test_each_objection_names_the_key(old: str, new: str, line: str, tmp_path: Path) -> None:
    assert old in ROUND_TOML
    folder = write_round(tmp_path / "round", toml=ROUND_TOML.replace(old, new, 1))
    with pytest.raises(InputError) as refused:
        read_round_file(folder)
    assert str(refused.value).startswith(f"{folder / 'round.toml'}, {line}")


def test_a_round_needs_a_series(tmp_path: Path) -> None:
    before = ROUND_TOML.partition("[[series]]")[0]
    folder = write_round(tmp_path / "round", toml=before.replace("schema = 1", "schema = 1\nseries = []"))
    with pytest.raises(InputError, match=r"round\.toml, \[\[series\]\]: expected at least one entry, found a list"):
        read_round_file(folder)


@pytest.mark.parametrize(
    ("beside", "line"),
    [
        ("notes", "has no round.toml; write one, or move the folder out of runs/"),
        (".import-abc", "has no round.toml: an import into it was cut off; import again"),
    ],
)
def test_a_folder_without_one_says_whether_an_import_was_cut_off(tmp_path: Path, beside: str, line: str) -> None:
    (tmp_path / "round" / beside).mkdir(parents=True)
    with pytest.raises(InputError) as refused:
        read_round_file(tmp_path / "round")
    assert str(refused.value) == f"{tmp_path / 'round'}: {line}"
