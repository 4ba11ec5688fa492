"""The server's log and the client over all levels: do they count the same requests, and how many are of the warm-up?"""

from __future__ import annotations

from typing import Final

from generator.kinds import Column, metric, observed
from generator.places import fact
from generator.text import Text
from generator.themes import SERVER

THEME: Final = SERVER

warm_up_log_lines = observed(
    "warm_up_log_lines",
    scope="series",
    unit="1",
    symbol="N_log,warm",
    digits=9,
    places=[fact("server.warm_up_log_lines", "1")],
    title=Text(zh="预热的 timing 条数", en="timing lines of the warm-up"),
    meaning=Text(
        zh="服务端日志里、第一档开始之前的 timing 条数。",
        en="Timing lines of the server's log that lie before the first level.",
    ),
)


@metric(
    "sum(log_timing_lines)",
    scope="series",
    unit="1",
    symbol="Σℓ",
    over="trials",
    digits=9,
    title=Text(zh="timing 条数之和", en="timing lines in all"),
    meaning=Text(
        zh="该系列全部档位的 timing 条数之和，不含预热。",
        en="Timing lines over all levels of the series, without those of the warm-up.",
    ),
)
def log_timing_lines_total(log_timing_lines: Column) -> float:
    """Add up the timing lines of all levels."""
    return float(log_timing_lines.sum())


@metric(
    "sum(completed)",
    scope="series",
    unit="1",
    symbol="ΣN_ok",
    over="trials",
    digits=9,
    title=Text(zh="完成数之和", en="requests completed in all"),
    meaning=Text(zh="该系列全部档位的完成数之和。", en="Completed requests over all levels of the series."),
)
def completed_total(completed: Column) -> float:
    """Add up the completed requests of all levels."""
    return float(completed.sum())
