from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.telemetry.dumps import Dump, fullest, grown, windows
from generator.telemetry.page import scrape
from tests.support.mutated import readable
from tests.support.sampled import page


def dumps(*pages: str) -> list[Dump]:
    return [Dump(f"{number}", scrape(text)) for number, text in enumerate(pages)]


def engines(*counts: tuple[int, int], usage: float = 0.1) -> list[Dump]:
    """Return pages of two engines' preemptions."""
    return dumps(
        *(
            f'vllm:num_preemptions_total{{engine="0"}} {first}\nvllm:num_preemptions_total{{engine="1"}} {second}\n'
            f'vllm:kv_cache_usage_perc{{engine="1"}} {usage}\nvllm:num_preemptions_created{{engine="0"}} 1.7e9\n'
            for first, second in counts
        )
    )


def test_a_page_is_read_to_its_end() -> None:
    # 9 MB of another program's counters stand before the engine's.
    others = "other_total 1\n" * 650_000
    assert scrape(f'{others}vllm:num_preemptions_total{{engine="0"}} 3\n').value("preemptions") == 3


def test_engines_are_added_up() -> None:
    # (110 − 100) + (55 − 50)
    found = grown(engines((100, 50), (110, 55)))["preemptions"]

    assert (found.amount, found.windows, found.lost) == (15, ("0 to 1",), {})


def test_each_pair_is_a_window_and_a_restart_loses_only_its_own() -> None:
    found = grown(engines((100, 50), (110, 55), (3, 2), (7, 2)))["preemptions"]

    # 15 from 0 to 1; from 2 to 3, (7 − 3) + 0 = 4
    assert found.amount == 19
    assert found.windows == ("0 to 1", "2 to 3")
    assert "restarted" in found.lost["1 to 2"]


def test_where_every_window_is_lost_the_growth_is_not_known() -> None:
    assert grown(engines((100, 50), (3, 2)))["preemptions"].amount is None


def test_two_pages_are_one_window() -> None:
    ((name, found),) = windows(dumps(page(generation_tokens=5), page(generation_tokens=8)))

    assert name == "0 to 1"
    assert found["generation_tokens"].amount == 3


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("vllm:gpu_prefix_cache_hits_total 1", "vllm:prefix_cache_hits_total 9"),
        ("llamacpp:prompt_tokens_cached_total 1", "llamacpp:prompt_tokens_cached_total 9"),
        ("sglang:cached_tokens_total 1", "sglang:cached_tokens_total 9"),
    ],
)
def test_each_engine_and_release_has_its_name_for_a_counter(old: str, new: str) -> None:
    assert grown(dumps(old + "\n", new + "\n"))["cached_prompt_tokens"].amount == 8


def test_a_gauge_is_as_full_as_on_the_fullest_page() -> None:
    pages = engines((1, 1), usage=0.5) + engines((1, 1), usage=0.99)

    assert fullest(pages, "kv_usage") == 0.99
    assert fullest(pages, "running") is None


@pytest.mark.fuzz
def test_damaged_pages_tell_of_growth_or_of_nothing(tmp_path: Path) -> None:
    labels = 'engine="0",model_name="m"'
    sample = page(generation_tokens=8, num_preemptions=2) + f"vllm:kv_cache_usage_perc{{{labels}}} 0.5\n"

    def told(path: Path) -> bool:
        pages = dumps(page(generation_tokens=5), path.read_bytes().decode("utf-8", "replace"))
        amounts = [found.amount for found in grown(pages).values() if found.amount is not None]
        assert all(amount >= 0 for amount in amounts)
        return bool(amounts)

    assert readable(told, sample.encode(), tmp_path, "metrics-after.prom") > 20


@given(st.lists(st.text(max_size=200), min_size=2, max_size=3))
def test_no_page_makes_a_counter_fall(texts: list[str]) -> None:
    pages = [f"vllm:num_preemptions_total {number}\n{text}" for number, text in enumerate(texts)]

    amounts = [found.amount for found in grown(dumps(*pages)).values()]

    assert all(amount is None or amount >= 0 for amount in amounts)


def test_histograms_tell_sums_and_counts_under_their_old_and_new_names() -> None:
    pages = [
        f'vllm:request_queue_time_seconds_sum{{engine="0"}} {sums}\n'
        f'vllm:request_queue_time_seconds_count{{engine="0"}} {n}\n'
        f'vllm:request_queue_time_seconds_bucket{{engine="0",le="0.3"}} {n}\n'
        f'vllm:request_prefill_time_seconds_sum{{engine="0"}} {10 * sums}\n'
        f"sglang:time_to_first_token_seconds_sum {20 * sums}\n"
        for sums, n in ((1.5, 10), (2.0, 20))
    ]
    old = "vllm:time_in_queue_requests_sum 3.5\nvllm:time_in_queue_requests_count 7\n"

    found = {name: one.amount for name, one in grown(dumps(*pages)).items()}

    # 2.0 − 1.5 s over 20 − 10 requests
    assert found["queue_seconds"] == pytest.approx(0.5)
    assert found["queue_count"] == 10
    assert found["prefill_seconds"] == pytest.approx(5)
    assert found["ttft_seconds"] == pytest.approx(10)
    assert (scrape(old).value("queue_seconds"), scrape(old).value("queue_count")) == (3.5, 7)
