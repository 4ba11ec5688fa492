from __future__ import annotations

import hashlib
import math
from pathlib import Path

import pytest

from generator.errors import InputError
from generator.traffic import gathering
from generator.traffic.gathering import gather
from tests.support.loads import ACCESS, AZURE, LLAMA, MOONCAKE, PROMPTS, SHAREGPT, put


def test_requests_become_columns_and_what_is_not_known_is_nan(tmp_path: Path) -> None:
    found = gather([put(tmp_path, MOONCAKE)], None)

    assert found.at.tolist() == [0.0, 1.5]
    assert found.input_tokens.tolist() == [6758.0, 12.0]
    assert found.output_tokens.tolist() == [500.0, 3.0]
    assert all(math.isnan(one) for one in found.duration.tolist())
    assert len(found) == 2


def test_of_texts_their_length_is_kept(tmp_path: Path) -> None:
    # "Who is xyzzy-the-secret?" has 24 characters, "缓存是什么？" 6
    assert gather([put(tmp_path, SHAREGPT)], None).characters.tolist() == [24.0, 6.0]


def test_a_source_has_a_hash_and_counts_and_no_name(tmp_path: Path) -> None:
    path = put(tmp_path, AZURE + "rubbish\n", "who-was-it.csv")
    (source,) = gather([path], None).sources

    assert source.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (source.kind, source.requests, source.bad, source.left_out) == ("azure", 3, 1, 0)
    assert "who" not in source.model_dump_json()


def test_files_on_one_clock_are_one_load(tmp_path: Path) -> None:
    later = AZURE.replace("18:17", "19:17")
    found = gather([put(tmp_path, AZURE, "a"), put(tmp_path, later, "b")], None)

    assert len(found) == 6
    assert found.at[3] - found.at[0] == pytest.approx(3600)


@pytest.mark.parametrize("other", [MOONCAKE, LLAMA, PROMPTS])
def test_files_on_clocks_of_their_own_are_not_put_together(tmp_path: Path, other: str) -> None:
    with pytest.raises(InputError, match=r"b: has times of its own.*; profile it alone"):
        gather([put(tmp_path, ACCESS, "a"), put(tmp_path, other, "b")], None)


def test_no_more_is_held_at_once_than_has_to_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path, MOONCAKE * 5)
    whole = gather([path], None)
    monkeypatch.setattr(gathering, "TOGETHER", 3)

    assert gather([path], None).input_tokens.tolist() == whole.input_tokens.tolist()
