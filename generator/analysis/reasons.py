"""Why a value is not known: what is said where there is no number."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from generator.places import PlaceKind
from generator.text import Text

NO_LEVEL = Text(zh="没有可用的档位", en="there is no usable level")
NOT_RECORDED = Text(zh="没有记录{title}（{where}）", en="there is no record of {title} ({where})")
NOT_RECORDED_OF = Text(
    zh="没有记录 {owner} 的{title}（{where}）", en="there is no record of {title} for {owner} ({where})"
)
NOWHERE = Text(
    zh="没有哪个可用档位记全了所需的数，例如{reason}",
    en="no usable level records everything needed; for example, {reason}",
)
NO_START: Final[Mapping[str, Text]] = {
    "cold": Text(zh="没有哪次启动之前模型文件不在内存里", en="no start found the model's files outside the page cache"),
    "warm": Text(zh="没有哪次启动之前模型文件已在内存里", en="no start found the model's files in the page cache"),
    "unknown": Text(
        zh="每次启动之前模型文件在不在内存里都是知道的，或者没有启动记录",
        en="of every start on record it is known whether it found the model's files in the page cache",
    ),
}
"""Why there is no start of a kind."""
NO_BASELINE = Text(zh="没有声明基线", en="no baseline is declared")
NO_REQUESTS = Text(zh="没有逐条请求的记录", en="there is no record of the single requests")
NOT_REPORTED = Text(zh="压测工具没有给出{title}", en="the client does not give {title}")
PLACES: Mapping[PlaceKind, Text] = {
    "column": Text(zh="published.csv 的 {name} 列", en="column {name} of published.csv"),
    "setting": Text(zh="round.toml 的 {name}", en="{name} of round.toml"),
    "fact": Text(zh="published.toml 的 {name}", en="{name} of published.toml"),
    "log": Text(zh="{name}", en="{name}"),
    "record": Text(zh="{name}", en="{name}"),
    "telemetry": Text(zh="采样 {name}", en="samples: {name}"),
    "counters": Text(zh="/metrics 里的 {name}", en="{name} on pages of /metrics"),
    "architecture": Text(zh="architecture.json 的 {name}", en="{name} of architecture.json"),
    "device": Text(zh="设备的 {name}", en="{name} of the device"),
    "flags": Text(zh="启动参数里的 {name}", en="{name} by the server's flags"),
}


@lru_cache(maxsize=16384)
def not_recorded(title: Text, kind: PlaceKind, name: str, owner: str | None = None) -> Text:
    """Say where a number would be written down, and of which series and level.

    Half of all values of a round are not known, and most of them are asked for twice.
    """
    where = PLACES[kind].format(name=name)
    if owner is None:
        return NOT_RECORDED.format(title=_behind_chinese(title), where=where)
    return NOT_RECORDED_OF.format(title=_behind_chinese(title), where=where, owner=owner)


@lru_cache(maxsize=4096)
def not_reported(title: Text) -> Text:
    """Say that the client did not give a number."""
    return NOT_REPORTED.format(title=_behind_chinese(title))


def _behind_chinese(title: Text) -> Text:
    """Return a title as it stands behind a Chinese word: with a space before Latin."""
    return Text(zh=f" {title.zh}" if title.zh[:1].isascii() else title.zh, en=title.en)
