"""Whether a server keeps prompts for later requests: by what it says itself, else by the flags it was started with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

SAID: Final = re.compile(r'^vllm:cache_config_info\{[^\n]{0,4000}?\benable_prefix_caching="(\w+)"', re.MULTILINE)
"""vLLM's configuration, as labels of a gauge at /metrics."""
WORDS: Final = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Switch:
    """The flags of a kind of server that turn its cache on and off, without dashes; it is on where neither is given."""

    on: str
    off: str


SWITCHES: Final = {
    "vllm": Switch("enable-prefix-caching", "no-enable-prefix-caching"),
    "sglang": Switch("enable-radix-cache", "disable-radix-cache"),
    "llamacpp": Switch("cache-prompt", "no-cache-prompt"),
}
"""The defaults are those of vLLM since its V1 engine, of every SGLang, and of llama.cpp since the end of 2024."""


def prefix_cache_of(kind: str | None, flags: Mapping[str, str] | None, metrics_page: str) -> bool | None:
    """Return whether the prefix cache is on; None where nothing tells.

    Args:
        kind: of the server, as round.toml has it.
        flags: by name without dashes; None where the server was not started here.
        metrics_page: what it answers at /metrics; empty where it answers nothing.
    """
    said = SAID.search(metrics_page)
    if said is not None:
        return WORDS.get(said[1].lower())
    switch = SWITCHES.get(kind or "")
    if switch is None or flags is None:
        return None
    if flags.get(switch.on) == "false":  # vLLM once took it so
        return False
    return switch.off not in flags
