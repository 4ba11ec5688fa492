from __future__ import annotations

from generator.frame import Analysis
from tests.support.anatomy_rounds import by_log, listed, of_levels
from tests.support.memory_round import memory_round
from tests.support.request_rows import answer, requests_of
from tests.support.telling import analysed, chapter_of, text_of


def said(analysis: Analysis) -> str:
    return text_of(chapter_of("ttft_traps", analysis), analysis)


def test_every_trap_is_named_whatever_the_data() -> None:
    told = said(listed())

    for word in (
        "coordinated omission",
        "A prefix seen before",
        "Compiling, capturing graphs",
        "Tokenizing comes before",
    ):
        assert word in told


def test_a_share_of_the_input_from_a_cache_is_quoted() -> None:
    # 64 of 64 + 256
    cached = {**by_log(0.01, 0.3), "log_cached_tokens": 64.0}

    assert "At C=1, 20.0% of the input of a came from a cache." in said(analysed(of_levels({"c1": cached})))


def test_a_cold_first_request_is_quoted() -> None:
    # 800 ms, and 100 ms for the others
    requests = requests_of(*(answer(0.8 if at == 0 else 0.1, 0.1, start=float(at)) for at in range(4)))
    round_ = memory_round({"a": {"c1": {"concurrency": 1.0}}}, runs={("a", "c1", None): requests})

    assert "At C=1 the first request of a waited 800 ms, 8.00× the median of the others." in said(analysed(round_))
