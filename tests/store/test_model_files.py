from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from generator.architecture.config import from_config
from generator.errors import InputError
from generator.store.model_files import ARCHITECTURE, as_json, describe_model, kept_architecture
from tests.store.test_gguf_file import tiny
from tests.support.model_configs import ALL, QWEN25_7B, Config


def put(path: Path, told: object) -> Path:
    path.write_text(json.dumps(told), encoding="utf-8")
    return path


@pytest.mark.parametrize("config", ALL, ids=lambda config: str(config["model_type"]))
def test_what_is_kept_is_read_back_the_same(tmp_path: Path, config: Config) -> None:
    model = from_config(config)
    (tmp_path / ARCHITECTURE).write_bytes(as_json(model))
    assert kept_architecture(tmp_path, tmp_path) == (model, ARCHITECTURE)


def test_a_folder_a_config_and_a_gguf_file_are_models(tmp_path: Path) -> None:
    (tmp_path / "hf").mkdir()
    config = put(tmp_path / "hf" / "config.json", QWEN25_7B)
    assert describe_model(tmp_path / "hf") == describe_model(config) == from_config(QWEN25_7B)
    (tmp_path / "one").mkdir()
    tiny(tmp_path / "one" / "m.gguf")
    assert describe_model(tmp_path / "one").source == "gguf"


def test_a_config_that_was_put_there_serves(tmp_path: Path) -> None:
    put(tmp_path / "config.json", QWEN25_7B)
    assert kept_architecture(tmp_path, tmp_path) == (from_config(QWEN25_7B), "config.json")
    assert kept_architecture(tmp_path / "none", tmp_path) is None


def test_a_config_of_something_else_is_none_of_ours(tmp_path: Path) -> None:
    put(tmp_path / "config.json", {"port": 8000})
    assert kept_architecture(tmp_path, tmp_path) is None
    put(tmp_path / "config.json", {"text_config": QWEN25_7B})
    assert kept_architecture(tmp_path, tmp_path) == (from_config({"text_config": QWEN25_7B}), "config.json")


def test_nothing_of_names_and_places_is_kept(tmp_path: Path) -> None:
    config = put(tmp_path / "config.json", QWEN25_7B | {"_name_or_path": "/home/someone/secret-model"})
    assert b"someone" not in as_json(describe_model(config))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "is not a table of keys"),
        ('{"model_type": "qwen2"}', "dtype: is missing"),
    ],
)
def test_a_config_that_is_none_is_one_line(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "config.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=problem):
        describe_model(tmp_path / "config.json")


def test_what_is_not_there_or_not_told_apart(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        describe_model(tmp_path / "none")
    with pytest.raises(InputError, match=r"holds neither a config\.json nor"):
        describe_model(tmp_path)
    for name in ("a.gguf", "b.gguf"):
        tiny(tmp_path / name)
    with pytest.raises(InputError, match="holds 2 models"):
        describe_model(tmp_path)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"schema": 2}, "written by a newer Rounds"),
        ({"schema": "1"}, "is not as Rounds writes it"),
        ({"type": "<script>"}, "is not as Rounds writes it"),
        ({"layers": []}, "is not as Rounds writes it"),
        ({"layers": [{"count": 10**9, "keeps": "all"}]}, "is not as Rounds writes it"),
        ({"layers": [{"count": 1, "keeps": "window"}]}, "is not as Rounds writes it"),
        ({"kv_element_bytes": float("nan")}, "is not as Rounds writes it"),
        ({"more": 1}, "is not as Rounds writes it"),
        ({"experts": {"layers": 1, "count": 2, "used": 2, "params": 1}}, "is not as Rounds writes it"),
    ],
)
def test_a_file_of_ours_that_was_changed_is_one_line(tmp_path: Path, change: dict[str, Any], problem: str) -> None:
    put(tmp_path / ARCHITECTURE, {**json.loads(as_json(from_config(QWEN25_7B))), **change})
    with pytest.raises(InputError, match=problem):
        kept_architecture(tmp_path, tmp_path)


def test_a_link_out_of_the_round_is_not_followed(tmp_path: Path) -> None:
    put(tmp_path / "outside.json", QWEN25_7B)
    (tmp_path / "round").mkdir()
    (tmp_path / "round" / "config.json").symlink_to(tmp_path / "outside.json")
    with pytest.raises(InputError):
        kept_architecture(tmp_path / "round", tmp_path / "round")
