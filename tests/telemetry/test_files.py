"""Which reader takes a file; and that whatever bytes it holds, the answer is samples or one clear line."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import InputError
from generator.telemetry.files import SAMPLE_FILES, lies_beside, read_samples
from generator.telemetry.samples import Samples
from generator.telemetry.statistics import STATISTICS
from tests.support.mutated import readable
from tests.support.sampled import QUERY, put_samples
from tests.telemetry.test_dmon import HEAD, LINES
from tests.telemetry.test_query_text import LOG
from tests.telemetry.test_query_xml import DOCUMENT

TEXTS = {"query": QUERY, "dmon": HEAD + LINES, "text": LOG, "xml": DOCUMENT}


def parquet() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        lines = [(float(t), "gpu0", {"power": 60.0 + t}) for t in range(20)]
        return put_samples(Path(folder) / "samples.parquet", lines).read_bytes()


KINDS = {name: text.encode() for name, text in TEXTS.items()} | {"parquet": parquet()}


@pytest.mark.parametrize(
    ("kind", "tool"),
    [
        ("query", "nvidia-smi --query-gpu"),
        ("dmon", "nvidia-smi dmon"),
        ("text", "nvidia-smi -q"),
        ("xml", "nvidia-smi -q -x"),
        ("parquet", "rounds collect"),
    ],
)
@pytest.mark.parametrize("name", SAMPLE_FILES)
def test_a_file_is_taken_by_its_content_whatever_its_name(tmp_path: Path, kind: str, tool: str, name: str) -> None:
    (tmp_path / name).write_bytes(KINDS[kind])

    assert read_samples(tmp_path / name).tool == tool


def test_the_table_for_people_is_refused_with_what_to_run(tmp_path: Path) -> None:
    path = tmp_path / "nvidia-smi-q.txt"
    path.write_text("+-----+\n| NVIDIA-SMI 580.1    Driver Version: 580.1   |\n", encoding="utf-8")

    with pytest.raises(InputError, match="prints for people; sample with nvidia-smi --query-gpu"):
        read_samples(path)


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "dmon.txt").write_text("hello\n", encoding="utf-8")

    with pytest.raises(InputError, match="of no kind of GPU samples"):
        read_samples(tmp_path / "dmon.txt")


def test_names_of_what_lies_beside_a_run() -> None:
    assert all(map(lies_beside, [*SAMPLE_FILES, "metrics-before.prom", "metrics-after.prom", "metrics-12.prom"]))
    assert not any(map(lies_beside, ["result.json", "metrics.prom", "metrics-12.prom.bak", "gpu.csv.json"]))


def without_nan(path: Path) -> Samples:
    samples = read_samples(path)
    numbers = [statistic.compute(samples, None) for statistic in STATISTICS.values()]
    assert all(number is None or number == number for number in numbers)  # noqa: PLR0124  # never NaN
    return samples


def error_of(path: Path) -> str:
    """Return what is said of a file that is not read; nothing of one that is."""
    try:
        without_nan(path)
    except InputError as error:
        return str(error)
    return ""


def samples_or_one_line(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "gpu.csv"
        path.write_bytes(data)
        assert "\n" not in error_of(path)


@given(data=st.binary(max_size=300))
def test_any_bytes_are_samples_or_one_clear_line(data: bytes) -> None:
    samples_or_one_line(data)


@pytest.mark.fuzz
@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files_are_samples_or_one_clear_line(kind: str, tmp_path: Path) -> None:
    assert readable(without_nan, KINDS[kind], tmp_path, "gpu.csv") > 0


@given(kind=st.sampled_from(sorted(KINDS)), end=st.integers(0, 5000))
def test_files_that_break_off_are_samples_or_one_clear_line(kind: str, end: int) -> None:
    samples_or_one_line(KINDS[kind][: end % len(KINDS[kind])])


def test_a_line_without_an_end_is_not_held_whole(tmp_path: Path) -> None:
    path = tmp_path / "gpu.csv"
    path.write_text(QUERY + "9" * 300_000 + "\n" + QUERY.splitlines()[1] + "\n", encoding="utf-8")

    found = read_samples(path)

    assert found.broken == 1
    assert len(found.of("gpu0", "power")[1]) == 5
