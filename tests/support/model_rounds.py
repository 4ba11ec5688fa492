"""Rounds in memory whose models are known by their own files: a mixture, one with windows, one with states."""

from __future__ import annotations

from typing import Final

from generator.model import Round
from tests.support.memory_round import Levels, Numbers, memory_round
from tests.support.run_rounds import QUICK

MIXTURE: Final[Numbers] = {
    "dense_bytes": 3e9, "experts": 128, "experts_used": 8, "expert_bytes": 0.5e9, "model_weight_bytes": 7e9,
    "embedding_bytes": 0, "kv_elements": 1000, "prefill_params": 3e9, "head_params": 0.3e9, "pair_flops": 800_000,
}  # fmt: skip
WINDOWS: Final[Numbers] = {
    "model_weight_bytes": 54e9, "embedding_bytes": 0, "kv_elements": 40_960, "kv_element_bytes": 2,
    "kv_window_elements": 212_992, "attention_window": 1024, "state_bytes": 0, "prefill_params": 25e9,
    "head_params": 1.4e9, "pair_flops": 163_840, "window_pair_flops": 851_968,
}  # fmt: skip
WIDE: Final[Numbers] = {
    **WINDOWS, "attention_window": 8192, "engine_pool_blocks_of_series": 20_000, "engine_block_tokens_of_series": 16,
    "kv_pool_tokens": 200_000,
}  # fmt: skip
"""No request goes beyond its window, and its pool is told in blocks."""
STATES: Final[Numbers] = {
    "model_weight_bytes": 5e9, "embedding_bytes": 0, "kv_elements": 12_288, "kv_element_bytes": 2, "state_bytes": 79e6,
    "prefill_params": 3e9, "head_params": 0.3e9, "pair_flops": 196_608,
}  # fmt: skip
ASKED: Final[Numbers] = {"concurrency": 4.0, "asked_input_tokens": 2048, "asked_output_tokens": 128, "itl_p50": 0.02}
LOGGED: Final[Numbers] = {
    "log_timing_lines": 4, "log_prompt_tokens_computed": 6000, "log_cached_tokens": 2000,
    "log_cold_prompt_tokens": 4000, "log_cold_prompt_seconds": 0.5,
}  # fmt: skip
DEVICE: Final[Numbers] = {
    "memory_bandwidth": 1e12, "peak_compute": 100e12, "measured_compute": 1e12, "kv_dtype_bytes": 2,
}  # fmt: skip


def models_of_several_kinds() -> Round:
    """Return a round of a mixture whose server has a log, and of two models of which the client alone tells."""
    levels: dict[str, Levels] = {
        "mixture": {"c4": {**ASKED, **LOGGED}},
        "windows": {"c4": {**ASKED, "prompt_throughput": 8192, "ttft_p50": 0.5}},
        "wide": {"c4": ASKED},
        "states": {
            "c4": {**ASKED, "input_tokens_counted": 20_400, "completed": 10, "ttft_p50": 0.25, "ttft_prefill": 0.2}
        },
    }
    return memory_round(
        levels,
        of_series={"mixture": MIXTURE, "windows": WINDOWS, "wide": WIDE, "states": STATES},
        of_round=DEVICE,
        runs={("mixture", "c4", None): QUICK},
    )
