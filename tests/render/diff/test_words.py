from __future__ import annotations

import re
from decimal import Decimal
from typing import get_args

from generator.comparing.fates import Fate
from generator.comparing.records import Setting, SettingStatus, Standing, Verdict
from generator.comparing.states import STATES
from generator.render.diff import words as diff_words
from generator.text import same
from generator.told.claims import Claim
from tests.support.sites import RUNS


def test_every_verdict_state_and_fate_has_a_word_and_a_look() -> None:
    assert set(diff_words.STANDINGS) == set(diff_words.STANDING_LOOKS) == set(get_args(Standing))
    assert set(diff_words.STATE_LOOKS) == set(STATES)
    assert set(diff_words.FATES) == set(diff_words.FATE_LOOKS) == set(get_args(Fate))
    assert set(diff_words.SETTING_STATES) == set(get_args(SettingStatus))
    assert set(diff_words.GATES) == {*get_args(Verdict), None}


def test_what_is_not_known_is_not_what_was_not_given() -> None:
    assert diff_words.side_text(None, same("")) == diff_words.NOT_RECORDED
    assert diff_words.side_text("", same("")) == diff_words.NOT_GIVEN
    assert diff_words.side_text("64", same("64")) == same("64")


def test_a_known_flag_is_called_by_its_meaning() -> None:
    slots, other = (Setting(f"flag.{flag}", same(flag), "", "1", flag) for flag in ("--parallel", "--odd"))
    assert diff_words.setting_title(slots).en == "parallel slots (--parallel)"
    assert diff_words.title_and_flag(slots, "en") == ("parallel slots", "--parallel")
    assert diff_words.title_and_flag(other, "en") == ("--odd", "")
    assert diff_words.titles([slots, other, slots], "en") == "parallel slots (--parallel), --odd"


def test_a_number_is_quoted_as_it_was_stated() -> None:
    assert diff_words.stated_text(Claim("x", op="about", stated=Decimal(20))) == "≈ 20"
    assert diff_words.stated_text(Claim("x", stated=Decimal("2.50"), unit="%")) == "2.50%"


ASKED = re.compile(r"""(?:words|phrases|WORDS)\[["'](\w+)["']\]""")
BY_VARIABLE = {
    "title",
    "lead",
    "quiet_rows",
    "absent_rows",
    "flaws_of_base",
    "flaws_of_head",
    "configuration",
    "fingerprint",
    "methods",
    "margin_of",
    "threshold_of",
}


def test_what_the_page_asks_for_is_there_and_nothing_else() -> None:
    code = RUNS.parent / "generator" / "render" / "diff"
    files = [RUNS.parent / "templates" / "diff.html", *code.glob("[rtv]*.py")]
    asked = {name for file in files for name in ASKED.findall(file.read_text(encoding="utf-8"))}
    assert asked | BY_VARIABLE == set(diff_words.WORDS)
