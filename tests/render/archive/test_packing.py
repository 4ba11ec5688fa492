"""The archive of a round: the same bytes for the same round, and the same report from it."""

from __future__ import annotations

import io
import os
import shutil
import zipfile
from pathlib import Path

import pytest

from generator.catalogue import load
from generator.errors import InputError
from generator.frame import Analysis
from generator.render.archive.choosing import Candidate
from generator.render.archive.citing import citation_cff
from generator.render.archive.packing import _packed as pack
from generator.render.archive.packing import archive
from generator.render.files.data import data_files
from generator.render.page import report_view
from generator.render.site import draw_figures
from generator.render.views.reports import tell
from generator.render.wording.numbers import Printer
from generator.text import LANGS
from tests.support.rounds import ROUND_TOML, write_round


def analysis_of(folder: Path) -> Analysis:
    catalogue = load()
    return catalogue.analyse(catalogue.read(folder))


def packed(folder: Path) -> zipfile.ZipFile:
    made = archive_of(folder)
    assert made is not None
    return zipfile.ZipFile(io.BytesIO(made))


def archive_of(folder: Path) -> bytes | None:
    catalogue, analysis = load(), analysis_of(folder)
    drawn = draw_figures(catalogue, analysis)
    told = tell(analysis, catalogue, drawn)
    views = {
        lang: report_view(told[0], told, catalogue.checks, drawn, Printer(analysis, catalogue.graph, lang), "")
        for lang in LANGS
    }
    computed = data_files({lang: [view] for lang, view in views.items()}, drawn)
    return archive(folder, views, computed, {}, citation_cff(analysis.round, views["en"].description, None))


def test_it_holds_the_round_what_was_computed_and_what_it_is(tmp_path: Path) -> None:
    names = packed(write_round(tmp_path / "ours")).namelist()
    assert names[0] == "ours/README.md"
    assert {
        "ours/data/report.json", "ours/data/values.csv", "ours/runs/ours/round.toml",
        "ours/runs/ours/alpha/published.csv", "ours/runs/ours/alpha/published.toml",
        "ours/runs/ours/beta/published.csv",
    } <= set(names)  # fmt: skip
    assert [name for name in names if name.endswith(".svg")] == []


def test_bytes_do_not_depend_on_when_where_and_by_whom_files_were_written(tmp_path: Path) -> None:
    first = write_round(tmp_path / "a" / "ours")
    copy = Path(shutil.copytree(first, tmp_path / "b" / "ours"))
    table = copy / "alpha" / "published.csv"
    table.chmod(0o600)
    os.utime(table, (1e9, 1e9))
    assert archive_of(first) == archive_of(copy)
    entries = packed(first).infolist()
    assert {one.date_time for one in entries} == {(1980, 1, 1, 0, 0, 0)}
    assert {one.external_attr >> 16 for one in entries} == {0o100644}


def test_it_builds_to_the_same_report_and_the_same_archive(tmp_path: Path) -> None:
    toml = ROUND_TOML + 'endpoint = "http://10.1.2.3:80"\nargv = ["serve", "--api-key", "sk-0123456789abcdef"]\n'
    first = packed(write_round(tmp_path / "ours", toml=toml))
    assert b"10.1.2.3" not in b"".join(map(first.read, first.namelist()))
    first.extractall(tmp_path / "taken")
    again = packed(tmp_path / "taken" / "ours" / "runs" / "ours")
    assert again.read("ours/data/report.json") == first.read("ours/data/report.json")
    assert again.read("ours/runs/ours/round.toml") == first.read("ours/runs/ours/round.toml")


def test_every_name_lies_below_the_folder_of_the_round(tmp_path: Path) -> None:
    folder = write_round(tmp_path / "ours", toml=ROUND_TOML.replace('origin = "transcribed"', 'archive = "all"'))
    (folder / "no\ntes\x1b.txt").write_text("", encoding="utf-8")
    made = packed(folder)
    assert not [name for name in made.namelist() if "tes" in name]
    assert made.read("ours/README.md").decode().count(r"no\ntes\x1b.txt") == 2  # left out, in each language
    for name in packed(folder).namelist():
        assert name.startswith("ours/")
        assert ".." not in name.split("/")
        assert name.isprintable()


def test_a_link_that_takes_the_place_of_a_file_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("x", encoding="utf-8")
    (tmp_path / "gpu.csv").symlink_to(secret)
    with pytest.raises(InputError, match="cannot be read"):
        pack("ours", {}, {"gpu.csv": Candidate("gpu.csv", tmp_path / "gpu.csv", 1)})


def test_an_author_can_want_none(tmp_path: Path) -> None:
    toml = ROUND_TOML.replace('origin = "transcribed"', 'archive = "none"')
    assert archive_of(write_round(tmp_path / "ours", toml=toml)) is None


def test_the_readme_says_in_both_languages_what_is_missing_and_what_was_found(tmp_path: Path) -> None:
    toml = ROUND_TOML.replace('origin = "transcribed"', 'authors = ["Doe, Jane"]\nlicense = "CC-BY-4.0"')
    folder = write_round(tmp_path / "ours", toml=toml)
    (folder / "result.bin").write_bytes(b"12345")
    whole = packed(folder)
    zh, en = whole.read("ours/README.md").decode().split("\n---\n")
    assert "`result.bin` (5 bytes): not of a form of Rounds' own" in en
    assert "`result.bin`（5 字节）：不是 Rounds 自己的文件格式" in zh
    assert "- Licence: CC-BY-4.0" in en
    assert "- Authors: Doe, Jane" in en
    assert "- 作者：Doe, Jane" in zh
    found = [one for one in analysis_of(folder).findings if one.status in ("fail", "warn")]
    assert len({one.check for one in found}) == en.partition("## What the self-checks found")[2].count("\n- **") > 0
    assert "ours/CITATION.cff" in whole.namelist()
