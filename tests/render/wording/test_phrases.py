"""The words of the chrome: all there, in both languages, and all used."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from generator.render.files.derivations import OF_PANEL
from generator.render.wording import phrases as module
from generator.render.wording.phrases import FOUND, ORIGINS, PHRASES, STATUSES, phrases
from generator.text import LANGS
from generator.told.findings import SHOWN
from generator.values import Origin
from tests.support.sites import RUNS

ROOT = RUNS.parent
HAN = re.compile(r"[\u4e00-\u9fff]")
USED = re.compile(r"""(?:\bt|PHRASES|phrases\([\w.]+\))\[["'](\w+)["']\]""")


def used() -> set[str]:
    files = [*(ROOT / "templates").glob("*.html"), *(ROOT / "generator" / "render").rglob("*.py")]
    return {name for file in files for name in USED.findall(file.read_text(encoding="utf-8"))} | {*OF_PANEL}


def test_what_templates_ask_for_is_there_and_nothing_else() -> None:
    assert used() == set(PHRASES)


def test_every_origin_and_status_has_a_name() -> None:
    assert set(ORIGINS) == set(get_args(Origin))
    assert tuple(STATUSES) == tuple(FOUND) == ("fail", "warn", "unknown", "note", "pass", "empty") == SHOWN


@pytest.mark.parametrize("table", ["PHRASES", "ORIGINS", "STATUSES", "FOUND"])
def test_no_phrase_is_left_untranslated(table: str) -> None:
    for name, text in getattr(module, table).items():
        if name not in {"lang_tag", "other_language", "between", "between_notes", "between_sentences"}:
            assert HAN.search(text.zh), name
            assert not HAN.search(text.en), name


def test_phrases_come_in_one_language() -> None:
    assert [phrases(lang)["about"] for lang in LANGS] == ["方法", "Method"]
