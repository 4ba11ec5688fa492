from __future__ import annotations

import mmap
import os
from pathlib import Path

import pytest

from generator.collect.engine_process import page_cache
from generator.collect.engine_process.page_cache import PageCache, dropped, page_cache_of

PAGES = 64


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    with path.open("wb") as file:
        file.write(b"x" * (PAGES * mmap.PAGESIZE - 10))
        file.flush()
        os.fsync(file.fileno())
    return path


def drop(path: Path) -> None:
    with path.open("rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def test_a_file_that_was_just_written_is_warm(model: Path) -> None:
    assert page_cache_of([model]) == PageCache("warm", 1.0, PAGES * mmap.PAGESIZE - 10)


def test_one_that_was_dropped_is_cold(model: Path) -> None:
    drop(model)
    found = page_cache_of([model])
    if found.state == "warm":
        pytest.skip("a file system that lives in memory drops nothing")
    assert (found.state, found.resident) == ("cold", 0.0)


def test_files_are_dropped_and_what_was_reached_is_looked_at(model: Path) -> None:
    found = dropped([model.parent])
    if found.state == "warm":
        pytest.skip("a file system that lives in memory drops nothing")
    size = PAGES * mmap.PAGESIZE - 10
    assert found == PageCache("cold", 0.0, size, asked="dropped", before=1.0)
    assert model.read_bytes() == b"x" * size  # dropped from memory, not from the disk


def test_what_somebody_holds_stays_and_is_said_to(model: Path) -> None:
    with model.open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as held:
        assert held[:: mmap.PAGESIZE].count(b"x") == PAGES  # every page is touched, and mapped
        found = dropped([model])
    assert (found.asked, found.state, found.before) == ("dropped", "warm", 1.0)


def test_without_files_there_is_nothing_to_drop() -> None:
    why = "no model file is named"
    assert dropped([]) == PageCache("unknown", reason=why, asked="dropped", not_dropped=why)


def test_a_file_that_is_gone_cannot_be_dropped(tmp_path: Path) -> None:
    assert dropped([tmp_path / "missing.gguf"]).not_dropped == "a file cannot be dropped (No such file or directory)"


def test_of_a_warm_and_a_cold_file_half_is_there(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = model.with_name("other.gguf")
    other.write_bytes(model.read_bytes())
    size = model.stat().st_size
    monkeypatch.setattr(page_cache, "_resident", lambda file, size: size if file == model else 0)
    assert page_cache_of([model.parent]) == PageCache("partly", 0.5, 2 * size)


def test_a_large_file_is_looked_at_in_windows(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "WINDOW", 3 * mmap.ALLOCATIONGRANULARITY)
    assert page_cache_of([model]).resident == 1.0


@pytest.mark.parametrize(
    ("paths", "reason"),
    [
        ([], "no model file is named"),
        (["missing.gguf"], "the files cannot be looked at (No such file or directory)"),
        (["empty"], "there are no model files"),
    ],
)
def test_what_cannot_be_told_is_unknown(paths: list[str], reason: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert page_cache_of([tmp_path / path for path in paths]) == PageCache("unknown", reason=reason)


def test_of_files_of_others_the_system_tells_nothing(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "_may_ask", lambda _: False)
    assert page_cache_of([model]).state == "unknown"
