from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from generator.errors import InputError
from generator.telemetry.query_csv import read
from generator.telemetry.samples import Samples
from tests.support.sampled import QUERY


def read_text(tmp_path: Path, text: str) -> Samples:
    path = tmp_path / "gpu.csv"
    path.write_text(text, encoding="utf-8")
    return read(path)


def test_units_may_stand_in_the_header_and_in_the_cells(tmp_path: Path) -> None:
    found = read_text(tmp_path, QUERY)

    at, power = found.of("gpu0", "power")
    assert power.tolist() == [200, 220, 240, 260]
    assert np.diff(at).tolist() == [1, 1, 2]
    assert found.of("gpu0", "sm_clock")[1].tolist() == [1.5e9, 1.5e9, 9e8, 6e8]
    assert found.of("gpu0", "memory_used")[1].tolist() == [2**30, 2**31, 2**31, 2**30]
    assert found.of("gpu0", "event_reasons")[1].tolist() == [0, 4, 36, 1]
    assert (found.tool, found.clock, found.broken) == ("nvidia-smi --query-gpu", "local", 0)


def test_of_a_number_that_is_cut_off_with_its_line_half_is_no_number(tmp_path: Path) -> None:
    # A line of which 2^16 characters count ends within the last cell, behind the first two of its three digits.
    head, row = "timestamp, index, utilization.gpu, name, power.draw [W]\n", "2026-05-01T09:00:00Z, 0, 50, {}, 200"
    name = "x" * (2**16 - len(row.format("")) + 1)

    found = read_text(tmp_path, f"{head}{row.format(name)}\n{row.format('a GPU')}\n")

    assert found.of("gpu0", "utilisation_gpu")[1].tolist() == [0.5, 0.5]
    assert found.of("gpu0", "power")[1].tolist() == [200]


def test_without_units_the_header_or_the_field_tells_them(tmp_path: Path) -> None:
    text = "timestamp, power.draw [W], memory.used [GiB], utilization.gpu\n2026-05-01T09:00:00Z, 200, 2, 50\n"

    found = read_text(tmp_path, text)

    assert found.clock == "utc"
    assert [found.of("gpu", name)[1].tolist() for name in ("power", "memory_used", "utilisation_gpu")] == [
        [200], [2 * 2**30], [0.5],
    ]  # fmt: skip


@pytest.mark.parametrize("word", ["[N/A]", "N/A", "[Not Supported]", "[Unknown Error]"])
def test_what_is_not_supported_is_missing_and_not_0(tmp_path: Path, word: str) -> None:
    found = read_text(tmp_path, f"index, power.draw [W], memory.used [MiB]\n0, 12.0 W, {word}\n")

    assert len(found.of("gpu0", "memory_used")[1]) == 0
    assert found.missing == {"memory_used": word}


def test_the_first_draw_that_is_a_number_counts(tmp_path: Path) -> None:
    text = "index, power.draw [W], power.draw.instant [W]\n0, [N/A], 90 W\n0, 80 W, 95 W\n"

    assert read_text(tmp_path, text).of("gpu0", "power")[1].tolist() == [90, 80]


@pytest.mark.parametrize(
    "header",
    ["clocks.sm [MHz], clocks_throttle_reasons.active", "clocks.current.sm [MHz], clocks_event_reasons.active"],
)
def test_names_of_old_and_new_releases_are_the_same(tmp_path: Path, header: str) -> None:
    found = read_text(tmp_path, f"{header}\n1200 MHz, 0x0000000000000040\n")

    assert found.of("gpu", "sm_clock")[1].tolist() == [1.2e9]
    assert found.of("gpu", "event_reasons")[1].tolist() == [64]


def test_reasons_may_stand_in_columns_of_their_own(tmp_path: Path) -> None:
    header = (
        "clocks_event_reasons.gpu_idle, clocks_event_reasons.sw_power_cap, clocks_event_reasons.sw_thermal_slowdown"
    )

    found = read_text(tmp_path, f"{header}\nNot Active, Active, Active\nActive, Not Active, Not Active\n")

    # 0x4 + 0x20, then 0x1
    assert found.of("gpu", "event_reasons")[1].tolist() == [36, 1]


def test_gpus_are_told_apart_and_their_identities_hidden(tmp_path: Path) -> None:
    text = "uuid, power.draw [W]\nGPU-aaaa, 100 W\nGPU-bbbb, 200 W\nGPU-aaaa, 102 W\n"

    found = read_text(tmp_path, text)

    first, second = found.devices
    assert found.of(first, "power")[1].tolist() == [100, 102]
    assert found.of(second, "power")[1].tolist() == [200]
    assert not any("aaaa" in device or "bbbb" in device for device in found.devices)


def test_without_a_time_samples_are_counted(tmp_path: Path) -> None:
    found = read_text(tmp_path, "index, power.draw [W]\n0, 100 W\n0, 101 W\n")

    assert (found.clock, found.t.tolist()) == ("none", [0, 1])


def test_broken_lines_are_counted_and_headers_that_come_again_are_not(tmp_path: Path) -> None:
    header, first, *_ = QUERY.splitlines()

    found = read_text(tmp_path, "\n".join([header, first, "", "half a li", header, first.replace("09:00:00", "never")]))

    assert found.broken == 2
    assert found.of("gpu0", "power")[1].tolist() == [200]


def test_a_file_of_powershell_is_read(tmp_path: Path) -> None:
    path = tmp_path / "gpu.csv"
    path.write_bytes(QUERY.replace("\n", "\r\n").encode("utf-16"))

    assert read(path).of("gpu0", "power")[1].tolist() == [200, 220, 240, 260]


def test_a_file_without_a_header_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nobody knows which column is what; .*without noheader"):
        read_text(tmp_path, QUERY.split("\n", 1)[1])


def test_a_header_alone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no sample"):
        read_text(tmp_path, QUERY.split("\n", 1)[0] + "\n")


def test_more_samples_than_any_run_leaves_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.telemetry.samples.MOST_VALUES", 10)

    with pytest.raises(InputError, match="holds more than 10 numbers"):
        read_text(tmp_path, QUERY)
