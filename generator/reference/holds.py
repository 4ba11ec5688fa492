"""What a key of round.toml may hold, in words: its type, and the bounds of a number."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Annotated, Final, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from generator.declared.table_types import Words
from generator.reference.markdown import code
from generator.text import LANGS, Text, same

PLAIN: Final[Mapping[object, Text]] = {
    str: Text(zh="文本", en="string"),
    Words: Text(zh="一句话", en="words"),
    datetime.date: Text(zh="日期", en="date"),
    int: Text(zh="整数", en="whole number"),
    float: Text(zh="数", en="number"),
    bool: Text(zh="true 或 false", en="true or false"),
}
LIST: Final = Text(zh="文本列表", en="list of strings")
TABLE: Final = Text(zh="表", en="table")
OR: Final = Text(zh=" 或 ", en=" or ")
BETWEEN_HAN: Final = re.compile(r"(?<=[\u4e00-\u9fff]) 或 (?=[\u4e00-\u9fff])")
BOUNDS: Final[Mapping[tuple[bool, bool, bool], Text]] = {
    (True, False, False): Text(zh="{kind}，大于 {over}", en="{kind} above {over}"),
    (True, False, True): Text(zh="{kind}，大于 {over}，不超过 {most}", en="{kind} above {over}, {most} at most"),
    (False, True, False): Text(zh="{kind}，不小于 {least}", en="{kind} from {least}"),
    (False, True, True): Text(zh="{kind}，{least} 至 {most}", en="{kind} from {least} to {most}"),
}
"""Whether there is a number that it must exceed, a least one and a highest one -> how that is said."""
BEYOND_ALL: Final = 1e9
"""A highest number from here on only keeps out what is no number of anything: it is not told."""


def holds(annotation: object) -> Text:
    """Say what a key of a type holds; of an annotated number with its bounds."""
    if get_origin(annotation) is Annotated:
        inner, *marks = get_args(annotation)
        return _bounded(holds(inner), list(_marks(marks)))
    if get_origin(annotation) is Literal:
        return _either(same(code(choice)) for choice in get_args(annotation))
    if annotation in PLAIN:
        return PLAIN[annotation]
    if get_origin(annotation) in (tuple, dict):
        return LIST if get_origin(annotation) is tuple else TABLE
    return _either(holds(one) for one in get_args(annotation) if one is not type(None))


def _either(choices: Iterable[Text]) -> Text:
    found = list(dict.fromkeys(choices))
    zh, en = (OR[lang].join(one[lang] for one in found) for lang in LANGS)
    return Text(zh=BETWEEN_HAN.sub("或", zh), en=en)


def _marks(marks: Iterable[object]) -> Iterator[object]:
    return chain.from_iterable(mark.metadata if isinstance(mark, FieldInfo) else (mark,) for mark in marks)


def _bounded(kind: Text, marks: Iterable[object]) -> Text:
    over, least, most = (_told(marks, attribute) for attribute in ("gt", "ge", "le"))
    said = BOUNDS.get((over is not None, least is not None, most is not None))
    return kind if said is None else said.format(kind=kind, over=over, least=least, most=most)


def _told(marks: Iterable[object], attribute: str) -> str | None:
    """Return the bound that a mark of some has under a name, as pydantic's own marks have them."""
    bound = next((getattr(mark, attribute) for mark in marks if hasattr(mark, attribute)), None)
    return f"{bound:g}" if isinstance(bound, int | float) and bound < BEYOND_ALL else None
