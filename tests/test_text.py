from __future__ import annotations

import pytest

from generator.text import LANGS, Text, counted, fitted, same


def test_phrase_is_read_in_either_language() -> None:
    phrase = Text(zh="并发", en="concurrency")

    assert [phrase[lang] for lang in LANGS] == ["并发", "concurrency"]
    assert phrase.as_dict() == {"zh": "并发", "en": "concurrency"}


def test_term_of_art_is_the_same_in_both() -> None:
    assert same("TTFT") == Text(zh="TTFT", en="TTFT")


def test_placeholders_are_filled_each_in_its_language() -> None:
    phrase = Text(zh="没有记录{what}（{where}）", en="{what} is not recorded ({where})")

    assert phrase.format(what=Text(zh="吞吐", en="throughput"), where="published.csv") == Text(
        zh="没有记录吞吐（published.csv）", en="throughput is not recorded (published.csv)"
    )


def test_part_that_is_missing_is_a_defect() -> None:
    with pytest.raises(KeyError):
        Text(zh="{what}", en="{what}").format(other=1)


def test_braces_in_a_part_are_not_read_again() -> None:
    assert same("{what}").format(what="{x}") == same("{x}")


@pytest.mark.parametrize(
    ("text", "part", "told"),
    [
        ("各轮的 {what}", "输出吞吐", "各轮的输出吞吐"),  # two Han characters have no space between them
        ("各轮的{what}", "ITL p50", "各轮的 ITL p50"),  # a Han and a Latin one have
        ("{what}整轮是", "ITL p50", "ITL p50 整轮是"),
        ("在 {what} 的", "C=1（i32）", "在 C=1（i32）的"),  # none beside full-width punctuation
        ("由 {what} ，", "ITL", "由 ITL，"),
        ("在 {what} 的", "C=1", "在 C=1 的"),
    ],
)
def test_chinese_has_the_spaces_that_its_parts_ask_for(text: str, part: str, told: str) -> None:
    assert Text(zh=text, en="").format(what=part).zh == told


def test_tags_of_a_part_are_not_seen() -> None:
    assert fitted("各轮的 {what}", {"what": "<b>吞吐</b>"}) == "各轮的{what}"


@pytest.mark.parametrize(
    ("part", "told"),
    [
        (1, "1 row is left"),
        (0, "0 rows are left"),
        (2, "2 rows are left"),
        ("1,001", "1,001 rows are left"),
        ("1 and 2", "1 and 2 rows are left"),
        ('<a href="#x">1</a>', '<a href="#x">1</a> row is left'),  # tags are not seen
        ("—", "— rows are left"),
    ],
)
def test_english_words_agree_with_their_number(part: object, told: str) -> None:
    assert counted("{n} {n:row is|rows are} left", n=part) == told
    assert Text(zh="剩 {n} 行", en="{n} {n:row is|rows are} left").format(n=part).en == told


def test_each_choice_hangs_on_its_own_number() -> None:
    assert counted("{n} of {m} {m:row|rows} {n:is|are} {n:bad|}", n=1, m=2) == "1 of 2 rows is bad"


def test_a_choice_without_its_number_is_a_defect() -> None:
    with pytest.raises(KeyError):
        counted("{n:row|rows}", m=1)
