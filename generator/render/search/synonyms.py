"""Words of one meaning: whoever types one of a group also finds places that say another, behind those that say it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

SYNONYMS: Final[tuple[tuple[str, ...], ...]] = (
    ("时延", "延迟", "响应时间", "latency", "latencies", "delay", "response time"),
    ("吞吐", "吞吐量", "throughput", "tokens per second", "tps"),
    (
        "TTFT", "首个 token", "首 token", "首token", "首字", "首字延迟", "首字时延", "首包", "首包延迟", "首包时延",
        "首 token 延迟", "首token延迟", "time to first token", "first token", "first-token latency",
    ),
    ("ITL", "TPOT", "逐字延迟", "每 token 时延", "inter-token latency", "time per output token"),
    ("E2EL", "端到端时延", "端到端延迟", "end-to-end latency", "total latency"),
    ("prefill", "预填充", "预填"),
    ("decode", "解码", "decoding"),
    ("塌陷", "凹陷", "骤降", "吞吐下降", "吞吐下跌", "dip", "dips", "collapse", "throughput drop"),
    ("交叉点", "交叉", "crossover", "break-even"),
    ("GPU", "显卡", "加速卡", "graphics card", "accelerator"),
    ("显存", "VRAM", "GPU memory", "device memory"),
    ("上下文", "上下文长度", "上下文窗口", "context", "context length", "context window", "max-model-len", "ctx-size"),
    ("并发", "并发数", "concurrency", "parallel requests"),
    ("到达率", "请求速率", "request rate", "QPS", "RPS"),
    ("排队", "队列", "queue", "queueing", "waiting requests"),
    ("长尾", "尾延迟", "尾部时延", "尾部", "p99", "tail", "tail latency"),
    ("样本量", "样本数", "请求太少", "请求数太少", "sample size", "few requests", "too few requests", "few samples"),
    ("下限", "地板", "floor", "lower bound"),
    ("差距", "差别", "差异", "gap", "difference", "differences"),
    ("误差", "偏差", "滞后", "deviation", "lag"),
    ("prompt cache", "prefix cache", "prefix caching", "前缀缓存"),
    ("冷启动", "冷启动时间", "启动时间", "cold start", "cold start time", "startup time", "start-up time"),
    ("量化", "精度", "quantization", "quantisation", "precision"),
    ("成本", "价格", "费用", "cost", "price"),
    ("失败", "失败请求", "报错", "错误率", "failed", "failures", "errors", "error rate"),
    ("选型", "场景", "推荐", "guide", "recommendation", "which engine"),
    ("引用", "怎样引用", "cite", "citation", "BibTeX"),
    ("排除", "被排除", "excluded", "left out", "leave out", "dropped levels"),
    ("加速", "加速比", "speed-up", "speedup", "speed up"),
    ("Little 定律", "利特尔定律", "Little's law"),
    ("结论", "verdict", "conclusion", "conclusions"),
    ("稳态", "steady part", "steady state"),
    ("能耗", "能效", "每瓦吞吐", "energy", "throughput per watt", "tokens per watt", "energy efficiency"),
    ("显著性", "统计显著", "p 值", "significance", "statistical significance", "p value"),
    ("复现", "重现", "可复现", "reproduce", "reproducing", "reproducible", "reproducibility", "doing it again"),
    ("利用率", "占用率", "使用率", "utilisation", "utilization", "usage"),
    ("功率", "功耗", "power", "power consumption", "power draw"),
    ("KV cache", "KV 缓存", "KV缓存"),
    ("装得下", "放得下", "够不够", "fits into memory", "fit into memory", "fits in memory", "fit in memory"),
    ("下载", "原始数据", "压缩包", "download", "zip", "archive", "raw data"),
)  # fmt: skip
"""Each group in both languages: pages of either keep terms of art in English. A word stands in one group alone."""

Device = Literal["gpu", "cpu"]
DEVICES: Final[Mapping[Device, tuple[str, ...]]] = {
    "gpu": ("GPU", "GPUs", "显卡", "加速卡", "graphics card", "accelerator"),
    "cpu": (
        "CPU", "CPUs", "处理器", "no GPU", "without GPU", "without a GPU", "无 GPU", "无GPU", "没有 GPU", "没有GPU",
        "无显卡", "没有显卡",
    ),
}  # fmt: skip
"""Words for the kinds of devices that a round may have run on: whoever types one wants such rounds first."""
