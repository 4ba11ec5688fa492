from __future__ import annotations

from generator.logs.llamacpp import EVENTS
from generator.logs.llamacpp_tasks import cached_by_position, cached_by_release, with_owner
from tests.support.server_logs import events_of

BLOCK = """\
slot print_timing: id  2 | task 37 |
prompt eval time =     256.00 ms /   500 tokens (    0.51 ms per token,  1953.12 tokens per second)
       eval time =    1000.00 ms /    50 tokens (   20.00 ms per token,    50.00 tokens per second)
      total time =    1256.00 ms /   550 tokens
"""
RELEASE = "slot      release: id  2 | task 37 | stop processing: n_past = 561, truncated = 0\n"
CACHED = "slot update_slots: id  2 | task 37 | kv cache rm [{}, end)\n"
LAUNCH = "slot launch_slot_: id  2 | task 37 | processing task\n"


def test_a_block_of_timings_belongs_to_the_line_that_opens_it() -> None:
    stray = "prompt eval time =     1.00 ms /   2 tokens\n"
    events = events_of(stray + BLOCK, EVENTS)

    prompts = with_owner(events, "prompt_timing", 1)

    assert prompts.lines.tolist() == [1, 3]
    assert prompts.columns["task"][1] == 37
    assert prompts.columns["task"][0] != prompts.columns["task"][0]  # not known


def test_release_and_timings_come_in_either_order() -> None:
    for log in (RELEASE + BLOCK, BLOCK + RELEASE):
        found = cached_by_release(events_of(log, EVENTS))
        assert found is not None
        # 561 − 50 + 1 − 500
        assert (found.columns["cached"].tolist(), found.columns["computed"].tolist()) == ([12], [500])


def test_a_request_without_end_is_left_out() -> None:
    assert cached_by_release(events_of(BLOCK, EVENTS)) is None
    assert cached_by_release(events_of(RELEASE, EVENTS)) is None


def test_more_tokens_made_than_held_tell_nothing() -> None:
    # 400 held < 500 computed: the context was shifted.
    found = cached_by_release(events_of(RELEASE.replace("561", "400") + BLOCK, EVENTS))

    assert found is not None
    assert len(found) == 0


def test_only_the_first_batch_behind_a_launch_tells() -> None:
    log = CACHED.format(9) + LAUNCH + CACHED.format(12) + CACHED.format(268) + BLOCK
    found = cached_by_position(events_of(log, EVENTS))

    assert found is not None
    # What stands before any launch is of a request that began before the log.
    assert (found.lines.tolist(), found.columns["cached"].tolist()) == ([3], [12])
    assert found.columns["computed"].tolist() == [500]


def test_a_log_without_such_lines_does_not_tell() -> None:
    assert cached_by_position(events_of(LAUNCH + BLOCK, EVENTS)) is None
