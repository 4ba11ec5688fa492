"""What may be kept of a command line, and what must not, whoever wrote it down: the collector, or a round of others.

Three sieves, one after another: names (of flags), patterns (``redact``), and words that look as if drawn at random, as
keys do. Then whoever ran it is struck out: home folder, host and user. When in doubt it is struck.
"""

from __future__ import annotations

import math
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from generator.redaction import LOCAL, STRUCK, hashed, redact
from generator.store.redact import SECRET_NAME, redact_entry, redact_place

SECRET_FLAG: Final = re.compile(
    r"-{1,2}(?:hft|(?:[\w-]*[-_])?(?:api[-_]?keys?|keys?|tokens?|secrets?|passwords?|passwd|credentials?"
    r"|authorization|auth|cookies?|user(?:name)?))",
    re.IGNORECASE,
)
"""Flags whose arguments are secrets, all of them up to the next flag: some servers take several keys."""

NO_SECRET_FLAG: Final = re.compile(
    r"-{1,2}(?:[\w-]*[-_])?(?:num|max|min|special|batched|draft|n)[-_][\w-]*", re.IGNORECASE
)
"""Flags that count: ``--max-num-batched-tokens``."""

MODEL_FLAG: Final = re.compile(
    r"-m|-mu|-hf\w*|-a|--(?:[\w-]*[-_])?(?:model|model-path|model-name|tokenizer|alias|mmproj|repo|file|config)"
)
"""Flags that name a model: such names are at times as odd as keys, and they have to stay. Patterns still hold."""

HEADER_FLAG: Final = re.compile(r"-H|--(?:[\w-]*[-_])?headers?")
HARMLESS_HEADERS: Final = frozenset({"connection", "accept", "content-type", "user-agent"})
FLAG: Final = re.compile(r"-{1,2}[A-Za-z][\w.-]*")
LONGEST_SHORT_FLAG: Final = 6
COMMAND: Final = re.compile(r"\s-{1,2}[A-Za-z]")
"""What an argument holds that is a command line itself: ``bash -c "vllm serve …"``."""

PIECE: Final = re.compile(r"[A-Za-z0-9+]{16,}=*")
GPU_ID: Final = re.compile(r"\b(GPU|MIG)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.IGNORECASE)
UUID: Final = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.IGNORECASE)
DIGEST: Final = re.compile(r"(?:(?<=snapshots/)|(?<=sha256:))[0-9a-f]{40,64}\b")
LEAST_BITS: Final = 3.0
"""Bits a character (Shannon, over the word itself) below which a word only repeats itself."""

MOST_SWITCHES: Final = 0.2
MOST_RISES: Final = 0.3
LEAST_WORDY: Final = 0.5
RUN: Final = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}|[0-9]{4,}")


@dataclass(frozen=True, slots=True)
class Identity:
    """Who runs this and where; nothing of it may be written down.

    Attributes:
        names: of the user and of the host.
        homes: home folders.
    """

    names: tuple[str, ...]
    homes: tuple[str, ...]

    def strike(self, text: str) -> str:
        """Return a text without them: a home folder becomes ~."""
        for home in sorted(self.homes, key=len, reverse=True):
            text = re.sub(rf"{re.escape(home)}(?![\w.-])", "~", text)
        for name in sorted(self.names, key=len, reverse=True):
            text = re.sub(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])", STRUCK, text, flags=re.IGNORECASE)
        return text


NOBODY: Final = Identity((), ())
"""Who ran a command that comes from elsewhere: it is not known."""


def strike_text(text: str, who: Identity) -> str:
    """Return a text without what patterns know, and without who ran it. Words that look random stay."""
    return who.strike(redact(who.strike(text)))


def strike_value(text: str, who: Identity, *, random: bool = True) -> str:
    """Return an argument or the value of a variable without what must not be kept.

    A GPU that is named by its UUID becomes the digits that the fingerprint has for it.

    Args:
        text: the value.
        who: who ran it.
        random: whether words that look random are struck out as well.
    """
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(f"{found[1]}-{hashed(found[0])}" if found.re is GPU_ID else found[0])
        return f"\0{len(kept) - 1}\0"

    text = DIGEST.sub(keep, GPU_ID.sub(keep, text.replace("\0", "")))
    text = UUID.sub(STRUCK, strike_text(text, who))
    if random:
        text = PIECE.sub(lambda piece: STRUCK if looks_random(piece[0]) else piece[0], text)
    return re.sub("\0([0-9]+)\0", lambda place: kept[int(place[1])], text)


