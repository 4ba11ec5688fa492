from __future__ import annotations

import numpy as np
import pytest

from generator.logs.llamacpp import EVENTS
from generator.logs.llamacpp_facts import FACTS, cached_prefixes
from generator.runs.log_events import EventTable
from tests.support.server_logs import events_of, facts_of


def told(log: str) -> dict[str, float]:
    return facts_of(log, EVENTS, FACTS)


def served(task: int, slot: int = 0, computed: int = 512, ms: float = 256, made: int = 50, held: int = 561) -> str:
    """Write the lines of a request as the server does by default."""
    head = f"0.10.000.000 I slot print_timing: id {slot:2d} | task {task} |"
    return f"""\
{head} prompt eval time = {ms:10.2f} ms / {computed:5d} tokens (    0.50 ms per token,  2000.00 tokens per second)
{head}        eval time =    1000.00 ms / {made:5d} tokens (   20.00 ms per token,    50.00 tokens per second)
{head}       total time =    1256.00 ms /   562 tokens
0.10.000.030 I slot      release: id {slot:2d} | task {task} | stop processing: n_tokens = {held}, truncated = 0
"""


def launched(task: int, slot: int = 0) -> str:
    return f"slot launch_slot_: id {slot:2d} | task {task} | processing task, is_child = 0\n"


def began(cached: int, task: int, slot: int = 0) -> str:
    return (
        f"slot   operator(): id {slot:2d} | task {task} | cached n_tokens = {cached}, memory_seq_rm [{cached}, end)\n"
    )


# Ten requests of 512 tokens, of which the fifth and the tenth found all but one in the cache: 561 tokens are held in
# the end, 512 of the prompt and 50 of the answer but its last.
TWO_HITS = "".join(served(task, computed=1, ms=8) if task in (40, 90) else served(task) for task in range(0, 100, 10))


def test_two_of_ten_prompts_came_from_the_cache() -> None:
    facts = told(TWO_HITS)

    # 561 − 50 + 1 − 1 = 511 of each
    assert (facts["cache_hits"], facts["cached_tokens"]) == (2, 1022)
    # 8 × 512 + 2 × 1
    assert facts["prompt_tokens_computed"] == 4098
    assert (facts["output_tokens"], facts["timing_lines"], facts["releases"]) == (500, 10, 10)


def test_cold_and_cached_prompts_can_be_told_apart() -> None:
    events = events_of(TWO_HITS, EVENTS)
    found, prompts = cached_prefixes(events), events["prompt_timing"]

    assert found is not None
    cold = np.isin(prompts.lines, found.lines[found.columns["cached"] == 0])
    # 8 × 512 tokens in 8 × 256 ms; all ten pooled would be 4098 ÷ 2.064 s = 1985.5, which is no speed of the engine.
    assert rate(prompts, cold) == 2000.0
    assert rate(prompts, np.ones(10, bool)) == pytest.approx(1985.5, abs=0.05)


def rate(table: EventTable, rows: np.ndarray) -> float:
    return float(table.columns["tokens"][rows].sum() / (table.columns["ms"][rows].sum() / 1000))


def test_of_a_long_prompt_the_first_batch_tells_what_was_cached() -> None:
    # The first request found nothing and had two batches; the second found 400 of 600.
    log = (
        launched(1) + began(0, 1) + began(512, 1) + served(1, computed=600) +
        launched(2) + began(400, 2) + served(2, computed=200)
    )  # fmt: skip
    facts = told(log)

    assert (facts["cache_hits"], facts["cached_tokens"]) == (1, 400)


def test_two_slots_at_once_are_kept_apart() -> None:
    log = (
        launched(1, 0) + launched(2, 1) + began(0, 1, 0) + began(300, 2, 1) + began(256, 1, 0) + began(556, 2, 1)
        + served(1, 0, computed=512) + served(2, 1, computed=300)
    )  # fmt: skip
    facts = told(log)

    assert (facts["launches"], facts["cache_hits"], facts["cached_tokens"]) == (2, 1, 300)


