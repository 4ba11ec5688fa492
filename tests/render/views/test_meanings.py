"""The page of definitions: each tool's fields below the metric that they give, or resemble."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.kinds import Importer
from generator.mapping import Mapped
from generator.render.views.meanings import Meanings, Named, meanings_view
from generator.text import Lang, Text, same
from tests.support.telling import catalogue

STATISTICS: Final = {"mean": "avg", "p50": "median"}
WORDS: Final = Text(zh="算法", en="How.")


def tool(name: str, *mapping: Mapped, conduct: Text | None = None) -> Importer:
    return Importer(name.lower(), same(name), lambda _: 0, lambda _p, _q: [], mapping, conduct=conduct)


def view(*tools: Importer, lang: Lang = "en") -> Meanings:
    importers: Mapping[str, Importer] = {one.key: one for one in tools}
    return meanings_view(importers, catalogue().graph, lang)


def test_tools_stand_below_the_quantity_that_they_give_or_resemble() -> None:
    ours = tool("Aa", Mapped("{}_tpot_ms", "ms", WORDS, "tpot_{}", statistics=STATISTICS))
    other = Mapped(
        "per_token.{}", "s", WORDS, "tpot_{}", Text(zh="除以 n。", en="It divides by n."), statistics=STATISTICS
    )
    [quantity] = view(tool("Bb", other), ours).quantities

    assert (quantity.key, quantity.title) == ("tpot", "TPOT")
    assert quantity.meaning == catalogue().graph.metrics["tpot_mean", None].meaning.en
    # What is the same stands apart from what only resembles it.
    told = [(one.named, one.why) for one in (*quantity.told, *quantity.resembling)]
    assert told == [
        ((Named("Aa", (("*_tpot_ms", "ms"),), ""),), ""),
        ((Named("Bb", (("per_token.*", "s"),), ""),), "It divides by n."),
    ]
    assert len(quantity.told) == len(quantity.resembling) == 1


def test_quantities_that_more_tools_give_stand_first() -> None:
    duration, completed = Mapped("s", "s", WORDS, "duration"), Mapped("n", "1", WORDS, "completed")
    for more, less in ((duration, completed), (completed, duration)):
        found = view(tool("Aa", more, less), tool("Bb", more)).quantities
        assert [quantity.key for quantity in found] == [more.quantity, less.quantity]


def test_quantities_of_as_many_tools_stand_in_the_order_in_which_metrics_are_declared() -> None:
    rows = (
        Mapped("x", "tok/s", WORDS, "output_throughput"),
        Mapped("done", "1", WORDS, "completed"),
        Mapped("t_{}", "s", WORDS, "ttft_{}", statistics=STATISTICS),
    )
    keys = [key for key, basis in catalogue().graph.metrics if basis is None]
    found = [quantity.key for quantity in view(tool("Aa", *rows)).quantities]
    assert found == sorted(found, key=lambda key: keys.index("ttft_mean" if key == "ttft" else key))
    assert set(found) == {"output_throughput", "completed", "ttft"}


def test_fields_of_one_definition_are_told_once() -> None:
    rows = (
        Mapped("ms", "ms", WORDS, "duration", aliases=("Time (ms)",)),
        Mapped("s", "s", WORDS, "duration"),
        Mapped("n", "1", WORDS, "completed"),
    )
    duration = next(one for one in view(tool("Aa", *rows)).quantities if one.key == "duration")
    [told] = duration.told
    assert told.named == (Named("Aa", (("ms", "ms"), ("Time (ms)", "ms"), ("s", "s")), ""),)


def test_what_several_tools_say_in_the_same_words_is_said_once() -> None:
    row = Mapped("ms", "ms", WORDS, "duration")
    other = Mapped("s", "s", Text(zh="另一种", en="Otherwise."), "duration")
    [duration] = view(tool("Aa", row, other), tool("Aa CSV", row)).quantities

    assert [([named.tool for named in one.named], one.definition) for one in duration.told] == [
        (["Aa", "Aa CSV"], "How."),
        (["Aa"], "Otherwise."),
    ]


def test_what_resembles_nothing_of_ours_stands_apart() -> None:
    score = Mapped("score", "points", WORDS, why=Text(zh="没有这样的指标。", en="There is no such metric."))
    found = view(tool("Aa", score), lang="zh")
    [told] = found.others
    assert (told.definition, told.why, told.resembles) == ("算法", "没有这样的指标。", False)
    assert found.quantities == ()


def test_how_a_tool_drives_a_server_is_told() -> None:
    assert view(tool("Aa", conduct=WORDS), tool("Bb")).conduct == (("Aa", "How."),)