def looks_random(word: str) -> bool:
    """Say whether a word of letters and digits looks drawn at random.

    Names of models and files are made of runs: words, numbers, abbreviations. In a key letters, digits and cases
    alternate. Words of fewer than 16 characters say too little.
    """
    if _bits(word) < LEAST_BITS or word.isdigit():
        return False
    switches = sum(a.isdigit() != b.isdigit() for a, b in pairwise(word)) / len(word)
    rises = sum(a.islower() and b.isupper() for a, b in pairwise(word)) / len(word)
    wordy = sum(len(run) for run in RUN.findall(word)) / len(word)
    return switches > MOST_SWITCHES or switches + rises > MOST_RISES or wordy < LEAST_WORDY


def _bits(word: str) -> float:
    """Return the Shannon entropy of a word in bits a character."""
    shares = [count / len(word) for count in Counter(word).values()]
    return -sum(share * math.log2(share) for share in shares)


def redact_arguments(argv: Sequence[str]) -> list[str]:
    """Return the words of a command as they may be published.

    One behind a flag is the text of an entry of that name as well: of an entry ``host`` nothing is shown, not even that
    it is this machine.
    """
    words = strike_arguments(argv, NOBODY)
    return [
        redact_entry(flag.lstrip("-"), word) if flag.startswith("-") else redact(word)
        for flag, word in zip(["", *words], words, strict=False)
    ]


def strike_arguments(argv: Sequence[str], who: Identity) -> list[str]:
    """Return a command line without secrets: ``--api-key X`` and ``--api-key=X`` keep the flag alone."""
    return [
        (strike_value(word.name, who) + word.equals if word.name else "")
        + ("" if word.value is None else _argument(word.flag, word.value, who))
        for word in _words(argv)
    ]


def secret_arguments(argv: Sequence[str]) -> Iterator[str]:
    """Yield the arguments of flags for secrets, all that one has."""
    return (word.value for word in _words(argv) if word.value is not None and _secret(word.flag))


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a command: the flag that it is, or begins with; the flag that its argument, if it has one, is of."""

    flag: str
    name: str
    equals: str
    value: str | None


def _words(argv: Sequence[str]) -> Iterator[_Word]:
    flag, awaited = "", False
    for argument in argv:
        name, equals, value = argument.partition("=")
        if _is_flag(name) and not (awaited and _secret(flag) and _may_be_key(argument)):
            flag, awaited = name, not equals
            yield _Word(flag, name, equals, value if equals else None)
        else:
            awaited = False
            yield _Word(flag, "", "", argument)
            flag = flag if _secret(flag) else _meaning_of_next(argument)


def _meaning_of_next(argument: str) -> str:
    """Return what a word without a flag means after another: ``vllm serve`` is followed by a model."""
    return "--model" if argument == "serve" else ""


def _is_flag(name: str) -> bool:
    return FLAG.fullmatch(name) is not None


def _may_be_key(argument: str) -> bool:
    """Say whether what follows a secret flag is its value, although it begins with a dash."""
    return not argument.startswith("--") and len(argument) > LONGEST_SHORT_FLAG


def _secret(flag: str) -> bool:
    return SECRET_FLAG.fullmatch(flag) is not None and NO_SECRET_FLAG.fullmatch(flag) is None


def _argument(flag: str, value: str, who: Identity) -> str:
    if _secret(flag) or (SECRET_NAME.search(flag) and not re.fullmatch(LOCAL, value)):  # a host, or an address
        return STRUCK
    if HEADER_FLAG.fullmatch(flag):
        return _header(value, who)
    if COMMAND.search(value):
        return _command(value, who)
    struck = strike_value(value, who, random=MODEL_FLAG.fullmatch(flag) is None)
    return redact_place(flag.lstrip("-"), struck)


def _header(value: str, who: Identity) -> str:
    """Return the name of a header, and what it says where that is harmless."""
    name, mark, _ = value.partition(":" if ":" in value else "=")
    return strike_value(value if name.strip().lower() in HARMLESS_HEADERS else f"{name}{mark}{STRUCK}", who)


def _command(line: str, who: Identity) -> str:
    """Return a command line that stands in one argument. One that no shell would read is left out whole."""
    try:
        return shlex.join(strike_arguments(shlex.split(line), who))
    except ValueError:
        return STRUCK
