from __future__ import annotations

from generator.model import Round
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said
from tests.support.watched_rounds import watched_round

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
    assert warned.looks == "better"
    assert [address.level for address in warned.evidence] == ["c1", "c8", "c32"]
    text = said(warned, published("round-1"))
    assert "(12.5% at C=8 and 23.1% at C=32), most of all at C=32, where 23.1% were spared" in text
    assert "Hits favour llama.cpp Q4_K_M" in text
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


# Where tokens were counted, and not requests


def test_tokens_from_the_cache_in_a_log_are_a_warning_with_the_rate_of_the_others() -> None:
    # 1022 of 1022 + 4098; the others: 4096 tokens in 2.048 s
    told = {"log_cached_tokens": 1022.0, "log_prompt_tokens_computed": 4098.0}
    cold = {"log_cold_prompt_tokens": 4096.0, "log_cold_prompt_seconds": 2.048}
    round_ = watched_round({"c1": {**told, **cold}})

    finding = examine(round_)

    assert (finding.status, finding.levels, finding.looks) == ("warn", ("c1",), "better")
    text = said(finding, round_)
    assert "Input of s came from a prompt cache at C=1: 20.0% of the input." in text
    assert "Of those without a hit the prefill rate is 2,000 tok/s." in text


def test_counters_of_the_server_are_a_note_for_another_check_warns() -> None:
    finding = examine(
        watched_round({"c1": {"server_cached_prompt_tokens": 60.0, "server_prefix_cache_queries": 100.0}})
    )

    assert (finding.status, finding.bias) == ("note", None)


def test_what_prompts_have_in_common_passes() -> None:
    # 5 of 100
    finding = examine(watched_round({"c1": {"log_cached_tokens": 5.0, "log_prompt_tokens_computed": 95.0}}))

    assert finding.status == "pass"


def test_a_ratio_of_lines_is_not_of_the_measurement_alone() -> None:
    round_ = watched_round({"c1": {"log_prefix_hit_ratio_last": 0.4}})

    finding = examine(round_)

    assert finding.status == "warn"
    assert "it is not of the measurement alone" in said(finding, round_)