def test_the_same_task_after_a_new_start_is_another_request() -> None:
    log = (launched(0) + began(0, 0) + served(0)) * 2 + launched(0) + began(500, 0) + served(0, computed=12)

    assert told(log)["cache_hits"] == 1


def test_what_all_prompts_begin_with_is_no_hit() -> None:
    # 24 tokens of a chat template before 488 others are less than a tenth; 100 of 512 are more.
    assert told(launched(1) + began(24, 1) + served(1, computed=488))["cache_hits"] == 0
    assert told(launched(1) + began(100, 1) + served(1, computed=412))["cache_hits"] == 1


def test_timings_without_slot_and_task_take_them_from_the_line_before() -> None:
    log = """\
slot      release: id  2 | task 37 | stop processing: n_past = 561, truncated = 0
slot print_timing: id  2 | task 37 |
prompt eval time =       8.00 ms /     1 tokens (    8.00 ms per token,   125.00 tokens per second)
       eval time =    1000.00 ms /    50 tokens (   20.00 ms per token,    50.00 tokens per second)
      total time =    1008.00 ms /    51 tokens
"""
    assert told(log)["cache_hits"] == 1


def test_a_further_answer_to_a_request_is_no_request() -> None:
    child = "slot launch_slot_: id  1 | task 6 | processing task, is_child = 1\n"

    assert told(launched(5) + child)["launches"] == 1


def test_what_went_wrong_is_counted_where_it_would_be_told() -> None:
    good = launched(1) + served(1)
    bad = (
        "srv  update_slots: failed to decode the batch: KV cache is full - try increasing it\n"
        "srv          stop: cancel task, id_task = 1\n"
        "slot      release: id  0 | task 4 | stop processing: n_tokens = 99, truncated = 1\n"
    )
    parts = ("engine_errors", "cancelled", "truncated")

    assert [told(good)[name] for name in parts] == [0, 0, 0]
    assert [told(good + bad)[name] for name in parts] == [1, 1, 1]
    assert not told("srv  update_slots: all slots are idle\n").keys() & set(parts)


def test_a_request_that_got_an_error_is_not_given_up_by_its_client() -> None:
    log = launched(3) + (
        "E srv    send_error: task id = 1, error: Context size has been exceeded.\n"
        "W srv          stop: cancel task, id_task = 1\n"
        "W srv          stop: cancel task, id_task = 2\n"
        "E srv  update_slots: decode() failed: Context size has been exceeded.\n"
    )

    # of the two taken back, task 2 got no error
    assert (told(log)["cancelled"], told(log)["engine_errors"]) == (1, 1)


def test_words_for_a_cut_answer_before_2024() -> None:
    whose = 'tid="1" timestamp=1 id_slot=0 id_task=5 n_ctx=4096 n_past=561 n_cache_tokens=0'
    log = "".join(
        f"INFO [ update_slots] slot released | {whose} truncated={cut}\n" for cut in ("false", "true", "false")
    )

    assert told(log)["truncated"] == 1


def test_the_end_of_a_request_from_before_does_not_count() -> None:
    # The log of a run begins with the end of a request of the warm-up, in the slot that the second one gets.
    facts = told(served(7, slot=1) + launched(8) + served(8) + launched(9, slot=1) + served(9, slot=1))

    assert [facts[name] for name in ("launches", "timing_lines", "releases", "truncated")] == [2, 2, 2, 0]
    assert (facts["prompt_tokens_computed"], facts["output_tokens"], facts["cached_tokens"]) == (1024, 100, 0)


def test_the_counter_of_graphs_rises() -> None:
    line = "slot print_timing: id  0 | task 1 |    graphs reused = {:10d}\n"

    assert told("".join(line.format(n) for n in (77, 139, 201)))["graphs_reused"] == 124
    assert "graphs_reused" not in told("".join(line.format(n) for n in (77, 139, 12)))


def test_drafted_tokens_are_added_up() -> None:
    line = "draft acceptance = 0.50000 ({:5d} accepted / {:5d} generated)\n"
    facts = told(line.format(161, 556) + line.format(9, 15))

    assert (facts["draft_accepted"], facts["draft_tokens"]) == (170, 571)


