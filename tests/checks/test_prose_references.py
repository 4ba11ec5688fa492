from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from generator.frame import Analysis
from generator.model import Round
from generator.render.wording.numbers import Printer
from generator.render.wording.prose import render_prose
from generator.text import LANGS
from generator.told.findings import Finding
from generator.told.prose import parse_prose
from tests.support.analyses import small_round
from tests.support.rounds import write_round
from tests.support.telling import analysed, catalogue, found_by, text_of

THERE = '{{ value("itl_p50", series="vllm-bf16", level="c64") }}'
UNKNOWN = '{{ value("itl_p50", series="llamacpp-q4_k_m", level="c64") }}'
STRANGE = '{{ value("itl_p05", series="vllm-bf16", level="c64") }}'


def with_prose(text: str, round_: Round | None = None) -> Round:
    prose = tuple(parse_prose(text, "verdict", lang) for lang in LANGS)
    return replace(small_round() if round_ is None else round_, prose=prose)


def findings(text: str) -> list[Finding]:
    return found_by("prose_references", with_prose(text))


def messages(text: str) -> list[str]:
    analysis = analysed(with_prose(text))
    return [text_of(one.message, analysis) for one in analysis.findings if one.check == "prose_references"]


def test_references_to_data_are_counted_once_for_both_languages() -> None:
    text = f'{THERE} on {{{{ series("vllm-bf16") }}}}, {{{{ level("c8") }}}} and {{{{ typed("28 layers") }}}}'

    assert [one.status for one in findings(text)] == ["pass"]
    assert messages(text) == ["The prose quotes data in 3 places, and all of it is there."]


@pytest.mark.parametrize("text", ["", "no number at all", '{{ typed("28 layers") }}'])
def test_prose_that_quotes_nothing_is_noted(text: str) -> None:
    assert [one.status for one in findings(text)] == ["note"]


def test_a_round_without_prose_is_noted() -> None:
    assert [one.status for one in found_by("prose_references", small_round())] == ["note"]


def test_a_number_that_is_unknown_is_warned_of() -> None:
    (one,) = findings(f"{THERE} and {UNKNOWN}")

    assert (one.status, one.remedy is not None) == ("warn", True)
    (message,) = messages(UNKNOWN)
    assert message.startswith("The prose quotes numbers that are unknown in this round; in 1 place a dash is printed: ")
    assert message.endswith('verdict: value("itl_p50", series="llamacpp-q4_k_m", level="c64").')


@pytest.mark.parametrize(
    "reference",
    [
        'value("itl_p05", series="vllm-bf16", level="c64")',
        'value("itl_p50", series="nobody", level="c64")',
        'value("itl_p50", series="vllm-bf16", level="c65")',
        'value("itl_p50", series="vllm-bf16")',
        'level("c65", series="vllm-bf16")',
        'series("nobody")',
    ],
)
def test_names_that_never_were_are_warned_of(reference: str) -> None:
    (message,) = messages("{{ " + reference + " }}")

    assert message.startswith("The prose names metrics, series or levels that this round does not have")
    assert message.endswith(f"in 1 place a dash is printed: verdict: {reference}.")


def test_strange_names_and_unknown_numbers_are_told_apart() -> None:
    assert [one.status for one in findings(f"{STRANGE} {UNKNOWN}")] == ["warn", "warn"]


def test_of_many_a_few_are_named() -> None:
    many = " ".join(f'{{{{ series("s{number}") }}}}' for number in range(9))
    (message,) = messages(many)

    assert "in 9 places dashes are printed: verdict" in message
    assert message.count("verdict: ") == 5


def test_the_same_reference_is_named_once() -> None:
    (message,) = messages(STRANGE * 3)

    assert "in 3 places dashes are printed: verdict" in message
    assert message.count("verdict: ") == 1


def shown(analysis: Analysis) -> list[str]:
    return [str(render_prose(one, Printer(analysis, catalogue().graph, one.lang))) for one in analysis.round.prose]


def test_a_datum_that_is_gone_prints_a_dash_and_gives_the_finding(tmp_path: Path) -> None:
    # 15.83 ms stands in the first row of the table, whose last cell is then emptied
    folder = write_round(tmp_path / "round")
    (folder / "prose").mkdir()
    for lang in LANGS:
        quote = '{{ value("itl_p50", series="alpha", level="c1") }}'
        (folder / "prose" / f"verdict.{lang}.md").write_text(quote, encoding="utf-8")
    table = folder / "alpha" / "published.csv"

    before = analysed(catalogue().read(folder))
    table.write_text(table.read_text(encoding="utf-8").replace("61.9,15.83", "61.9,"), encoding="utf-8")
    after = analysed(catalogue().read(folder))

    assert all("15.83" in html for html in shown(before))
    assert all(">—</a>" in html and "15.83" not in html for html in shown(after))
    statuses = [[f.status for f in one.findings if f.check == "prose_references"] for one in (before, after)]
    assert statuses == [["pass"], ["warn"]]
