"""runs/<round>/prose/: what the authors wrote, a file a section and language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from generator.errors import InputError
from generator.prose import Prose, ProseError, Reference, parse_prose
from generator.store.files import read_text, shown, unreadable
from generator.store.manifest import PROSE
from generator.text import LANGS, Lang

MARKDOWN: Final = ".md"


def read_prose(folder: Path) -> tuple[Prose, ...]:
    """Return the texts of a round, by section and language.

    Raises:
        InputError: a file is not named ``<section>.<lang>.md``, is missing in one language, types a number, or the
            languages quote different data.
    """
    names = sorted(_names(folder / PROSE))
    texts = {(section, lang): _read(folder, section, lang) for section, lang in names}
    for section in dict.fromkeys(section for section, _ in names):
        missing = [lang for lang in LANGS if (section, lang) not in texts]
        if missing:
            path = folder / PROSE / f"{section}.{missing[0]}{MARKDOWN}"
            raise InputError(shown(path), "", "this language is missing", "write the section in both languages")
        _refuse_unequal(folder, texts[section, "zh"], texts[section, "en"])
    return tuple(texts.values())


def _names(folder: Path) -> Iterator[tuple[str, Lang]]:
    try:
        files = [path for path in folder.iterdir() if not path.name.startswith(".")]
    except FileNotFoundError:
        return
    except OSError as error:
        raise unreadable(folder, error) from error
    for path in files:
        section, _, lang = path.name.removesuffix(MARKDOWN).rpartition(".")
        known: dict[str, Lang] = {one: one for one in LANGS}
        if not path.name.endswith(MARKDOWN) or lang not in known or not section:
            problem = "the name does not say section and language"
            raise InputError(shown(path), "", problem, "name it <section>.zh.md or <section>.en.md")
        yield section, known[lang]


def _read(folder: Path, section: str, lang: Lang) -> Prose:
    path = folder / PROSE / f"{section}.{lang}{MARKDOWN}"
    text = read_text(path, within=folder)
    try:
        return parse_prose(text, section, lang)
    except ProseError as error:
        raise InputError(shown(path), f"line {error.line}", error.problem, error.remedy) from error


def _refuse_unequal(folder: Path, zh: Prose, en: Prose) -> None:
    """Both languages quote the same data, in whatever order each of them likes."""
    counts = [Counter(_what(one) for one in prose.references if one.function != "typed") for prose in (zh, en)]
    for prose, extra in ((zh, counts[0] - counts[1]), (en, counts[1] - counts[0])):
        if extra:
            path = folder / PROSE / f"{prose.section}.{prose.lang}{MARKDOWN}"
            problem = f"quotes {next(iter(extra))[1]}, which the other language does not"
            raise InputError(shown(path), "", problem, "quote the same data in both languages")


def _what(reference: Reference) -> tuple[str, ...]:
    keywords = (f"{name}={value}" for name, value in sorted(reference.keywords.items()))
    return (reference.function, reference.name, *keywords)
