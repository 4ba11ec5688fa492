from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.errors import InputError
from generator.runs.imported import Reported, Run
from generator.store.level_file import LEVEL_FILE, Original, level_json, read_level_file
from tests.support.toy_runs import requests_of

ORIGINAL = Original(
    file="c8.json", sha256="ab" * 32, bytes=1234, place="object 2", path="day/c8", written="2026-03-01T10:15:00+00:00"
)
RUN = Run(
    tool="vllm bench serve",
    tool_version="0.33.0",
    test="pp512",
    place="object 2",
    started="2026-11-29T16:18:42",
    model="acme/小模型-8B",
    engine="openai",
    concurrency=8.0,
    swept={"max_num_seqs": "4"},
    summary={"backend": "openai", "burstiness": 1.0, "label": None, "streaming": True},
    struck_out=("generated_texts",),
    damaged_texts=1,
    reported=(Reported("ttft_p50", "median_ttft_ms", "ms", 250.0),),
)


def write(folder: Path, run: Run) -> Path:
    (folder / LEVEL_FILE).write_bytes(level_json(run, ORIGINAL))
    return folder


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    file = read_level_file(write(tmp_path, RUN), tmp_path)

    assert file.run() == RUN
    assert file.original == ORIGINAL


def test_what_requests_died_of_is_kept(tmp_path: Path) -> None:
    run = Run("toy", requests=requests_of([(0.0, 0.2, [])], failed=2))

    assert read_level_file(write(tmp_path, run), tmp_path).errors == {"ClientOSError": 2}


def test_the_file_is_strict_json(tmp_path: Path) -> None:
    text = (write(tmp_path, RUN) / LEVEL_FILE).read_text(encoding="utf-8")
    assert json.loads(text, parse_constant=pytest.fail)["model"] == "acme/小模型-8B"


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"schema": 2}, "schema"),
        ({"concurrency": -1}, "concurrency"),
        ({"concurrency": "8"}, "concurrency"),
        ({"surprise": 1}, "surprise"),
        ({"reported": [{"metric": "ttft_p50", "key": "x", "unit": "ms", "value": "fast"}]}, "reported.0.value"),
        ({"reported": [{"metric": "ttft_p50", "key": "x", "unit": "ms", "value": -5}]}, "reported.0.value"),
        ({"reported": [{"metric": "ttft_p50", "key": "x", "unit": "ms", "value": 1e308}]}, "reported.0.value"),
        ({"reported": [{"metric": "ttft_p50", "key": "x", "unit": "parsec", "value": 5}]}, "reported.0.unit"),
        ({"reported": [{"metric": "ttft_p50", "key": k, "unit": "ms", "value": 5} for k in "xy"]}, ""),
        ({"errors": {"OSError": -1}}, "errors.OSError"),
    ],
)
def test_a_file_that_rounds_did_not_write_is_refused(tmp_path: Path, change: dict[str, object], place: str) -> None:
    path = write(tmp_path, RUN) / LEVEL_FILE
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | change), encoding="utf-8")

    with pytest.raises(InputError) as caught:
        read_level_file(tmp_path, tmp_path)
    assert (caught.value.place, caught.value.problem) == (place, "is not as Rounds writes it")
