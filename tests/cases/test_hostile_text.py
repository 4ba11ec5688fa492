"""A result whose answers end in half a character and try to run a script."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from tests.cases.arriving import Told, told

CUT: Final = "你好 ".encode() + b"\xe4\xb8"
RESULT: Final = (
    '{"backend":"openai-chat","model_id":"acme/小模型-8B","num_prompts":2,"request_rate":"inf","max_concurrency":1,'
    '"duration":1.0,"completed":2,"failed":0,"total_input_tokens":20,"total_output_tokens":4,'
    '"request_throughput":2.0,"output_throughput":4.0,"input_lens":[10,10],"output_lens":[2,2],"ttfts":[0.1,0.1],'
    '"itls":[[0.05],[0.05]],"generated_texts":["@","</script><script>alert(1)</script>\\u2028😀"],"errors":["",""]}'
).encode()


@pytest.fixture
def found(tmp_path: Path) -> Told:
    return told(tmp_path, {"result.json": RESULT.replace(b"@", CUT)})


def test_half_a_character_costs_no_number_and_is_counted(found: Told) -> None:
    # 100 + 50 = 150 ms; 4 ÷ 1 s
    known = [found.number(key, "c1") for key in ("ttft_p50", "tpot_p50", "e2el_p50", "output_throughput")]
    assert known == pytest.approx([0.1, 0.05, 0.15, 4])
    level = json.loads((found.folder / "s/levels/c1/1/level.json").read_text(encoding="utf-8"))
    assert level["damaged_texts"] == 1
    assert found.round.file.model.name == "acme/小模型-8B"


def test_nothing_of_an_answer_reaches_a_file(found: Told) -> None:
    kept = b"".join(path.read_bytes() for path in found.folder.rglob("*") if path.is_file())

    assert b"alert(1)" not in kept
    assert "你好".encode() not in kept
