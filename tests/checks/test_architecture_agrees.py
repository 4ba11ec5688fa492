from __future__ import annotations

from generator.model import Round
from generator.told.findings import Finding
from tests.support.memory_round import Numbers, memory_round
from tests.support.telling import found_by, said

CHECK = "architecture_agrees"
FILES = {"kv_elements": 28_672, "kv_element_bytes": 2, "model_weight_bytes": 14.14e9}
SHAPE = {"layers": 28.0, "kv_heads": 4.0, "head_dim": 128.0, "kv_dtype_bytes": 2.0}


def declared(of_series: Numbers, of_round: Numbers | None = None) -> Round:
    return memory_round({"s": {}}, of_series={"s": of_series}, of_round=of_round or {})


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_what_is_declared_alike_passes() -> None:
    # 2 × 28 × 4 × 128 × 2 = 28 672 × 2; 14.1 GB against 14.14 GB is 0.3 %
    finding = examine(declared({**FILES, "weight_bytes_per_step": 14.1e9}, SHAPE))
    assert finding.status == "pass"
    assert len(finding.evidence) == 4


def test_a_cache_of_another_type_is_told() -> None:
    round_ = declared({**FILES, "kv_element_bytes": 1}, SHAPE)
    finding = examine(round_)
    assert finding.status == "warn"
    assert "56.00 KiB declared, 28.00 KiB by the files" in said(finding.message, round_)
    assert [one.metric for one in finding.doubts] == ["kv_bytes_per_token"]


def test_weights_that_hold_the_input_table_lose_it_first() -> None:
    # 15.23 GB − 1.09 GB = 14.14 GB
    whole = {**FILES, "weight_bytes_per_step": 15.23e9}
    assert examine(declared(whole)).status == "warn"
    assert examine(declared({**whole, "embedding_bytes": 1.09e9})).status == "pass"


def test_nothing_declared_is_nothing_to_check() -> None:
    assert examine(declared({"weight_bytes_per_step": 14e9})).status == "unknown"
