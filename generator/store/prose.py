"""runs/<round>/prose/: what the authors wrote, a file a section and language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from generator.errors import InputError, nearest, quote
from generator.store.files import leads_out, read_text, shown, unreadable
from generator.store.manifest import PROSE
from generator.text import LANGS, Lang
from generator.told.prose import Prose, parse_prose
from generator.told.references import ProseError, Reference
from generator.units import UNITLESS, base_unit
from generator.values import Scope

MARKDOWN: Final = ".md"
NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What prose may speak of: the sections of a report, unit and scope of each metric, by key and basis."""

    sections: frozenset[str]
    units: Mapping[tuple[str, str | None], str]
    scopes: Mapping[tuple[str, str | None], Scope] = field(default_factory=dict)


def read_prose(folder: Path, vocabulary: Vocabulary | None = None) -> tuple[Prose, ...]:
    """Return the texts of a round, by section and language.

    Args:
        folder: the round's folder.
        vocabulary: what there is to write about; None takes any section and any unit.

    Raises:
        InputError: a file is not named ``<section>.<lang>.md``, is of no section, is missing in one language, cannot
            be printed (see ``parse_prose``), names no metric, asks for a unit that its metric has not, or the languages
            quote different data.
    """
    names = sorted(_names(folder / PROSE))
    texts = {(section, lang): _read(folder, section, lang) for section, lang in names}
    for section in dict.fromkeys(section for section, _ in names):
        _refuse_alone(folder, section, texts)
        _refuse_unequal(folder, texts[section, "zh"], texts[section, "en"])
    for prose in texts.values():
        if vocabulary is not None:
            _refuse_strange(_path(folder, prose.section, prose.lang), prose, vocabulary)
    return tuple(texts.values())


def _path(folder: Path, section: str, lang: Lang) -> Path:
    return folder / PROSE / f"{section}.{lang}{MARKDOWN}"


def _names(folder: Path) -> Iterator[tuple[str, Lang]]:
    try:
        if leads_out(folder, folder.parent):
            raise InputError(
                shown(folder), "", "is a link that leads out of the round's folder", "copy the folder itself"
            )
        files = [path for path in folder.iterdir() if not path.name.startswith(".")]
    except FileNotFoundError:
        return
    except (OSError, RuntimeError) as error:
        raise unreadable(folder, error) from error
    for path in files:
        section, _, lang = path.name.removesuffix(MARKDOWN).rpartition(".")
        known: dict[str, Lang] = {one: one for one in LANGS}
        if not path.name.endswith(MARKDOWN) or lang not in known or not section:
            problem = "the name does not say section and language"
            raise InputError(shown(path), "", problem, "name it <section>.zh.md or <section>.en.md")
        yield section, known[lang]


def _read(folder: Path, section: str, lang: Lang) -> Prose:
    path = _path(folder, section, lang)
    try:
        return parse_prose(read_text(path, within=folder), section, lang)
    except FileNotFoundError as error:
        raise InputError(shown(path), "", "is a link to nowhere", "replace it by the file") from error
    except ProseError as error:
        raise _at(path, error.line, error.problem, error.remedy) from error


def _at(path: Path, line: int, problem: str, remedy: str) -> InputError:
    return InputError(shown(path), f"line {line}", problem, remedy)


def _refuse_alone(folder: Path, section: str, texts: Mapping[tuple[str, Lang], Prose]) -> None:
    for lang in LANGS:
        if (section, lang) not in texts:
            path = shown(_path(folder, section, lang))
            raise InputError(path, "", "this language is missing", "write the section in both languages")


def _refuse_unequal(folder: Path, zh: Prose, en: Prose) -> None:
    """Both languages quote the same data as often, in whatever order each of them likes."""
    counts = [Counter(what for one in prose.references for what in _quoted(one)) for prose in (zh, en)]
    for prose, extra in ((zh, counts[0] - counts[1]), (en, counts[1] - counts[0])):
        if extra:
            path = _path(folder, prose.section, prose.lang)
            first = next(one for one in prose.references if extra.keys() & set(_quoted(one)))
            problem = f"{quote(first.written)} is quoted more often than in the other language"
            raise _at(path, first.line, problem, "quote the same data in both languages")


def _quoted(reference: Reference) -> list[tuple[str, ...]]:
    """Return what a reference prints that does not depend on the language: a datum, or the numbers of a mark."""
    if reference.function == "typed":
        return [("typed", number) for number in NUMBER.findall(reference.name)]
    keywords = (f"{name}={value}" for name, value in sorted(reference.keywords.items()))
    return [(reference.function, reference.name, *keywords)]


def _refuse_strange(path: Path, prose: Prose, vocabulary: Vocabulary) -> None:
    if prose.section not in vocabulary.sections:
        problem = f"there is no section {quote(prose.section)}"
        raise InputError(shown(path), "", problem, nearest(prose.section, vocabulary.sections))
    for one in prose.references:
        if one.function == "value":
            _refuse_unknown(path, one, vocabulary)
        own = vocabulary.units.get((one.name, one.text("basis")))
        if one.function == "value" and own is not None:
            _refuse_unit(path, one, own)


def _refuse_unknown(path: Path, reference: Reference, vocabulary: Vocabulary) -> None:
    bases = {basis or "none" for name, basis in vocabulary.units if name == reference.name}
    if not bases:
        names = {name for name, _ in vocabulary.units}
        raise _at(path, reference.line, f"there is no metric {quote(reference.name)}", nearest(reference.name, names))
    basis = reference.text("basis") or "none"
    if basis not in bases:
        problem = f"{quote(reference.name)} has no basis {quote(basis)}"
        raise _at(path, reference.line, problem, nearest(basis, bases))


def _refuse_unit(path: Path, reference: Reference, own: str) -> None:
    asked, style = reference.text("unit"), reference.style
    if asked is not None and base_unit(asked) != base_unit(own):
        problem = f"{quote(reference.name)} cannot be printed in {asked}"
        raise _at(path, reference.line, problem, f"it is measured in {own}")
    if style in ("percent", "times") and own not in UNITLESS:
        problem = f"{quote(reference.name)} cannot be printed in the style {style}"
        raise _at(path, reference.line, problem, f"it is measured in {own}; leave the style out")
