"""The reference server of the collector: it computes nothing, and its log imitates that of another."""

from __future__ import annotations

import re

from generator.kinds import Engine, Launching
from generator.text import Text

# Its lines for a request are those of the engine whose style it has, and are counted as such; it has none of its own.
NONE_OF_ITS_OWN = re.compile(rb"reference server takes up a request")

LAUNCHING = Launching(loading=True, version="/version")

reference = Engine(
    "reference",
    Text(zh="参考服务器（模拟）", en="reference server (simulated)"),
    "reference server",
    NONE_OF_ITS_OWN,
    LAUNCHING,
)
