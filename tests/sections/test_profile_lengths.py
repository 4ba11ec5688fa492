from __future__ import annotations

from generator.declared.profiles import ProfileFile
from tests.support.loads import ACCESS, EVEN, SHAREGPT, load_of, load_of_text, under_load
from tests.support.telling import analysed, chapter_of, text_of


def told(load: ProfileFile | None) -> str:
    analysis = analysed(under_load(load))
    return text_of(chapter_of("profile_lengths", analysis), analysis)


def test_percentiles_and_the_share_of_output() -> None:
    text = told(load_of(EVEN))

    # 120 of 1,220 tokens
    assert "Of all tokens 9.8% are output" in text
    assert "their logarithms by 1.00" in text


def test_what_is_not_known_is_said_with_the_reason() -> None:
    text = told(load_of_text(ACCESS))

    assert "The input length cannot be known: the sources give no numbers of tokens." in text
    assert "The output length cannot be known" in text


def test_characters_are_never_called_tokens() -> None:
    assert "Prompts have 15 characters at p50" in told(load_of_text(SHAREGPT))


def test_a_round_without_a_profile_has_none() -> None:
    assert told(None) == ""
