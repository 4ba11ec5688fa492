"""The reference server of the collector: it computes nothing, and its log imitates that of another."""

from __future__ import annotations

from generator.kinds import Engine, Launching
from generator.text import Text

LAUNCHING = Launching(loading=True, version="/version")

# What its log tells is told in the words of the engine whose style it has, and read as such: it has none of its own.
reference = Engine("reference", Text(zh="参考服务端（模拟）", en="reference server (simulated)"), launching=LAUNCHING)
