from __future__ import annotations

import json
from pathlib import Path

from generator.architecture.config import from_config
from generator.collect.describing import keep_architecture, told
from tests.support.model_configs import GEMMA3_27B, QWEN3_NEXT, QWEN25_7B


def test_the_model_of_a_series_is_kept_once(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(QWEN25_7B), encoding="utf-8")
    home = tmp_path / "s"
    home.mkdir()

    assert keep_architecture(home, [tmp_path]).startswith("model: qwen2, 28 layers, 7.616 billion parameters")
    kept = (home / "architecture.json").read_bytes()
    assert keep_architecture(home, [tmp_path / "another"]) == ""
    assert (home / "architecture.json").read_bytes() == kept


def test_a_model_that_is_not_known_is_a_note(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "future"}', encoding="utf-8")
    assert "note: its architecture is not known (is 'future'" in keep_architecture(tmp_path, [tmp_path])
    assert not (tmp_path / "architecture.json").exists()
    assert keep_architecture(tmp_path, []) == ""


def test_a_line_says_what_matters() -> None:
    assert "81,920 B of KV a token" in told(from_config(GEMMA3_27B))
    assert "52 layers with a window of 1024" in told(from_config(GEMMA3_27B))
    assert "elements of state a sequence" in told(from_config(QWEN3_NEXT))
