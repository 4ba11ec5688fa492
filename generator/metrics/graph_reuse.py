"""Compute-graph reuse of llama.cpp, from the counter its log prints when a request ends."""

from __future__ import annotations

from typing import Final

from generator.kinds import Answer, Unknown, metric, observed
from generator.places import column, log
from generator.text import Text
from generator.themes import DECODING

THEME: Final = DECODING

log_timing_lines = observed(
    "log_timing_lines",
    scope="level",
    unit="1",
    symbol="n_line",
    places=[column("log_timing_lines", "1"), log("timing_lines", "1")],
    digits=9,
    title=Text(zh="日志里的 timing 条数", en="timing lines in the log"),
    meaning=Text(
        zh="服务端日志里该档的 print_timing 条数，每条请求一条。",
        en="print_timing lines of the level, one per request.",
    ),
)
graphs_reused_increment = observed(
    "graphs_reused_increment",
    scope="level",
    unit="1",
    symbol="Δg",
    digits=9,
    places=[column("graphs_reused_increment", "1"), log("graphs_reused", "1")],
    title=Text(zh="graphs reused 增量", en="increment of graphs reused"),
    meaning=Text(
        zh="该档内 graphs reused 计数器的增量。",
        en="How far the graphs reused counter moved during the level.",
    ),
)
TOO_FEW: Final = Text(
    zh="请求太少，graphs reused 的两次读数之间没有整批的步",
    en="there are too few requests for whole batches between two readings of graphs reused",
)
log_graph_intervals = observed(
    "log_graph_intervals",
    scope="level",
    unit="1",
    symbol="n_Δg",
    digits=9,
    places=[log("graph_intervals", "1")],
    title=Text(zh="graphs reused 的读数间隔", en="intervals between readings of graphs reused"),
    meaning=Text(
        zh="日志里 graphs reused 的读数减一：增量是从第一条读数算起的，第一条请求自己的步不在其中。",
        en="Readings of graphs reused in the log, less one: the increment counts from the first, so the steps of that request "
        "are not in it.",
    ),
)


@metric(
    "graphs_reused_increment ÷ "
    "((log_timing_lines − (log_timing_lines − log_graph_intervals) × concurrency) × asked_output_tokens ÷ concurrency)",
    scope="level",
    unit="ratio",
    symbol="g",
    better="higher",
    style="percent",
    title=Text(zh="按步计的计算图复用率", en="graph reuse per step"),
    meaning=Text(
        zh="复用计算图的解码步占比；按所有槽位始终在忙估计步数，是上限。",
        en="Share of decode steps that reused the compute graph; an upper bound, since it takes all slots as busy.",
    ),
)
def graph_reuse_per_step(
    graphs_reused_increment: float,
    log_timing_lines: float,
    log_graph_intervals: float,
    asked_output_tokens: float,
    concurrency: float,
) -> Answer:
    """Return reused graphs ÷ batched decode steps between the first reading of the counter and the last.

    Where the first reading is that of a request of the run, it comes as the first of all slots ends: of each slot one
    request is behind it.
    """
    requests = log_timing_lines - (log_timing_lines - log_graph_intervals) * concurrency
    if requests <= 0:
        return Unknown(TOO_FEW)
    return graphs_reused_increment / (requests * asked_output_tokens / concurrency)


@graph_reuse_per_step.otherwise("graphs_reused_increment ÷ (log_timing_lines × asked_output_tokens ÷ concurrency)")
def graph_reuse_per_step_of_lines(
    graphs_reused_increment: float, log_timing_lines: float, asked_output_tokens: float, concurrency: float
) -> float:
    """Return reused graphs ÷ batched decode steps, where the increment is that of all requests."""
    return graphs_reused_increment / (log_timing_lines * asked_output_tokens / concurrency)


@metric(
    "graphs_reused_increment ÷ (log_timing_lines × asked_output_tokens)",
    scope="level",
    unit="ratio",
    symbol="g_tok",
    better="higher",
    style="percent",
    digits=4,
    title=Text(zh="按 token 计的计算图复用率（按原报告）", en="graph reuse per token, as published"),
    meaning=Text(zh="原报告的算法：分母是 token 数。", en="The published definition: the denominator counts tokens."),
    why=Text(
        zh="一个批处理步同时产出多个 token，计数器每步只加一次；以 token 为分母，复用率会随并发按 1/C 下降，与引擎无关。",
        en="A batched step yields a token for each slot and moves the counter once; over tokens the rate falls as "
        "1/C whatever the engine does.",
    ),
)
def graph_reuse_per_token__as_published(
    graphs_reused_increment: float, log_timing_lines: float, asked_output_tokens: float
) -> float:
    """Return reused graphs ÷ tokens, as the published report has it."""
    return graphs_reused_increment / (log_timing_lines * asked_output_tokens)


@metric(
    "log_timing_lines × asked_output_tokens ÷ concurrency",
    scope="level",
    unit="1",
    symbol="n_step",
    digits=9,
    title=Text(zh="解码步数", en="decode steps"),
    meaning=Text(
        zh="按所有槽位始终在忙估计：每个批处理步为每个槽位产出一个 token。",
        en="Estimated with all slots busy: a batched step yields a token for each.",
    ),
)
def decode_steps(log_timing_lines: float, asked_output_tokens: float, concurrency: float) -> float:
    """Return request tokens ÷ concurrency."""
    return log_timing_lines * asked_output_tokens / concurrency
