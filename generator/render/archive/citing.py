"""How a round is cited: in words, as BibTeX and as CITATION.cff. Nobody is named who was not declared."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Final

import yaml

from generator.comparing.order import day_of
from generator.model import Round
from generator.text import Lang, Text

CFF: Final = "CITATION.cff"
CFF_VERSION: Final = "1.2.0"
SPDX: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]*")
"""What an id of a licence looks like; words have spaces between them."""
BIBTEX: Final = {
    "\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}", "%": r"\%", "&": r"\&",
    "#": r"\#", "$": r"\$", "_": r"\_", "^": r"\^{}", "~": r"\~{}",
}  # fmt: skip
"""Characters that mean something to LaTeX, and how they are written; BibTeX counts a brace behind a backslash, too."""
NOT_IN_KEY: Final = re.compile(r"[^A-Za-z0-9:-]+")
BIBTEX_LANG: Final[Lang] = "en"
"""Bibliographies are sorted and typeset by styles that are written for it."""
DATA_SET: Final = Text(zh="[数据集]", en="[dataset]")
FINGERPRINT: Final = Text(zh="轮次 {id}，数据指纹 sha256:{sha256}", en="Round {id}, data sha256:{sha256}")
STOP: Final = Text(zh="。", en=". ")
AND: Final = Text(zh="、", en="; ")
ADDRESS: Final = re.compile(r"https?://[^\s{}\\%#]+")
"""An address that can stand in an entry of BibTeX as it is."""
USUAL: Final = (Text(zh="作者", en="author"), Text(zh="年份", en="year"), Text(zh="链接", en="address"))
LISTED: Final = Text(zh="、", en=", ")
LACKS: Final = Text(zh="没有记录、因而未写的：{}。", en="Not known, and therefore left out: {}.")
WITHOUT_ADDRESS: Final = Text(
    zh="没有链接时，凭轮次 id 与数据的 sha256 认定是哪一份数据。",
    en=" Without an address, the id of the round and the sha256 of its data say which data are meant.",
)
NO_LICENCE: Final = Text(zh="作者没有声明", en="none was declared by the author")


@dataclass(frozen=True, slots=True)
class Citation:
    """A round as others name it, in one language; ``url`` is its permanent address, None where none is known."""

    round: Round
    lang: Lang
    url: str | None = None

    @property
    def title(self) -> str:
        """Return the title in one line."""
        return " ".join(self.round.title[self.lang].split())

    @property
    def date(self) -> str:
        """Return when it was measured: the day, else what is said of it, else nothing."""
        day, when = day_of(self.round), self.round.file.round.when
        return day.isoformat() if day is not None else when[self.lang] if when is not None else ""

    @property
    def address(self) -> str:
        """Return where it is found: its permanent address, else that of the report that it was transcribed from."""
        source = self.round.file.round.source
        told = source.text()[self.lang] if source is not None else ""
        return self.url or (told if ADDRESS.fullmatch(told) else "")

    @property
    def lacks(self) -> str:
        """Return what a reference usually has and is not known here; nothing where all is there."""
        known = (bool(self.round.file.round.authors), day_of(self.round) is not None, bool(self.address))
        lacking = [name[self.lang] for name, is_known in zip(USUAL, known, strict=True) if not is_known]
        told = LACKS[self.lang].format(LISTED[self.lang].join(lacking)) if lacking else ""
        return told if self.address else told + WITHOUT_ADDRESS[self.lang]

    @property
    def state(self) -> str:
        """Return what tells this state of the data from any other."""
        return FINGERPRINT[self.lang].format(id=self.round.id, sha256=self.round.data_sha256)

    @property
    def words(self) -> str:
        """Return it as a line of a list of references."""
        authors = AND[self.lang].join(self.round.file.round.authors)
        title = f"{self.title}{'' if self.lang == 'zh' else ' '}{DATA_SET[self.lang]}"
        parts = [one for one in (authors, title, self.date, self.state, self.address) if one]
        return STOP[self.lang].join(parts) + ("" if self.address else STOP[self.lang].rstrip())

    @property
    def bibtex(self) -> str:
        """Return it as an entry of BibTeX, every name of it as text; in English on pages of either language."""
        if self.lang != BIBTEX_LANG:
            return replace(self, lang=BIBTEX_LANG).bibtex
        day = day_of(self.round)
        fields = {
            "author": " and ".join(map(_author, self.round.file.round.authors)),
            "title": f"{{{latex(self.title)}}}",
            "year": f"{day.year}" if day is not None else "",
            "date": day.isoformat() if day is not None else "",
            "howpublished": "Data set",
            "note": latex(self.state if day is not None or not self.date else f"{self.date}; {self.state}"),
            "url": self.address,
        }
        lines = "".join(f"  {name} = {{{content}}},\n" for name, content in fields.items() if content)
        return f"@misc{{{NOT_IN_KEY.sub('-', self.round.id)}-{self.round.data_sha256[:8]},\n{lines}}}"


def latex(text: str) -> str:
    """Return a text in which nothing means anything to LaTeX."""
    return "".join(BIBTEX.get(letter, letter) for letter in text)


def _author(name: str) -> str:
    """Return a name as BibTeX reads it: ``Family, Given`` by its parts, any other as one."""
    return latex(name) if "," in name else f"{{{latex(name)}}}"


def licence_of(round_: Round) -> Text:
    """Return the licence of the data as a reader is told it."""
    declared = round_.file.round.license
    return NO_LICENCE if declared is None else declared.text()


def spdx(round_: Round) -> str | None:
    """Return the licence where it is an id, not words."""
    declared = round_.file.round.license
    return declared.en if declared is not None and SPDX.fullmatch(declared.en) else None


def citation_cff(round_: Round, abstract: str, url: str | None) -> str | None:
    """Return CITATION.cff of a round, in English; None without an author, whom that form cannot do without."""
    if not round_.file.round.authors:
        return None
    cited, day = Citation(round_, "en", url), day_of(round_)
    told: dict[str, Any] = {
        "cff-version": CFF_VERSION,
        "message": "Cite this round, with its id and the sha256 of its data, as below.",
        "type": "dataset",
        "title": cited.title,
        "authors": [_named(name) for name in round_.file.round.authors],
        "abstract": abstract or None,
        "identifiers": [
            {"type": "other", "value": f"sha256:{round_.data_sha256}", "description": "the data files"},
            {"type": "other", "value": round_.id, "description": "the round"},
        ],
        "date-released": day,
        "license": spdx(round_),
        "url": url,
    }
    known = {key: value for key, value in told.items() if value is not None}
    return str(yaml.safe_dump(known, allow_unicode=True, sort_keys=False, width=1000))


def _named(name: str) -> dict[str, str]:
    person = person_of(name)
    return {"name": name} if person is None else {"family-names": person.family, "given-names": person.given}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody whose name was declared as ``Family, Given``."""

    family: str
    given: str

    @property
    def whole(self) -> str:
        """Return the name as it is said."""
        return f"{self.given} {self.family}"


def person_of(name: str) -> Person | None:
    """Return the person of a name; None of a group, and of a name that is not in parts."""
    family, _, given = (part.strip() for part in name.partition(","))
    return Person(family, given) if family and given else None
