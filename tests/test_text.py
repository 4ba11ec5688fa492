from __future__ import annotations

import pytest

from generator.text import LANGS, Text, same


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
