"""What was sampled beside the runs: GPUs, the server's memory, the client, the engine's queue; a run's, and a series'.

Of a run are samples that lie in its folder, or that can be cut to it by a clock that both share; of a series, all samples
of its own: the time between the runs, and the loading of the model, are in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from generator.kinds import Metric, observed
from generator.places import OF_SERIES, Place, counters, telemetry
from generator.text import Text
from generator.themes import MACHINE
from generator.told.sentence import Style

THEME: Final = MACHINE

SUFFIX: Final = "_of_series"
TITLE: Final = Text(zh="{title}（整个系列的采样）", en="{title}, over all samples of the series")
MEANING: Final = Text(
    zh="{meaning}取自该系列的全部采样，档位之间的空闲也在内。",
    en="{meaning} Over all samples of the series: what lies between its runs is among them.",
)
BASE: Final = {"MHz": "Hz", "MiB": "B", "GiB": "B"}


class Sampled(NamedTuple):
    """A statistic of samples as a metric: its key, its name among the statistics, the unit of the report."""

    key: str
    statistic: str
    unit: str
    symbol: str
    title: Text
    meaning: Text
    style: Style = "plain"


SAMPLED: Final = (
    Sampled(
        "gpu_utilisation_mean", "utilisation_gpu.mean", "ratio", "u_gpu",
        Text(zh="GPU 利用率均值", en="mean GPU utilisation"),
        Text(zh="有 kernel 在运行的时间份额，不是占满的程度；各 GPU 平均。", en="Share of time in which a kernel ran, not how full the GPU was; mean over the GPUs in use."),
        "percent",
    ),
    Sampled(
        "gpu_utilisation_max", "utilisation_gpu.max", "ratio", "max u_gpu",
        Text(zh="GPU 利用率最大值", en="largest GPU utilisation"),
        Text(zh="采样到的最大利用率；超过 100% 说明口径有误。", en="The largest utilisation sampled; above 100%, it counts something else."),
        "percent",
    ),
    Sampled(
        "gpu_power_mean", "power.mean", "W", "P_gpu",
        Text(zh="GPU 平均功率", en="mean GPU power"),
        Text(zh="每块在用 GPU 的平均功率。", en="Mean power of one GPU in use."),
    ),
    Sampled(
        "gpu_power_max", "power.max", "W", "max P_gpu",
        Text(zh="GPU 最大功率", en="largest GPU power"),
        Text(zh="单块 GPU 采样到的最大功率。", en="The largest power of one GPU that was sampled."),
    ),
    Sampled(
        "gpu_power_while_capped", "power.while_capped", "W", "P_gpu,cap",
        Text(zh="触及功率上限时的 GPU 功率", en="GPU power while capped"),
        Text(zh="SW power cap 生效的采样上的平均功率。", en="Mean power over the samples at which the software power cap was active."),
    ),
    Sampled(
        "gpu_power_limit", "power_limit.min", "W", "P_limit",
        Text(zh="GPU 功率上限", en="power limit of the GPU"),
        Text(zh="驱动报告的生效上限，取各 GPU 中最低的。", en="The limit in force as the driver gives it; the lowest of the GPUs."),
    ),
    Sampled(
        "gpu_energy", "energy.difference", "J", "E_gpu",
        Text(zh="GPU 能耗", en="energy of the GPUs"),
        Text(zh="能量计数器末次读数减首次读数，各 GPU 合计。", en="Last minus first reading of the energy counters, all GPUs in use together."),
    ),
    Sampled(
        "gpu_energy_by_power", "energy.power_times_time", "J", "P_gpu·t",
        Text(zh="由功率推得的 GPU 能耗", en="energy of the GPUs by their power"),
        Text(zh="能量计数器首末读数之间，平均功率 × 时间，各 GPU 合计。", en="Mean power × time between the first and the last reading of each energy counter, all GPUs in use together."),
    ),
    Sampled(
        "gpu_clock_sm_mean", "sm_clock.mean", "MHz", "f_SM",
        Text(zh="SM 时钟均值", en="mean SM clock"),
        Text(zh="各采样的平均 SM 时钟，各 GPU 平均。", en="Mean SM clock over all samples and GPUs in use."),
    ),
    Sampled(
        "gpu_clock_sm_min", "sm_clock.min_under_load", "MHz", "min f_SM",
        Text(zh="负载下的最低 SM 时钟", en="lowest SM clock under load"),
        Text(zh="利用率过半的采样上的最低 SM 时钟；空闲时降频是正常的。", en="The lowest SM clock at samples with a utilisation of at least a half: idle clocks are low by design."),
    ),
    Sampled(
        "gpu_clock_sm_max", "sm_clock.max", "MHz", "max f_SM",
        Text(zh="最高 SM 时钟", en="highest SM clock"),
        Text(zh="采样到的最高 SM 时钟。", en="The highest SM clock sampled."),
    ),
    Sampled(
        "gpu_clock_sm_limit", "sm_clock_most.max", "MHz", "f_SM,most",
        Text(zh="SM 时钟上限", en="SM clock that the GPU can reach"),
        Text(zh="驱动报告的最高 SM 时钟。", en="The highest SM clock that the driver names."),
    ),
    Sampled(
        "gpu_clock_memory_max", "memory_clock.max", "MHz", "max f_mem",
        Text(zh="最高显存时钟", en="highest memory clock"),
        Text(zh="采样到的最高显存时钟。", en="The highest clock of the GPU's memory that was sampled."),
    ),
    Sampled(
        "gpu_temperature_max", "temperature.max", "°C", "max T_gpu",
        Text(zh="GPU 最高温度", en="highest GPU temperature"),
        Text(zh="采样到的最高温度。", en="The highest temperature sampled."),
    ),
    Sampled(
        "gpu_memory_used_max", "memory_used.max", "GiB", "max M_gpu",
        Text(zh="采样到的最大显存占用", en="largest GPU memory sampled"),
        Text(zh="单块 GPU 采样到的最大显存占用。", en="The largest memory in use on one GPU that was sampled."),
    ),
    Sampled(
        "gpu_throttled_share", "event_reasons.throttled", "ratio", "f_throttled",
        Text(zh="被降频的采样份额", en="share of samples throttled"),
        Text(zh="时钟因功率或过热被压低的采样份额，取最严重的一块；空闲与设定时钟不算。", en="Share of samples at which power or heat held the clocks down, of the GPU with most of them; idle or set clocks are none."),
        "percent",
    ),
    Sampled(
        "gpu_held_share", "event_reasons.held", "ratio", "f_held",
        Text(zh="因过热或硬件制动被降频的采样份额", en="share of samples held down by heat or hardware"),
        Text(zh="同上，但不含 SW power cap：许多卡满载时本就运行在功率上限。", en="The same without the software power cap, at which many boards run under full load."),
        "percent",
    ),
    Sampled(
        "gpu_power_capped_share", "event_reasons.capped", "ratio", "f_capped",
        Text(zh="触及功率上限的采样份额", en="share of samples at the power cap"),
        Text(zh="SW power cap 生效的采样份额，取最多的一块。", en="Share of samples with the software power cap active, of the GPU with most of them."),
        "percent",
    ),
    Sampled(
        "gpu_throttle_reasons", "event_reasons.union", "1", "reasons",
        Text(zh="降频原因", en="reasons of throttling"),
        Text(zh="出现过的降频原因，各位相加：4 功率上限，8 硬件降频，32 软件过热，64 硬件过热，128 功率制动。", en="Bits of all reasons that occurred, added up: 4 power cap, 8 hardware slowdown, 32 software thermal, 64 hardware thermal, 128 power brake."),
    ),
    Sampled(
        "gpu_throttled_after", "event_reasons.first", "s", "t_throttled",
        Text(zh="开始降频的时刻", en="time until throttling"),
        Text(zh="从运行开始（或首个采样）到首个被降频的采样。", en="From the beginning of the run, or the first sample, to the first one that is throttled."),
    ),
    Sampled(
        "gpu_samples", "gpu.samples", "1", "N_sample",
        Text(zh="GPU 采样数", en="samples of the GPU"),
        Text(zh="采样的时刻数。", en="Moments at which the GPU was sampled."),
    ),
    Sampled(
        "gpu_sample_gap_max", "gpu.gap", "s", "max Δt_sample",
        Text(zh="最长采样间隔", en="longest time between samples"),
        Text(zh="相邻采样之间的最长间隔；能切到一次运行时，首尾也算。", en="The longest time between two samples; in a run that was cut out, its ends count too."),
    ),
    Sampled(
        "client_cpu_max", "client.cpu.max", "1", "max n_cpu",
        Text(zh="客户端占用的 CPU 核数峰值", en="most CPU cores taken by the client"),
        Text(zh="客户端进程每秒用掉的 CPU 秒数的最大值。", en="The most CPU seconds that the client spent in a second."),
    ),
    Sampled(
        "server_rss_max", "server.rss.max", "GiB", "max M_server",
        Text(zh="服务端进程的内存峰值", en="most memory of the server's processes"),
        Text(zh="服务端及其子进程采样到的最大常驻内存。", en="The largest resident memory of the server and its children that was sampled."),
    ),
    Sampled(
        "engine_running_max", "engine.running.max", "1", "max N_running",
        Text(zh="引擎同时处理的请求峰值", en="most requests running in the engine"),
        Text(zh="引擎自报的处理中请求数的最大值。", en="The largest number of running requests that the engine gave."),
    ),
    Sampled(
        "engine_waiting_max", "engine.waiting.max", "1", "max N_waiting",
        Text(zh="引擎排队请求峰值", en="most requests waiting in the engine"),
        Text(zh="引擎自报的排队请求数的最大值。", en="The largest number of waiting requests that the engine gave."),
    ),
    Sampled(
        "engine_kv_usage_max", "engine.kv_usage.max", "ratio", "max u_KV",
        Text(zh="引擎自报的 KV 占用峰值", en="largest KV usage that the engine gave"),
        Text(zh="引擎自报的 KV 池占用份额的最大值；多个引擎取最满的。", en="The largest share of the KV pool in use that the engine gave; of several engines the fullest."),
        "percent",
    ),
    Sampled(
        "engine_block_tokens", "engine.block_tokens.max", "tok", "n_block",
        Text(zh="引擎自报的 KV 块大小", en="KV block that the engine gave"),
        Text(zh="KV 池按块分配时一块装下的 token 数（vLLM 的 cache_config_info）。", en="Tokens of a block, where the KV pool is allotted in blocks (vLLM's cache_config_info)."),
    ),
    Sampled(
        "engine_pool_blocks", "engine.pool_blocks.max", "1", "N_block",
        Text(zh="引擎自报的 KV 块数", en="KV blocks that the engine gave"),
        Text(zh="一个引擎的 KV 池有多少块（vLLM 的 cache_config_info）。", en="Blocks of the KV pool of one engine (vLLM's cache_config_info)."),
    ),
)  # fmt: skip
FROM_PAGES: Final = {"engine_kv_usage_max": "kv_usage"}
"""Metrics that pages of /metrics tell as well."""


def _places(one: Sampled, behind: str) -> Iterator[Place]:
    yield telemetry(one.statistic + behind, BASE.get(one.unit, one.unit))
    if one.key in FROM_PAGES:
        yield counters(FROM_PAGES[one.key] + behind, one.unit)


def _of_run(one: Sampled) -> Metric:
    return observed(
        one.key, scope="level", unit=one.unit, symbol=one.symbol, title=one.title, meaning=one.meaning,
        style=one.style, places=_places(one, ""), digits=9 if one.unit == "1" else 3,
    )  # fmt: skip


def _of_series(one: Sampled) -> Metric:
    return replace(
        _of_run(one), key=one.key + SUFFIX, scope="series", title=TITLE.format(title=one.title),
        meaning=MEANING.format(meaning=one.meaning), places=tuple(_places(one, OF_SERIES)),
    )  # fmt: skip


of_runs: Final = tuple(map(_of_run, SAMPLED))
of_series: Final = tuple(map(_of_series, SAMPLED))
