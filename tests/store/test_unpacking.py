from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pyarrow as pa
import pytest

from generator.errors import InputError
from generator.store import unpacking
from generator.store.files import HEAD
from generator.store.unpacking import PIECE, pieces, unpacked_head

TEXT = b'{"a": "\xe4\xbd\xa0\xe5\xa5\xbd"}\n' * 9


def zipped(members: Mapping[str, bytes]) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return sink.getvalue()


def read(folder: Path, data: bytes) -> bytes:
    path = folder / "x"
    path.write_bytes(data)
    return b"".join(pieces(path))


def refusal(folder: Path, data: bytes) -> InputError:
    with pytest.raises(InputError) as caught:
        read(folder, data)
    return caught.value


@pytest.mark.parametrize(
    "pack",
    [bytes, gzip.compress, bz2.compress, lzma.compress, lambda data: zipped({"results/a.json": data})],
    ids=["plain", "gzip", "bzip2", "xz", "zip"],
)
def test_a_packed_file_is_its_content(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    assert read(tmp_path, pack(TEXT)) == TEXT


def test_a_file_of_zstd_is_its_content(tmp_path: Path) -> None:
    with pa.output_stream(str(tmp_path / "x"), compression="zstd") as stream:
        stream.write(TEXT)
    assert b"".join(pieces(tmp_path / "x")) == TEXT


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_becomes_utf_8(tmp_path: Path, encoding: str) -> None:
    text = "\ufeff" + TEXT.decode() + "x" * PIECE  # a character may begin in one piece and end in the next
    assert read(tmp_path, text.encode(encoding)) == text.removeprefix("\ufeff").encode()


def test_an_archive_of_several_files_names_them(tmp_path: Path) -> None:
    error = refusal(tmp_path, zipped({f"{name}.json": TEXT for name in "abcdef"}))
    assert error.problem == "is an archive of 6 files ('a.json', 'b.json', 'c.json', 'd.json' and 2 more)"
    assert error.remedy == "unpack it, and name the files or their folder"


def test_folders_of_an_archive_are_no_members(tmp_path: Path) -> None:
    assert read(tmp_path, zipped({"results/": b"", "results/a.json": TEXT})) == TEXT


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, lambda data: zipped({"a": data})])
def test_what_was_cut_off_is_called_damaged(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    error = refusal(tmp_path, pack(TEXT)[:-12])
    assert error.problem == "is packed, and cannot be unpacked: it is damaged, cut off or encrypted"


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "UNSUSPICIOUS", 2**20)
    error = refusal(tmp_path, gzip.compress(bytes(2**22), 9))  # zeros pack to a thousandth: 4 MiB to 4 KiB
    assert error.problem.startswith(f"unpacks to more than {max(2**20, 250 * (tmp_path / 'x').stat().st_size)} bytes")


def test_what_packs_as_results_do_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "UNSUSPICIOUS", 0)
    lines = b"".join(b'{"n": %d}\n' % n for n in range(50_000))
    assert read(tmp_path, gzip.compress(lines)) == lines


def test_progress_counts_the_bytes_of_the_file_itself(tmp_path: Path) -> None:
    packed = gzip.compress(bytes(range(256)) * 4096)
    (tmp_path / "x").write_bytes(packed)
    told: list[int] = []
    for _ in pieces(tmp_path / "x", told.append):
        pass
    assert sum(told) == len(packed)


def test_the_head_is_of_the_content(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + b"y" * (HEAD + 9)))
    assert unpacked_head(path) == b"y" * (HEAD - 3)  # the mark is three of the bytes that were read
    path.write_bytes(b"")
    assert unpacked_head(path) == b""
