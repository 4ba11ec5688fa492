"""What can be taken along from the pages of a round."""

from __future__ import annotations

import pytest

from generator.render.archive.offered import told_size
from generator.text import Lang


@pytest.mark.parametrize(
    ("size", "told"),
    [(0, "1 kB"), (999, "1 kB"), (1_500, "2 kB"), (306_266, "306 kB"), (1_000_000, "1.0 MB"), (32 * 2**20, "33.6 MB")],
)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_sizes_are_told_in_thousands_of_bytes(size: int, told: str, lang: Lang) -> None:
    # 32 MiB are 33,554,432 bytes.
    assert told_size(size, lang).replace("\u202f", " ") == told
