from __future__ import annotations

from generator.engines.llamacpp import llamacpp
from tests.support.server_logs import facts_of

SERVED = """\
0.01.000.000 I srv    load_model: initializing, n_slots = 2, n_ctx_slot = 512, kv_unified = 'false'
0.20.832.571 I slot launch_slot_: id  1 | task 2 | processing task, is_child = 0
0.21.000.000 I slot      release: id  1 | task 2 | stop processing: n_tokens = 191, truncated = 0
"""


def test_its_log_tells_what_it_took_up_and_what_holds_all_the_time() -> None:
    told = facts_of(SERVED, llamacpp.events, llamacpp.facts)

    assert (told["launches"], told["releases"], told["slots"], told["slot_context"]) == (1, 1, 2, 512)
    assert {fact.name for fact in llamacpp.facts if fact.lasting} >= {"slots", "slot_context", "kv_pool_bytes"}


def test_it_listens_while_it_loads() -> None:
    assert (llamacpp.launching.port, llamacpp.launching.loading) == (8080, True)
