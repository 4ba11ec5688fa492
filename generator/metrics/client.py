"""What the load client says of a run, compared with the same statistic taken from the requests that it recorded."""

from __future__ import annotations

from typing import Any, Final

from generator.kinds import REPORTED, Column, Derivation, Metric, Parameter, metric
from generator.numeric import statistics
from generator.text import Text
from generator.themes import CLIENT

THEME: Final = CLIENT

WHY: Final = Text(
    zh="客户端自报的统计量与由逐条请求算出的统计量是同一个量的两种来源；对得上，才说明两边的定义一致。",
    en="The client's own statistic and the one recomputed from per-request records are two sources of one quantity; "
    "only where they agree do both use the same definition.",
)
MEANING: Final = Text(
    zh="由逐条请求算出的 {name}，比客户端自报的多出的部分；为负表示更小。",
    en="How far the {name} recomputed from per-request records is above the one that the client gives; negative "
    "where below.",
)
TITLE: Final = Text(zh="{name} 与客户端自报值之差", en="{name} against the client's own")
THROUGHPUT: Final = Text(zh="输出吞吐", en="output throughput")


def _departure(quantity: str, statistic: str) -> Metric:
    key, sample = f"{quantity}_{statistic}", f"request_{quantity}"
    name = Text(
        zh=f"{quantity.upper()} {'均值' if statistic == 'mean' else statistic}", en=f"{quantity.upper()} {statistic}"
    )

    def departure(**given: Any) -> float:
        return float(statistics.statistic(statistic, given[sample]) / given[key] - 1)

    inputs = (Parameter(sample, is_column=False, is_sample=True), Parameter(key, is_column=False))
    return Metric(
        f"{key}_departure", scope="level", unit="ratio", style="percent", symbol=f"ε_{quantity.upper()}_{statistic}",
        basis=REPORTED, why=WHY, meaning=MEANING.format(name=name),
        title=Text(zh=TITLE.format(name=name).zh.strip(), en=TITLE.format(name=name).en),
        derivations=[Derivation(departure, f"{statistics.formula(statistic, sample)} ÷ {key} − 1", inputs)],
    )  # fmt: skip


departures = (
    _departure("ttft", "p50"),
    _departure("ttft", "p99"),
    _departure("itl", "p50"),
    _departure("itl", "p99"),
    _departure("tpot", "mean"),
    _departure("e2el", "p50"),
)


@metric(
    "sum(request_output_tokens) ÷ duration ÷ output_throughput − 1",
    scope="level",
    unit="ratio",
    style="percent",
    symbol="ε_X",
    why=WHY,
    title=TITLE.format(name=THROUGHPUT),
    meaning=MEANING.format(name=THROUGHPUT),
)
def output_throughput_departure__reported(
    request_output_tokens: Column, duration: float, output_throughput: float
) -> float:
    """Return the tokens of all answers a second ÷ what the client says − 1. Seconds, tok/s in."""
    return float(request_output_tokens.sum()) / duration / output_throughput - 1
