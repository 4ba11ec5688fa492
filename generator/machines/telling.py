"""How a difference between series is put in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from generator.machines.comparing import Compared
from generator.text import Text, same
from generator.told.sentence import Count, Listing, Part, Sentence, SeriesName, say

MOST_NAMED: Final = 6
"""Facts that a sentence names; of more it says how many there are."""


def value_of(name: Part, text: Text) -> Sentence:
    """Return what one series has."""
    return say(zh="{name}：{text}", en="{text} for {name}", name=name, text=text)


def difference(title: Text, values: Mapping[str, Text], name_of: Callable[[str], Part] = SeriesName) -> Sentence:
    """Return what differs, with what each has."""
    told = {f"v{number}": value_of(name_of(one), text) for number, (one, text) in enumerate(values.items())}
    slots = "；".join(f"{{{name}}}" for name in told)
    text = Text(zh=f"{{title}}（{slots}）", en=f"{{title}} ({slots.replace('；', '; ')})")
    return Sentence(text, {"title": title, **told})


def differences(facts: Iterable[Compared], name_of: Callable[[str], Part] = SeriesName) -> Listing:
    """Return several facts with what each series has, the first of them by name."""
    return listed([difference(one.title, _texts(one), name_of) for one in facts])


def listed(parts: Sequence[Part]) -> Listing:
    """Return a list of which only the first are named."""
    named = tuple(parts[:MOST_NAMED])
    more = len(parts) - len(named)
    rest = (say(zh="另外 {n} 项", en="{n} more", n=Count(more)),) if more else ()
    return Listing((*named, *rest))


def _texts(fact: Compared) -> dict[str, Text]:
    return {name: fact.shown(name) or same("") for name in fact.texts}
