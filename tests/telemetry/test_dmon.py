from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import InputError
from generator.telemetry.dmon import read
from generator.telemetry.samples import Samples

HEAD = """\
# gpu    pwr  gtemp  mtemp     sm    mem   mclk   pclk     fb  pviol  tviol
# Idx      W      C      C      %      %    MHz    MHz     MB      %   bool
"""
LINES = """\
    0    150     60      -     99     40   2600   1900   1024      0      0
    1     80     50      -     10      5   2600   1400    512     12      0
"""
AGAIN = "    0    155     61      -    100     40   2600   1800   1024      0      1\n"


def read_text(tmp_path: Path, text: str) -> Samples:
    path = tmp_path / "dmon.txt"
    path.write_text(text, encoding="utf-8")
    return read(path)


def test_headers_come_again_and_columns_are_found_by_name(tmp_path: Path) -> None:
    found = read_text(tmp_path, HEAD + LINES + HEAD + AGAIN)

    assert found.of("gpu0", "power")[1].tolist() == [150, 155]
    assert found.of("gpu0", "temperature")[1].tolist() == [60, 61]
    assert found.of("gpu0", "utilisation_gpu")[1].tolist() == pytest.approx([0.99, 1.0])
    assert found.of("gpu0", "memory_used")[1].tolist() == [2**30, 2**30]
    assert found.of("gpu1", "sm_clock")[1].tolist() == [1.4e9]
    assert (found.tool, found.clock, found.broken) == ("nvidia-smi dmon", "none", 0)


def test_violations_are_reasons(tmp_path: Path) -> None:
    found = read_text(tmp_path, HEAD + LINES + AGAIN)

    assert found.of("gpu0", "event_reasons")[1].tolist() == [0, 0x20]  # heat at the second moment
    assert found.of("gpu1", "event_reasons")[1].tolist() == [0x4]  # 12 % of the time at the limit of power


def test_old_releases_have_one_temperature(tmp_path: Path) -> None:
    found = read_text(tmp_path, "# gpu   pwr  temp\n# Idx     W     C\n    0    90    55\n")

    assert found.of("gpu0", "temperature")[1].tolist() == [55]


def test_with_dates_the_clock_is_the_local_one(tmp_path: Path) -> None:
    text = (
        "#Date       Time        gpu    pwr\n#YYYYMMDD   HH:MM:SS    Idx      W\n"
        " 20260501   09:00:00      0     90\n 20260501   09:00:03      0     91\n"
    )

    found = read_text(tmp_path, text)

    assert found.clock == "local"
    assert found.t[1] - found.t[0] == 3


def test_a_dash_is_missing(tmp_path: Path) -> None:
    found = read_text(tmp_path, "# gpu   pwr    fb\n# Idx     W    MB\n    0    90     -\n")

    assert found.missing == {"memory_used": "-"}


def test_a_line_of_another_width_is_broken(tmp_path: Path) -> None:
    assert read_text(tmp_path, HEAD + LINES + "    0    150\n").broken == 1


def test_samples_in_front_of_the_header_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="keep the lines that begin with #"):
        read_text(tmp_path, LINES)
