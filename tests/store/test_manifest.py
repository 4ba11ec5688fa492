from __future__ import annotations

import hashlib
import json
import os
from io import BufferedReader
from pathlib import Path

import pytest

from generator.errors import InputError
from generator.model import Integrity
from generator.store.manifest import Seen, check_integrity, data_sha256, hash_data, is_broken, write_manifest
from generator.store.reading import read_round
from tests.support.rounds import ALPHA_CSV, places, write_round

DATA = ["alpha/published.csv", "alpha/published.toml", "beta/published.csv"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_round(tmp_path / "round")


def test_data_are_hashed_and_what_authors_edit_is_not(folder: Path) -> None:
    for beside in ("prose/verdict.en.md", ".git/config", "alpha/.partial", "MANIFEST.json"):
        (folder / beside).parent.mkdir(exist_ok=True)
        (folder / beside).write_text("{}", encoding="utf-8")
    hashes = hash_data(folder)
    assert list(hashes) == DATA
    assert hashes["alpha/published.csv"] == hashlib.sha256(ALPHA_CSV.encode()).hexdigest()


def test_only_the_text_folder_of_the_round_itself_is_left_out(folder: Path) -> None:
    (folder / "alpha" / "prose").mkdir()
    (folder / "alpha" / "prose" / "notes").touch()
    assert "alpha/prose/notes" in hash_data(folder)


def test_one_hash_stands_for_names_and_contents(folder: Path) -> None:
    lines = "".join(f"{digest}  {path}\n" for path, digest in hash_data(folder).items())
    assert data_sha256(folder) == hashlib.sha256(lines.encode()).hexdigest()
    before = data_sha256(folder)
    (folder / "beta" / "published.csv").rename(folder / "beta" / "other.csv")
    assert data_sha256(folder) != before


def test_links_out_and_fifos_are_not_followed(folder: Path) -> None:
    (folder.parent / "secret").mkdir()
    (folder.parent / "secret" / "key").touch()
    (folder / "alpha" / "key").symlink_to(folder.parent / "secret" / "key")
    (folder / "alpha" / "secret").symlink_to(folder.parent / "secret")
    (folder / "alpha" / "nowhere").symlink_to("nowhere")
    (folder / "alpha" / "inside").symlink_to("../beta/published.csv")
    os.mkfifo(folder / "alpha" / "fifo")
    assert list(hash_data(folder)) == ["alpha/inside", *DATA]


def test_sealed_data_are_intact(folder: Path) -> None:
    write_manifest(folder)
    assert read_round(folder, places()).integrity == Integrity("intact")


def test_the_manifest_says_who_wrote_it(folder: Path) -> None:
    write_manifest(folder)
    sealed = json.loads((folder / "MANIFEST.json").read_text(encoding="utf-8"))
    assert sealed["schema"] == 1
    assert sealed["tool"].startswith("rounds ")
    assert sealed["files"] == hash_data(folder)


def test_the_same_data_give_the_same_manifest(folder: Path) -> None:
    write_manifest(folder)
    once = (folder / "MANIFEST.json").read_bytes()
    write_manifest(folder)
    assert (folder / "MANIFEST.json").read_bytes() == once


def test_who_seals_again_reads_only_what_is_new_or_touched(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: Seen = {}
    write_manifest(folder, seen)
    (folder / "beta" / "new.csv").write_text("a\n", encoding="utf-8")
    (folder / "alpha" / "published.csv").write_text(ALPHA_CSV.replace("15.83", "15.82"), encoding="utf-8")  # same size
    read: list[str] = []
    digest = hashlib.file_digest

    def counted(file: BufferedReader, name: str) -> object:
        read.append(Path(file.name).name)
        return digest(file, name)

    monkeypatch.setattr(hashlib, "file_digest", counted)
    write_manifest(folder, seen)

    assert read == ["published.csv", "new.csv"]
    assert check_integrity(folder) == Integrity("intact")


def test_changed_new_and_lost_files_are_named(folder: Path) -> None:
    write_manifest(folder)
    (folder / "alpha" / "published.csv").write_text(ALPHA_CSV.replace("15.83", "15.82"), encoding="utf-8")
    (folder / "alpha" / "published.toml").unlink()
    (folder / "beta" / "new\x1b.csv").touch()
    changed = ("alpha/published.csv", "alpha/published.toml", r"beta/new\x1b.csv")
    assert check_integrity(folder) == Integrity("changed", changed)


def test_the_authors_own_files_may_change(folder: Path) -> None:
    write_manifest(folder)
    with (folder / "round.toml").open("a", encoding="utf-8") as file:
        file.write("# a remark\n")
    assert check_integrity(folder) == Integrity("intact")


def test_a_name_that_is_not_text_is_hashed_too(folder: Path) -> None:
    (folder / "alpha" / os.fsdecode(b"\xff.csv")).touch()
    write_manifest(folder)
    assert check_integrity(folder) == Integrity("intact")


def test_a_name_cannot_pass_for_another(folder: Path) -> None:
    (folder / "alpha" / "a\x1b").touch()
    (folder / "alpha" / r"a\x1b").touch()
    assert [name for name in hash_data(folder) if "1b" in name] == [r"alpha/a\\x1b", r"alpha/a\x1b"]


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"schema": "1"}', "[" * 9000, '{"schema": 1, "tool": "", "files": []}']
)
def test_a_manifest_that_is_none_is_refused(content: str, folder: Path) -> None:
    (folder / "MANIFEST.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"MANIFEST\.json: is not a manifest that Rounds wrote; restore it, or delete"):
        check_integrity(folder)


@pytest.mark.parametrize("schema", [0, -5])
def test_a_schema_that_never_was_is_none(schema: int, folder: Path) -> None:
    (folder / "MANIFEST.json").write_text(f'{{"schema": {schema}, "tool": "", "files": {{}}}}', encoding="utf-8")
    assert is_broken(folder)


def test_a_manifest_of_a_newer_rounds_is_not_broken_whatever_it_holds(folder: Path) -> None:
    (folder / "MANIFEST.json").write_text('{"schema": 7, "roots": []}', encoding="utf-8")
    with pytest.raises(InputError, match="schema: written by a newer Rounds; update Rounds to read it"):
        is_broken(folder)


def test_neither_no_manifest_nor_a_good_one_is_broken(folder: Path) -> None:
    assert not is_broken(folder)
    write_manifest(folder)
    assert not is_broken(folder)


def test_a_file_that_cannot_be_looked_at_is_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(path: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "is_file", forbidden)
    with pytest.raises(
        InputError, match=r"published\.csv: cannot be read \(Permission denied\); check its permissions"
    ):
        hash_data(folder)
