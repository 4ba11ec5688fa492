"""Which tools give a metric, and which give another quantity by its name."""

from __future__ import annotations

from generator.kinds import Importer
from generator.mapping import Mapped
from generator.render.views.same_words import ToolWords, tool_words
from generator.text import Text, same

WORDS = Text(zh="算法", en="How.")
STATISTICS = {"mean": "avg", "p50": "median"}


def tool(name: str, *mapping: Mapped) -> Importer:
    return Importer(name.lower(), same(name), lambda _: 0, lambda _p, _q: [], mapping)


def test_what_is_the_same_is_told_apart_from_what_is_another_quantity() -> None:
    why = Text(zh="除以 n。", en="It divides by n.")
    ours = tool("Aa", Mapped("{}_tpot_ms", "ms", WORDS, "tpot_{}", statistics=STATISTICS))
    other = tool("Bb", Mapped("per_token.avg", "s", WORDS, "tpot_mean", why))
    told = tool_words({one.key: one for one in (ours, other)}, "en")

    assert told == {"tpot_mean": ToolWords("tpot", ("Aa",), ("Bb",)), "tpot_p50": ToolWords("tpot", ("Aa",), ())}


def test_a_number_of_no_metric_is_left_out() -> None:
    row = Mapped("loops", "1", WORDS, why=Text(zh="没有。", en="There is none."))

    assert tool_words({"aa": tool("Aa", row)}, "en") == {}
