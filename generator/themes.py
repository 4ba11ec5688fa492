"""Themes: what metrics and checks are about, so that readers find them beside their likes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from generator.text import Text


@dataclass(frozen=True, slots=True)
class Theme:
    """What a family of metrics, or a check, is about; ``key`` is a part of its anchor."""

    key: str
    title: Text


LATENCY: Final = Theme("latency", Text(zh="时延", en="Latency"))
THROUGHPUT: Final = Theme("throughput", Text(zh="吞吐与扩展", en="Throughput and scaling"))
LOAD: Final = Theme("load", Text(zh="负载与到达", en="Load and arrivals"))
SATURATION: Final = Theme("saturation", Text(zh="饱和与悬崖", en="Saturation and cliffs"))
FLOORS: Final = Theme("floors", Text(zh="下限与上限", en="Floors and ceilings"))
FIRST_TOKEN: Final = Theme("prefill", Text(zh="TTFT 与 prefill", en="TTFT and prefill"))
CACHING: Final = Theme("caching", Text(zh="prompt 与缓存", en="Prompts and caches"))
DECODING: Final = Theme("steps", Text(zh="解码步与停顿", en="Decode steps and stalls"))
TOKENS: Final = Theme("tokens", Text(zh="token 与长度", en="Tokens and lengths"))
MEMORY: Final = Theme("memory", Text(zh="显存与 KV", en="Memory and KV"))
COMPARISON: Final = Theme("comparison", Text(zh="系列之间的比较", en="Series against series"))
FAIRNESS: Final = Theme("fairness", Text(zh="同等条件", en="Like against like"))
COLD_START: Final = Theme("cold_start", Text(zh="冷启动", en="Cold start"))
COST: Final = Theme("cost", Text(zh="成本与能耗", en="Cost and energy"))
TRAFFIC: Final = Theme("traffic", Text(zh="用户的负载", en="The load of users"))
CLIENT: Final = Theme("client", Text(zh="压测客户端", en="The load client"))
SERVER: Final = Theme("server", Text(zh="服务端自己的记录", en="The server's own records"))
MACHINE: Final = Theme("machine", Text(zh="模型与机器", en="Model and machine"))
RECORDS: Final = Theme("records", Text(zh="数据与陈述", en="Data and statements"))

THEMES: Final = (
    LATENCY, THROUGHPUT, LOAD, SATURATION, FLOORS, FIRST_TOKEN, DECODING, TOKENS, CACHING, MEMORY, COMPARISON, FAIRNESS,
    COLD_START, COST, TRAFFIC, CLIENT, SERVER, MACHINE, RECORDS,
)  # fmt: skip
"""All of them, in the order in which pages list them."""