LOADED = """\
load_tensors:        CUDA0 model buffer size = {weights:8.2f} MiB
load_tensors:   CPU_Mapped model buffer size =   100.00 MiB
llama_kv_cache:      CUDA0 KV buffer size =    6.00 MiB
llama_kv_cache: size =    6.00 MiB (  2048 cells,   3 layers,  4/4 seqs)
llama_kv_cache:      CUDA0 KV buffer size =   30.00 MiB
llama_kv_cache: size =   30.00 MiB (  1024 cells,  15 layers,  4/4 seqs)
sched_reserve:       CUDA0 compute buffer size =    19.25 MiB
srv    load_model: initializing slots, n_slots = {slots}
slot   load_model: id  0 | task -1 | new slot, n_ctx = 4096
"""


def test_memory_is_that_of_the_last_load() -> None:
    facts = told(LOADED.format(weights=900, slots=4) + LOADED.format(weights=150, slots=8))

    assert (facts["slots"], facts["slot_context"]) == (8, 4096)
    # (150 + 100), (6 + 30) and 19.25 MiB
    assert facts["weights_bytes"] == 250 * 2**20
    assert facts["kv_pool_bytes"] == 36 * 2**20
    assert facts["compute_buffer_bytes"] == 19.25 * 2**20
    assert "state_bytes" not in facts


def test_the_size_of_the_cache_stands_in_for_its_buffers() -> None:
    slots = "srv    load_model: initializing, n_slots = 1, n_ctx_slot = 512\n"
    facts = told("llama_kv_cache: size =   30.00 MiB (  1024 cells)\n" + slots)

    assert (facts["kv_pool_bytes"], facts["slot_context"]) == (30 * 2**20, 512)


def test_without_slots_it_is_not_known_what_belongs_together() -> None:
    assert told("llama_kv_cache:      CUDA0 KV buffer size =    6.00 MiB\n" * 2) == {}


def test_a_log_of_nothing_tells_nothing() -> None:
    assert told("") == {}


def test_each_fact_has_a_name_of_its_own() -> None:
    names = [fact.name for fact in FACTS]
    assert len(set(names)) == len(names)


def test_cold_prompts_are_told_apart_from_those_in_the_cache() -> None:
    # A prompt of 100 tokens in 50 ms; the same again, of which one token was computed, in 8 ms.
    def answered(task: int, tokens: int, ms: float) -> str:
        head = f"slot print_timing: id  0 | task {task} | "
        return (
            f"slot launch_slot_: id  0 | task {task} | processing task, is_child = 0\n"
            f"{head}prompt eval time =     {ms:.2f} ms /   {tokens} tokens\n"
            f"{head}       eval time =    100.00 ms /    10 tokens\n"
            f"slot      release: id  0 | task {task} | stop processing: n_tokens = 109, truncated = 0\n"
        )

    facts = facts_of(answered(1, 100, 50.0) + answered(2, 1, 8.0), EVENTS, FACTS)

    # 109 − 10 + 1 − 100 = 0 cached of the first, 109 − 10 + 1 − 1 = 99 of the second
    assert (facts["cold_prompt_tokens"], facts["cold_prompt_seconds"]) == (100, 0.05)
    assert (facts["cache_hits"], facts["cached_tokens"], facts["slot_tokens_most"]) == (1, 99, 109)


def test_times_of_taking_up_are_added_up_on_our_clock() -> None:
    # Read at 100.0 and 101.5 s, without times of their own.
    read = [
        f"{at} 2026-11-29T22:32:39.664398Z | {launched(task)}" for task, at in ((1, 100 * 10**9), (2, 1015 * 10**8))
    ]

    assert told("".join(read))["launch_clocks"] == pytest.approx(201.5)
    assert "launch_clocks" not in told(launched(1))


def test_prompt_times_are_added_up_in_seconds() -> None:
    # 2 × 256 ms
    assert told(launched(1) + served(1) + launched(2) + served(2))["prompt_seconds"] == pytest.approx(0.512)


