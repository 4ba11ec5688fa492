"""Themes: each has a key and a title of its own, and each is of use."""

from __future__ import annotations

import generator.themes
from generator.text import LANGS
from generator.themes import THEMES, Theme
from tests.support.telling import catalogue


def test_all_themes_are_listed_once() -> None:
    declared = [thing for thing in vars(generator.themes).values() if isinstance(thing, Theme)]

    assert sorted(declared, key=id) == sorted(THEMES, key=id)
    for names in ([one.key for one in THEMES], *([one.title[lang] for one in THEMES] for lang in LANGS)):
        assert len(names) == len(set(names))


def test_no_theme_is_empty() -> None:
    used = {*catalogue().themes.values(), *(check.theme for check in catalogue().checks.values())}

    assert set(THEMES) == used
