from __future__ import annotations

import numpy as np

from generator.runs.server_times import ServerTimes

TIMES = ServerTimes({"kv_full": np.array([2.0, 5.0]), "preemption": np.array([3.0]), "error": np.array([])})


def test_moments_of_several_kinds_are_in_one_order() -> None:
    assert TIMES.of("kv_full", "preemption").tolist() == [2.0, 3.0, 5.0]


def test_what_a_log_has_no_words_for_did_not_happen() -> None:
    assert TIMES.of("launch", "error").tolist() == []
