"""The cliff: the concurrency at which no further request fits in, computed beforehand and as it showed.

Computed, it is a wall: tokens of the KV pool ÷ those of a request at its end, or the slots of the scheduler where these are
fewer. It shows in what the engine says of itself (requests preempted, waiting, or failed for want of KV), or, of an engine
that says none of this, in what its clients feel: throughput that no longer rises while the TTFT jumps.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from generator.across.cliffs import FLAT, JUMP, WAITING
from generator.kinds import Column, Picked, Sparse, Unknown, logged, metric
from generator.numeric.statistics import count_between
from generator.text import Text
from generator.themes import SATURATION

THEME: Final = SATURATION

NO_LADDER: Final = Unknown(
    Text(zh="没有并发各不相同的闭环档位", en="there are no levels of a closed loop with different concurrencies")
)
NONE_KEPT: Final = Unknown(
    Text(
        zh="按到达率发送，在途的请求数不是给定的",
        en="requests are sent at a rate, which does not say how many are in flight",
    )
)
NO_SIGN: Final = Unknown(
    Text(
        zh="到最高的档位，引擎都没有抢占、排队或因 KV 放不下而让请求失败",
        en="up to the highest level the engine neither preempted nor queued requests, nor failed any for want of KV",
    )
)
NOT_FELT: Final = Unknown(
    Text(
        zh="引擎没有说是否排队；到最高的档位，也没有哪一档吞吐不再上升而 TTFT 突增",
        en="the engine does not say whether requests waited, and at no level did throughput stop rising while the TTFT jumped",
    )
)


@metric(
    "wall_memory",
    scope="series",
    unit="1",
    symbol="C_pred",
    better="higher",
    title=Text(zh="预测的悬崖", en="cliff as predicted"),
    meaning=Text(
        zh="KV 池的 token 数 ÷ 一条请求到结束时占的 token 数（块大小已知时取整到整块）：超过它，全部在途请求就不可能同时装下。",
        en="Tokens of the KV pool ÷ those that a request takes at its end, in whole blocks where their size is known: above it "
        "the requests in flight cannot all be held at full length.",
    ),
)
def cliff_predicted(wall_memory: float) -> float:
    """Take the memory wall."""
    return wall_memory


@metric(
    "min(cliff_predicted, wall_scheduler)",
    scope="series",
    unit="1",
    symbol="C_wall",
    better="higher",
    title=Text(zh="先到的墙", en="the wall that comes first"),
    meaning=Text(
        zh="预测的悬崖与调度墙中较小的一个：超过它就有请求要等或被抢占。只知道其中一个时就是它。",
        en="The lower of the predicted cliff and the scheduler's wall: above it requests wait or are preempted. Where one of "
        "them is known, that one.",
    ),
)
def cliff_wall(cliff_predicted: float, wall_scheduler: float) -> float:
    """Return the lower of the two."""
    return min(cliff_predicted, wall_scheduler)


@cliff_wall.otherwise("cliff_predicted")
def cliff_wall_of_pool(cliff_predicted: float) -> float:
    """Take that of the pool where no slots are known."""
    return cliff_predicted


@cliff_wall.otherwise("wall_scheduler")
def cliff_wall_of_scheduler(wall_scheduler: float) -> float:
    """Take that of the scheduler where no pool is known."""
    return wall_scheduler


@metric(
    "engine_pool_blocks_of_series ÷ kv_blocks_of_request × (mean(asked_input_tokens) + mean(asked_output_tokens))"
    " ÷ (mean(asked_input_tokens) + mean(asked_output_tokens) ÷ 2)",
    scope="series",
    over="ladder",
    unit="1",
    symbol="C_stag",
    better="higher",
    title=Text(zh="错开时装得下的请求", en="requests that fit when staggered"),
    meaning=Text(
        zh="KV 池 ÷ 一条请求平均占的（输入加一半输出）：在途请求彼此错开、并且引擎按需分配时，悬崖最晚在这里。",
        en="The KV pool ÷ what a request takes on average (input and half of the output): where requests are "
        "staggered and the engine gives them KV as they grow, the cliff comes here at the latest.",
    ),
)
def cliff_staggered(
    engine_pool_blocks_of_series: float,
    kv_blocks_of_request: float,
    asked_input_tokens: Column,
    asked_output_tokens: Column,
) -> float:
    """Return what fits of requests at full length, longer by as much as half of an answer is less."""
    asked, answer = float(asked_input_tokens.mean()), float(asked_output_tokens.mean())
    return engine_pool_blocks_of_series / kv_blocks_of_request * (asked + answer) / (asked + answer / 2)


@cliff_staggered.otherwise("kv_pool_tokens ÷ (mean(asked_input_tokens) + mean(asked_output_tokens) ÷ 2)")
def cliff_staggered_in_tokens(kv_pool_tokens: float, asked_input_tokens: Column, asked_output_tokens: Column) -> float:
    """Return tokens of the pool ÷ those of a request half-way through its answer."""
    return kv_pool_tokens / float(asked_input_tokens.mean() + asked_output_tokens.mean() / 2)


@metric(
    "kept_in_flight × request_tokens",
    scope="level",
    unit="tok",
    symbol="C × n_req",
    digits=5,
    title=Text(zh="全部在途请求到结束时的 token", en="tokens in flight at full length"),
    meaning=Text(
        zh="并发 × 一条请求的 token 数：全部在途请求都到结束时要占的 KV。",
        en="Concurrency × tokens of a request: the KV that all in flight would take at their end.",
    ),
)
def cliff_tokens(kept_in_flight: float, request_tokens: float) -> float | Unknown:
    """Return the tokens of all requests in flight at full length; under a rate nobody says how many are."""
    return kept_in_flight * request_tokens if kept_in_flight > 0 else NONE_KEPT


@metric(
    "server_preemptions",
    scope="level",
    unit="1",
    symbol="N_pre",
    better="lower",
    digits=9,
    title=Text(zh="抢占或收回", en="preempted or retracted"),
    meaning=Text(
        zh="因 KV 不够而让出位置、之后重算的次数：/metrics 的计数，没有就看日志。",
        en="How often a request gave up its place for want of KV, to be computed again: by /metrics, else by the log.",
    ),
)
def cliff_preemptions(server_preemptions: float) -> float:
    """Take the counter of the server."""
    return server_preemptions


@cliff_preemptions.otherwise("log_preemptions")
def cliff_preemptions_in_log(log_preemptions: float) -> float:
    """Take what the log says."""
    return log_preemptions


@cliff_preemptions.otherwise("log_retracted")
def cliff_retracted_in_log(log_retracted: float) -> float:
    """Take what SGLang calls retracted."""
    return log_retracted


@cliff_preemptions.otherwise("log_preemptions_at_least")
def cliff_preemptions_at_least(log_preemptions_at_least: float) -> float:
    """Take the lower bound that an old vLLM gives."""
    return log_preemptions_at_least


@metric(
    "gauge_waiting_mean",
    scope="level",
    unit="1",
    symbol="N̄_queue",
    better="lower",
    title=Text(zh="排队的请求，均值", en="mean requests waiting"),
    meaning=Text(
        zh="运行期间引擎自报的排队请求数的均值；没有采样时，用日志里的最大值 × 有请求排队的统计行占比，它只会偏大。",
        en="Mean of the requests that the engine said were waiting during the run. Without samples, the most in its log × the "
        "share of its lines that have any: no less than the mean.",
    ),
)
def cliff_waiting(gauge_waiting_mean: float) -> float:
    """Take the mean over samples."""
    return gauge_waiting_mean


@cliff_waiting.otherwise("log_waiting_most × log_waiting_share")
def cliff_waiting_in_log(log_waiting_most: float, log_waiting_share: float) -> float:
    """Return the most in a line × the share of lines with any."""
    return log_waiting_most * log_waiting_share


log_kv_full = logged(
    "kv_full",
    "1",
    "N_full,log",
    better="lower",
    title=Text(zh="日志里 KV 放不下的行", en="lines of the log that lack room for KV"),
    meaning=Text(
        zh="llama.cpp 在 KV cache 里找不到空位的次数。空闲槽位留着的旧 KV 也算占着：把它清掉或换小一点的批往往就放得下；连最小的批也放不下时，在途的请求一起失败。",
        en="How often llama.cpp found no free space in its KV cache. What idle slots keep of earlier requests counts as taken: it mostly "
        "fits once that is given up, or in smaller batches. Where the smallest does not fit, all requests in flight fail together.",
    ),
)


@metric(
    "min(log_kv_full, failed)",
    scope="level",
    unit="1",
    symbol="N_refused",
    better="lower",
    digits=9,
    title=Text(zh="KV 放不下而失败的请求", en="requests failed for want of KV"),
    meaning=Text(
        zh="失败的请求数，限于日志里有 KV 放不下的行的运行，且不多于这些行。",
        en="Failed requests of a run whose log lacks room for KV, and no more than it has such lines.",
    ),
)
def cliff_refused(log_kv_full: float, failed: float) -> float:
    """Return the failures that lines without room can stand for."""
    return min(log_kv_full, failed)


@metric(
    "first_sign(kept_in_flight, cliff_preemptions, cliff_waiting, cliff_refused, output_throughput, ttft_p50, ttft_p99)",
    scope="series",
    over="whole_ladder",
    unit="1",
    symbol="C_obs",
    better="higher",
    digits=9,
    title=Text(zh="实测的悬崖", en="cliff as observed"),
    meaning=Text(
        zh="由低到高第一个引擎有抢占、平均有 {waiting} 条以上请求排队、或请求因 KV 放不下而失败的并发；引擎都没有说时，是吞吐每翻一番多不到 {flat}、同时 TTFT p50 或 p99 超过上一档 {jump} 倍的第一个。",
        en="The lowest concurrency at which the engine preempted, had {waiting} requests or more waiting on average, or failed "
        "requests for want of KV. Of an engine that says none of it, the lowest at which throughput gains less than {flat} a doubling while "
        "the TTFT p50 or p99 is above {jump} times that of the level before.",
    ).format(waiting=f"{WAITING:g}", flat=f"{FLAT:.0%}", jump=f"{JUMP:g}"),
)  # fmt: skip
def cliff_observed(
    kept_in_flight: Column,
    cliff_preemptions: Sparse,
    cliff_waiting: Sparse,
    cliff_refused: Sparse,
    output_throughput: Sparse,
    ttft_p50: Sparse,
    ttft_p99: Sparse,
) -> Picked | Unknown:
    """Return the first level with a sign, and the rows up to it; levels under a rate are no rungs of this ladder."""
    rows = np.flatnonzero(kept_in_flight > 0)
    loads = kept_in_flight[rows]
    if len(rows) < 2 or (np.diff(loads) <= 0).any():  # noqa: PLR2004  # a ladder has two rungs
        return NO_LADDER
    told = np.isfinite(cliff_waiting[rows]) | np.isfinite(cliff_refused[rows])
    signs = _said(cliff_preemptions[rows], cliff_waiting[rows], cliff_refused[rows])
    if not signs.any() and not told.any():
        signs = _felt(loads, output_throughput[rows], ttft_p50[rows], ttft_p99[rows])
    if not signs.any():
        return NO_SIGN if told.any() else NOT_FELT
    first = int(np.flatnonzero(signs)[0])
    return Picked(float(loads[first]), rows=tuple(int(row) for row in rows[: first + 1]))


def _said(preempted: Sparse, waiting: Sparse, refused: Sparse) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return at which levels the engine itself says that not all fitted in."""
    nothing = [np.nan_to_num(column) for column in (preempted, waiting, refused)]
    return np.asarray((nothing[0] > 0) | (nothing[1] >= WAITING) | (nothing[2] > 0), dtype=np.bool_)