UNIFIED = "srv    load_model: initializing, n_slots = 4, n_ctx_slot = 4096, kv_unified = 'true'\n"
CACHE = "llama_kv_cache: size =   6.00 MiB ({cells:6d} cells,   3 layers,  4/1 seqs), K (f16): 3.00 MiB\n"


def test_a_shared_pool_holds_what_its_cache_has_cells_for() -> None:
    # A slot may take 4096 at most, as the model was trained with; the layers with a window have a cache of their own.
    assert told(CACHE.format(cells=16384) + CACHE.format(cells=1024) + UNIFIED)["kv_pool_tokens"] == 16384


def test_a_shared_pool_of_which_no_cells_are_told_holds_what_a_slot_may_take() -> None:
    assert told(UNIFIED)["kv_pool_tokens"] == 4096


def test_slots_with_a_part_of_their_own_hold_it_each() -> None:
    # 4 × 4096; the cells told are those of one of them
    apart = UNIFIED.replace("true", "false")
    assert told(CACHE.format(cells=4096) + apart)["kv_pool_tokens"] == 16384


# The stages of a start


START = """\
100007205000 2026-11-29T22:28:43.269985Z | 0.00.007.205 I srv          init: loading model
100007378000 2026-11-29T22:28:43.270150Z | 0.00.007.378 I srv    load_model: loading model 'm.gguf'
100984690000 2026-11-29T22:28:44.247540Z | 0.00.984.690 I common_fit_params: fitting params to free memory took 0.98 \
seconds
101867994000 2026-11-29T22:28:45.133456Z | 0.01.867.994 I load_tensors: loading model tensors, this can
101995598000 2026-11-29T22:28:45.274182Z | 0.01.995.598 I cmn  common_init_: warming up the model with an empty \
run
102188812000 2026-11-29T22:28:45.451667Z | 0.02.188.812 I srv    load_model: initializing, n_slots = 4, \
n_ctx_slot = 512, kv_unified = 'false'
102190847000 2026-11-29T22:28:45.457357Z | 0.02.190.847 I srv          init: model loaded
"""


def test_stages_of_a_start() -> None:
    facts = told(START)

    # from 0.984 690 to 1.995 598 s, and on to 2.188 812 s
    assert facts["stage_engine"] == 0.98
    assert facts["stage_weights"] == pytest.approx(1.010908)
    assert facts["stage_setup"] == pytest.approx(0.193214)
    assert facts["stages_told"] == pytest.approx(0.98 + 1.010908 + 0.193214)
    assert (facts["start_clock"], facts["ready_clock"]) == pytest.approx((100.007378, 102.190847))


def test_a_server_that_says_little_tells_of_its_model_alone() -> None:
    quiet = """\
0.00.005.924 I srv    load_model: loading model 'm.gguf'
0.01.423.668 I cmn          init: llama threadpool init, n_threads = 1
0.01.486.419 I srv    load_model: initializing, n_slots = 4, n_ctx_slot = 2048, kv_unified = 'false'
0.01.488.535 I srv  llama_server: model loaded
"""
    facts = told(quiet)
    assert facts["stage_weights"] == pytest.approx(1.417744)
    assert not {"stage_engine", "stage_setup", "start_clock"} & facts.keys()


@pytest.mark.parametrize(
    ("line", "tokens"),
    [
        ("initializing, n_slots = 4, n_ctx_slot = 512, kv_unified = 'false'", 2048),  # four parts of 512
        ("initializing, n_slots = 4, n_ctx_slot = 512, kv_unified = 'true'", 512),
        ("initializing slots, n_slots = 4", None),  # which of the two is not said
    ],
)
def test_the_pool_is_all_slots_together_or_what_they_share(line: str, tokens: float | None) -> None:
    assert told(f"srv    load_model: {line}\n").get("kv_pool_tokens") == tokens


def test_lines_without_room_for_kv_are_counted() -> None:
    full = "0.10.000.000 W srv  update_slots: failed to find free space in the KV cache, retrying\n"
    assert told(launched(1) + 3 * full)["kv_full"] == 3
    assert told(launched(1))["kv_full"] == 0
