"""Where numbers may be written down: the columns of published.csv and the keys of published.toml."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.catalogue import Catalogue
from generator.places import Place, PlaceKind
from generator.reference.markdown import code, table
from generator.text import Lang, Text, same
from generator.units import UNITLESS

HEADS: Final = (
    Text(zh="名称", en="name"),
    Text(zh="单位", en="unit"),
    Text(zh="是什么", en="what it is"),
    Text(zh="含义", en="meaning"),
)
FILES: Final[Mapping[PlaceKind, Text]] = {
    "column": same("published.csv"),
    "setting": same("round.toml"),
    "fact": same("published.toml"),
    "log": Text(zh="日志", en="log"),
    "record": Text(zh="采集记录", en="record of the collector"),
    "telemetry": Text(zh="采样", en="samples"),
    "counters": same("/metrics"),
    "architecture": Text(zh="模型文件", en="files of the model"),
    "device": Text(zh="设备", en="device"),
    "flags": Text(zh="引擎参数", en="flags of the engine"),
}
"""Where a place of a kind lies."""


def table_of_places(kind: PlaceKind, catalogue: Catalogue, lang: Lang) -> str:
    """Return the places of a kind with the metric that each is of."""
    rows = [
        (code(place.name), unit(place.unit), metric.title[lang], metric.meaning[lang])
        for place, metric in catalogue.graph.places().items()
        if place.kind == kind
    ]
    return table(HEADS, rows, lang)


def unit(name: str) -> str:
    """Return a unit as a table shows it; nothing where there is none."""
    return "" if name in UNITLESS else name


def said(place: Place, lang: Lang) -> str:
    """Say where a number may be written down."""
    return Text(zh="{file}：{name}", en="{file}: {name}").format(file=FILES[place.kind], name=code(place.name))[lang]