def _felt(
    loads: Column, throughput: Sparse, ttft_p50: Sparse, ttft_p99: Sparse
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return at which levels throughput is flat while the TTFT has jumped, both against the level before."""
    doublings = np.log2(loads[1:] / loads[:-1])
    known = [np.nan_to_num(column) for column in (throughput, ttft_p50, ttft_p99)]
    flat = known[0][1:] < known[0][:-1] * (1 + FLAT) ** doublings
    jumped = [(column[1:] > JUMP * column[:-1]) & (column[:-1] > 0) for column in known[1:]]
    return np.append(False, flat & (known[0][1:] > 0) & (jumped[0] | jumped[1]))


@metric(
    "count_between(kept_in_flight, 0, cliff_observed) − 1 − count_between(kept_in_flight, 0, cliff_wall)",
    scope="series",
    over="whole_ladder",
    unit="1",
    symbol="ΔC_levels",
    digits=9,
    title=Text(zh="预测与实测相差的档数", en="levels between prediction and observation"),
    meaning=Text(
        zh="实测的悬崖所在的档，减去第一个超过先到的墙的档：零为同一档，负数为早到，正数为晚到。",
        en="The level of the cliff as observed less the first level above the wall that comes first: zero where it is the same, "
        "below zero where the cliff came early, above where it came late.",
    ),
)
def cliff_gap_levels(kept_in_flight: Column, cliff_observed: float, cliff_wall: float) -> float:
    """Return how many rungs of the ladder lie between the two."""
    loads = np.sort(kept_in_flight)
    return count_between(loads, 0, cliff_observed) - 1 - count_between(loads, 0, cliff_wall)
