from __future__ import annotations

from generator.findings import Finding
from generator.model import Round
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said

CHECK = "prompt_cache"


def hits(*counts: float) -> Round:
    """Return a round in which so many of 1000 requests hit the cache."""
    return memory_round({
        "s": {
            f"c{row}": {"concurrency": row, "completed": 1000, "prompt_cache_hits": count}
            for row, count in enumerate(counts, 1)
        }
    })  # fmt: skip


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_first_round_had_its_prefill_spared() -> None:
    # Hits ÷ completed: 0 ÷ 10 = 0 at C=1, 10 ÷ 80 = 12.5 % at C=8, 72 ÷ 312 = 23.1 % at C=32.
    warned, unknown = found_by(CHECK, published("round-1"))

    assert (warned.status, warned.series, warned.levels) == ("warn", "llamacpp-q4_k_m", ("c8", "c32"))
    assert [address.level for address in warned.evidence] == ["c1", "c8", "c32"]
    assert "at C=32, where 23.1% were spared" in said(warned, published("round-1"))
    assert (unknown.status, unknown.series) == ("unknown", "vllm-bf16")


def test_no_hit_passes() -> None:
    finding = examine(hits(0, 0))

    assert (finding.status, finding.levels) == ("pass", ("c1", "c2"))
    assert "no request to s hit a prompt cache" in said(finding, hits(0, 0))


def test_a_few_hits_are_negligible_but_not_denied() -> None:
    finding = examine(hits(0, 5))  # 5 ÷ 1000 = 0.5 %, below 1 %

    assert finding.status == "pass"
    assert "At most 0.5% of the requests to s hit a prompt cache" in said(finding, hits(0, 5))


def test_unknown_where_nothing_was_counted() -> None:
    finding = examine(memory_round({"s": {"c1": {"concurrency": 1}}}))

    assert finding.status == "unknown"
    assert finding.remedy is not None
