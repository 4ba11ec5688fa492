"""Files of requests that were damaged: whatever stands in one, its load is described, or there is one clear line."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from generator.declared.profiles import ProfileFile
from generator.errors import InputError
from generator.store.profile import read_profile
from generator.traffic.describing import profile_of
from generator.traffic.gathering import gather
from generator.traffic.keeping import profile_json
from generator.traffic.mapped import mapping_of
from generator.traffic.plan import plan_of
from generator.traffic.table import lines_of
from tests.support.loads import FILES, MAPPED
from tests.support.mutated import readable

SAMPLES: Final = {kind: (content, None) for kind, content in FILES.items()} | MAPPED
"""Kind -> the content of a file, and how its columns are named to the program."""


def described(path: Path, mapped: str | None) -> ProfileFile:
    """Do all that ``rounds profile`` does with a file, and read again what it writes."""
    traffic = gather([path], mapping_of(mapped) if mapped else None)
    profile = profile_of(traffic, 60.0)
    for fitted in (False, True):
        with suppress(InputError):  # what has no times cannot be replayed
            plan_of(traffic, profile, "plan.trace.jsonl", fitted=fitted)
    (path.parent / "profile.json").write_text(profile_json(profile))
    assert all(line.isprintable() for line in lines_of(profile))
    assert read_profile(path.parent, {})[0] == profile
    return profile


@pytest.mark.fuzz
@pytest.mark.parametrize("kind", SAMPLES)
def test_damaged_files_are_described_or_refused(kind: str, tmp_path: Path) -> None:
    content, mapped = SAMPLES[kind]

    assert readable(lambda path: described(path, mapped), content.encode(), tmp_path, kind) > 20
