from __future__ import annotations

from generator.declared.profiles import ProfileFile
from tests.support.loads import ACCESS, BURSTGPT, SHAREGPT, load_of_text, under_load
from tests.support.telling import analysed, chapter_of, text_of


def told(load: ProfileFile | None) -> str:
    analysis = analysed(under_load(load))
    return text_of(chapter_of("profile_sources", analysis), analysis)


def test_sources_are_listed_by_kind_and_what_has_to_be_known_of_them() -> None:
    text = told(load_of_text(ACCESS))

    assert "Note: the access log is read as nginx writes it" in text
    assert "not known: the sources give no numbers of tokens" in text


def test_what_it_does_not_tell_is_said() -> None:
    assert "not known: the sources give no time of a request" in told(load_of_text(SHAREGPT))


def test_lines_with_quotes_that_are_not_closed_are_named() -> None:
    text = told(load_of_text(f'{BURSTGPT}50,"a,2,GPT-4,1,1,2,x\n60,a,2,GPT-4,1,1,2,x\n70,"a,2,GPT-4,1,1,2,x\n'))

    assert "Note: quotes that are never closed are opened in line 4 and line 6 of the file with the checksum" in text


def test_a_round_without_a_profile_has_none() -> None:
    assert told(None) == ""
