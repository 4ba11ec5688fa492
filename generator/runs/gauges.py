"""What an engine said of itself while a run went on, as columns on the clock of its requests.

A moment is settled where every request that the engine had taken up had its first token, and every request that had it
was being computed: the client cannot know what a prompt takes of the KV pool while it is being computed, nor which
request was preempted and takes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from generator.text import Text

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Gauges:
    """One row a moment, in rising order. What was not read at a moment is NaN.

    Attributes:
        t: seconds after the first sending, (n,); so are all columns.
        running: requests that the engine was computing.
        waiting: requests that it had not taken up.
        kv_usage: share of its KV pool in use, from 0 to 1.
        slot_tokens: tokens in its slots, of engines that say no share.
        tokens: tokens that the client knew to be in flight: of each request that had its first token and was not
            over, those of its prompt and those that had come.
        sequences: how many requests these were.
        awaiting: requests that were sent and had no first token; of those that were answered in the end.
    """

    t: Numbers
    running: Numbers
    waiting: Numbers
    kv_usage: Numbers
    slot_tokens: Numbers
    tokens: Numbers
    sequences: Numbers
    awaiting: Numbers

    def __len__(self) -> int:
        """Return how many moments there are."""
        return len(self.t)

    def why_none(self, name: str) -> Text:
        """Say why a column of settled moments is empty."""
        if name == "settled_tokens" or not self.settled.any():
            return NONE_SETTLED
        return NO_SHARE if name == "settled_usage" and len(self.settled_slot_tokens) else NO_POOL_USE

    @property
    def settled(self) -> NDArray[np.bool_]:
        """Return which moments are settled, and what was in flight at them known."""
        computing = self.awaiting - np.nan_to_num(self.waiting)
        preempted = self.sequences > self.running  # NaN is no number, and no more than any
        settled: NDArray[np.bool_] = (computing <= 0) & ~preempted & np.isfinite(self.tokens)
        for use in (self.kv_usage, self.slot_tokens):
            if np.isfinite(use).any():
                return settled & np.isfinite(use)
        return settled

    @property
    def settled_tokens(self) -> Numbers:
        """Return the tokens in flight at settled moments."""
        return self.tokens[self.settled]

    @property
    def settled_sequences(self) -> Numbers:
        """Return the requests in flight at settled moments."""
        return self.sequences[self.settled]

    @property
    def settled_usage(self) -> Numbers:
        """Return the share of the pool in use at settled moments; empty where the engine says no share."""
        return self._said(self.kv_usage)

    @property
    def settled_slot_tokens(self) -> Numbers:
        """Return the tokens in slots at settled moments; empty where the engine says a share, or nothing."""
        return self._said(self.slot_tokens)

    def _said(self, use: Numbers) -> Numbers:
        found = use[self.settled]
        return found if np.isfinite(found).all() else found[:0]


NONE_SETTLED: Final = Text(
    zh="每个采样时刻都有请求还在等首个 token，在途的 token 数无从得知",
    en="at every sample some request had no first token yet, so the tokens in flight are not known",
)
NO_POOL_USE: Final = Text(
    zh="引擎在 /metrics 与 /slots 里都没有报告 KV 池用了多少",
    en="the engine says neither on /metrics nor on /slots how much of its KV pool is in use",
)
NO_SHARE: Final = Text(
    zh="引擎只报告槽位里的 token 数，没有报告 KV 池占用的份额",
    en="the engine gives the tokens in its slots, and no share of its KV pool",
)
COLUMNS: Final = (
    ("gauge_time_in_order", "t_k", "t"),
    ("gauge_running_in_order", "N_running", "running"),
    ("gauge_waiting_in_order", "N_waiting", "waiting"),
    ("gauge_kv_usage_in_order", "u_KV", "kv_usage"),
    ("gauge_tokens_in_order", "n_flight", "tokens"),
    ("settled_tokens", "n_flight", "settled_tokens"),
    ("settled_sequences", "N_flight", "settled_sequences"),
    ("settled_usage", "u_KV", "settled_usage"),
    ("settled_slot_tokens", "n_slot", "settled_slot_tokens"),
)
"""The samples that formulas call by name: the name, the symbol, and the column."""
