"""Speed-up at the lowest load: what the bytes predict, and what was measured."""

from __future__ import annotations

from typing import Final

from generator.kinds import WITHOUT_EMBEDDING, Column, Picked, metric
from generator.text import Text
from generator.themes import COMPARISON

THEME: Final = COMPARISON


@metric(
    "first(baseline_bytes_per_step) ÷ first(compared_bytes_per_step)",
    scope="pair",
    over="ladder",
    unit="ratio",
    symbol="S_pred",
    better="higher",
    style="times",
    follows=(WITHOUT_EMBEDDING,),
    title=Text(zh="字节账预测的加速", en="speed-up predicted by byte counts"),
    meaning=Text(
        zh="最低并发下两边每步字节之比。",
        en="Bytes per step, baseline ÷ compared series, at the lowest level.",
    ),
)
def predicted_speedup(baseline_bytes_per_step: Column, compared_bytes_per_step: Column) -> Picked:
    """Return the ratio of the bytes of a step, lowest shared level."""
    return Picked(float(baseline_bytes_per_step[0] / compared_bytes_per_step[0]), rows=(0,))


@metric(
    "first(baseline_itl_p50) ÷ first(compared_itl_p50)",
    scope="pair",
    over="ladder",
    unit="ratio",
    symbol="S",
    better="higher",
    style="times",
    title=Text(zh="实测加速", en="measured speed-up"),
    meaning=Text(
        zh="最低并发下两边 ITL p50 之比。",
        en="ITL p50 of the baseline ÷ the compared series at the lowest level.",
    ),
)
def measured_speedup(baseline_itl_p50: Column, compared_itl_p50: Column) -> Picked:
    """Return the ratio of the median gaps, lowest shared level."""
    return Picked(float(baseline_itl_p50[0] / compared_itl_p50[0]), rows=(0,))


@metric(
    "measured_speedup ÷ predicted_speedup",
    scope="pair",
    unit="ratio",
    symbol="S ÷ S_pred",
    better="higher",
    style="percent",
    follows=(WITHOUT_EMBEDDING,),
    title=Text(zh="预测达成率", en="share of the prediction attained"),
    meaning=Text(
        zh="恒等于两边 MBU 之比，所以不能当作反量化开销的证据。",
        en="Always equal to the ratio of the two MBUs, and so not evidence of what dequantisation costs.",
    ),
)
def predicted_speedup_attained(measured_speedup: float, predicted_speedup: float) -> float:
    """Return measured ÷ predicted."""
    return measured_speedup / predicted_speedup
