"""What engines say of themselves, in the words of several releases."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.collect.host.gauges import metrics_source, slots, slots_source
from generator.collect.host.readings import Reading
from generator.telemetry.page import Growth, growth, pool, scrape

VLLM = """\
# HELP vllm:num_requests_running Number of requests in model execution batches.
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{engine="0",model_name="toy"} 3.0
vllm:num_requests_running{engine="1",model_name="toy"} 2.0
vllm:num_requests_waiting{engine="0",model_name="toy"} 1.0
vllm:num_requests_waiting_by_reason{engine="0",model_name="toy",reason="capacity"} 1.0
vllm:kv_cache_usage_perc{engine="0",model_name="toy"} 0.25
vllm:kv_cache_usage_perc{engine="1",model_name="toy"} 0.75
vllm:num_preemptions_total{engine="0",model_name="toy"} 4.0
vllm:num_preemptions_created{engine="0",model_name="toy"} 1.79e+09
vllm:prompt_tokens_total{engine="0",model_name="toy"} 1519.0
vllm:generation_tokens_total{engine="0",model_name="toy"} 276.0
vllm:iteration_tokens_total_sum{engine="0",model_name="toy"} 1667.0
vllm:request_success_total{engine="0",finished_reason="stop",model_name="toy"} 2.0
vllm:request_success_total{engine="0",finished_reason="length",model_name="toy"} 8.0
process_start_time_seconds 1.79596721916e+09
"""

LLAMA = """\
# TYPE llamacpp:prompt_tokens_total counter
llamacpp:prompt_tokens_total 1330
llamacpp:prompt_tokens_cached_total 248
llamacpp:tokens_predicted_total 308
llamacpp:n_decode_total 318
llamacpp:prompt_tokens_seconds 18.3726
llamacpp:requests_processing 4
llamacpp:requests_deferred 2
"""


def test_a_page_of_vllm() -> None:
    assert scrape(VLLM).values() == {
        "running": 5,  # 3 + 2 on two engines
        "waiting": 1,
        "kv_usage": 0.75,  # the fuller of the two
        "preemptions": 4,
        "prompt_tokens": 1519,
        "generation_tokens": 276,
        "requests_ended": 10,  # 2 + 8
        "started": 1.79596721916e9,
    }


def test_a_page_of_llama_cpp() -> None:
    assert scrape(LLAMA).values() == {
        "running": 4,
        "waiting": 2,
        "prompt_tokens": 1330,
        "cached_prompt_tokens": 248,
        "generation_tokens": 308,
        "decode_calls": 318,
    }


def test_a_page_of_sglang() -> None:
    page = 'sglang:num_running_reqs{tp_rank="0"} 7\nsglang:num_queue_reqs 3\nsglang:token_usage 0.5\n'
    assert scrape(page).values() == {"running": 7, "waiting": 3, "kv_usage": 0.5}


@pytest.mark.parametrize(
    ("page", "usage"),
    [
        ("vllm:gpu_cache_usage_perc 0.4\n", 0.4),  # up to 0.9.1
        ("vllm:gpu_cache_usage_perc 0.4\nvllm:kv_cache_usage_perc 0.4\n", 0.4),  # 0.9.2 to 0.12: not 0.8
        ("vllm:kv_cache_usage_perc 0.4\n", 0.4),
        ("llamacpp:kv_cache_usage_ratio 0.4\n", 0.4),  # up to mid-2025
    ],
)
def test_a_quantity_has_one_name_over_all_releases(page: str, usage: float) -> None:
    assert scrape(page).values() == {"kv_usage": usage}


@pytest.mark.parametrize(
    "line",
    [
        "vllm:num_requests_running",
        "vllm:num_requests_running {",
        'vllm:num_requests_running{engine="0} 3',
        "vllm:num_requests_running three",
        "vllm:num_requests_running NaN",
        "vllm:num_requests_running +Inf",
        "vllm:num_requests_running 1_0",
        f'vllm:num_requests_running{{x="{"a" * 9000}"}} 3',
    ],
)
def test_a_broken_line_costs_itself_alone(line: str) -> None:
    found = scrape(f"{line}\nvllm:num_requests_waiting 2\n")
    assert found.values() == {"waiting": 2}
    assert found.broken == 1


@pytest.mark.parametrize("page", ["", "<html>502 Bad Gateway</html>", "\0\0", "{}", "# TYPE\n# HELP\n#", "vllm:x" * 99])
def test_what_is_no_page_says_nothing(page: str) -> None:
    assert scrape(page).values() == {}


@given(st.text(alphabet='vllm:num_requests_running{}="\\, 0123456789.eE+-\n#', max_size=200))
def test_no_page_raises(page: str) -> None:
    scrape(page)
    scrape(f"vllm:num_requests_running{page}")


def page_of(preemptions: dict[str, int], **others: float) -> str:
    lines = [f'vllm:num_preemptions_total{{engine="{engine}"}} {count}' for engine, count in preemptions.items()]
    return "\n".join([*lines, *(f"{name} {value}" for name, value in others.items())]) + "\n"


def test_counters_grow_by_the_sum_over_engines() -> None:
    before, after = scrape(page_of({"0": 100, "1": 50})), scrape(page_of({"0": 140, "1": 70}))
    assert growth(before, after) == {"preemptions": Growth(60)}  # 140 - 100 + 70 - 50


def test_a_counter_that_fell_leaves_all_unknown() -> None:
    before = scrape(page_of({"0": 140, "1": 70}) + "vllm:prompt_tokens_total 10\n")
    after = scrape(page_of({"0": 6, "1": 300}) + "vllm:prompt_tokens_total 50\n")
    # The sum rose, 210 to 306, and so did the prompt tokens: neither says anything after a restart.
    found = growth(before, after)
    assert {one.amount for one in found.values()} == {None}
    assert found["prompt_tokens"].reason == "preemptions fell: the server was restarted"


def test_a_restart_shows_where_no_counter_fell() -> None:
    before = scrape(page_of({"0": 1}, process_start_time_seconds=1000))
    after = scrape(page_of({"0": 9}, process_start_time_seconds=2000))
    assert growth(before, after) == {"preemptions": Growth(None, "the server was restarted")}


def test_a_counter_that_is_on_one_side_only_is_unknown() -> None:
    counted = scrape(page_of({"0": 1}))
    assert growth(scrape(""), counted) == {"preemptions": Growth(None, "not there before")}
    assert growth(counted, scrape("")) == {"preemptions": Growth(None, "not there after")}
    assert growth(scrape(""), scrape("")) == {}


def test_a_series_that_is_new_began_at_0_and_one_that_is_gone_is_unknown() -> None:
    one, two = scrape(page_of({"0": 5})), scrape(page_of({"0": 7, "1": 4}))
    assert growth(one, two) == {"preemptions": Growth(6)}  # 7 - 5 + 4 - 0
    assert growth(two, scrape(page_of({"0": 7}))) == {"preemptions": Growth(None, "1 of its series not there after")}


IDLE = {"id": 0, "n_ctx": 2048, "is_processing": False}
BUSY = {"id": 1, "n_ctx": 1024, "is_processing": True, "n_prompt_tokens": 256, "next_token": [{"n_decoded": 10}]}


def test_slots_count_those_that_work_and_what_they_hold() -> None:
    assert slots(json.dumps([IDLE, BUSY])) == {
        "slots": 2,
        "running": 1,
        "slot_context": 1024,  # the least
        "slot_tokens": 266,  # 256 + 10
    }


@pytest.mark.parametrize(
    ("slot", "running"),
    [({"state": 1}, 1), ({"state": 0}, 0), ({"is_processing": True, "next_token": {"n_decoded": 3}}, 1)],
)
def test_slots_of_other_releases(slot: dict[str, object], running: int) -> None:
    found = slots(json.dumps([slot]))
    assert found["running"] == running
    assert found.get("slot_tokens", 0) == 0  # how long the prompt is was not said


@pytest.mark.parametrize("body", ["", "{", "null", '{"error": {"code": 501}}', "[1]", "NaN"])
def test_what_is_no_list_of_slots_is_refused(body: str) -> None:
    with pytest.raises(ValueError, match=r"slots|Expecting"):
        slots(body)


def test_pages_are_sources_of_readings() -> None:
    assert metrics_source(lambda: "vllm:num_requests_waiting 2").read() == [Reading("engine", "waiting", 2)]
    assert slots_source(lambda: json.dumps([IDLE])).read()[0] == Reading("slots", "slots", 1)


def test_the_size_of_the_pool_stands_among_labels() -> None:
    page = 'vllm:cache_config_info{block_size="16",cache_dtype="auto",engine="0",num_gpu_blocks="5867"} 1.0\n'

    assert pool(page) == {"block_tokens": 16, "pool_blocks": 5867}
    assert Reading("engine", "block_tokens", 16) in metrics_source(lambda: page).read()


@pytest.mark.parametrize(
    "page",
    [
        "",
        "vllm:cache_config_info 1.0",
        'vllm:cache_config_info{block_size="None",num_gpu_blocks="0"} 1.0',
        '# vllm:cache_config_info{block_size="16"}',
        'vllm:cache_config_info{my_block_size="16"} 1.0',
        'vllm:cache_config_info{block_size="99999999999"} 1.0',
    ],
)
def test_what_is_no_size_is_none(page: str) -> None:
    assert pool(page) == {}


def test_a_prompt_that_grows_with_the_answer_is_not_counted_twice() -> None:
    # as llama.cpp gave it in autumn 2026 of a prompt of 62 tokens: 104 = 62 + 42
    busy = BUSY | {"n_prompt_tokens": 104, "n_prompt_tokens_processed": 60, "n_prompt_tokens_cache": 2}
    busy["next_token"] = [{"n_decoded": 42}]

    assert slots(json.dumps([busy]))["slot_tokens"] == 104  # 60 + 2 + 42
