"""What must not be published is struck out of texts: who ran it, on which host, with which key.

Texts come from outside and may be of any length, so each rule takes time in proportion to the text: where a pattern
repeats, what stands before it says that it can begin in one place of a word only. Most texts hold nothing of this, so
words that a rule cannot do without are looked for first.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

STRUCK: Final = "***"
"""Stands where something was struck out."""
HASH_DIGITS: Final = 12
"""Hex digits that are kept of the hash of what tells one machine from another: 48 bits."""
LOCAL: Final = r"(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\]|0\.0\.0\.0)"
"""Hosts that are no secret."""

_KEY: Final = r"(?:api|access|secret|private|signing|encryption)[_-]?key(?:[_-]?id)?"
_HIDDEN: Final = r"(?:secret|passw(?:or)?d|passphrase|credentials?)"
SECRET_WORDS: Final = rf"(?:{_KEY}|(?:client[_-]?)?{_HIDDEN})"
"""Words by which a name tells of a secret."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """What is struck out. A text without any of the hints, in small letters, holds nothing of it."""

    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    stand_in: str | Callable[[re.Match[str]], str]


def _rule(hints: str, pattern: str, stand_in: str | Callable[[re.Match[str]], str] = STRUCK) -> _Rule:
    return _Rule(tuple(hints.split()), re.compile(pattern, re.IGNORECASE), stand_in)


def _named(hints: str, names: str) -> _Rule:
    """Return the rule for what follows a name and a sign: `api_key=X`, `"token": "X"`, `'api_key': ['X']`."""
    return _rule(hints, rf"({names}{_TO_VALUE}){_VALUE}", r"\1\2\3***")


def _unless_local(found: re.Match[str]) -> str:
    """Strike an address out, unless it is this machine's, or four numbers that are none."""
    numbers = found[0].split(".")
    is_address = all(int(number) <= BYTE and number == str(int(number)) for number in numbers)
    return found[0] if not is_address or _LOCAL.fullmatch(found[0]) or _is_clock(found) else STRUCK


def _is_clock(found: re.Match[str]) -> bool:
    before = found.string[max(0, found.start() - LONGEST_MARK) : found.start()].rpartition("\n")[2]
    after = found.string[found.end() : found.end() + 3]
    return _BEFORE_CLOCK.fullmatch(before) is not None and _AFTER_CLOCK.fullmatch(after) is not None


_BEFORE: Final = r"(?<![A-Za-z0-9])"
_TO_VALUE: Final = r"[\\\"']{0,3}\s*[=:]\s*"
_VALUE: Final = r"(?:([\[({])[^\])}\n]+|(\\?[\"'])[^\"'\n]+|[^\s&\"',;]+)"
"""A list up to its end, a quoted text up to its quote, or a word."""

_COUNT: Final = r"[\"']?[0-9]{1,9}(?![\w+/=-])"
"""What follows the word token where it is counted, or is the id of one: `#token: 7`, `EOS token = 2`."""

BYTE: Final = 255
LONGEST_MARK: Final = 20
_LOCAL: Final = re.compile(LOCAL)
# llama.cpp's clock, minutes.seconds.ms.µs since its start: a line begins with it, and a level follows.
_BEFORE_CLOCK: Final = re.compile(r"(?:\[ *[0-9]+\] )?")
_AFTER_CLOCK: Final = re.compile(r" [A-Z] ")
_HEX: Final = r"[0-9A-Fa-f]{1,4}"
_HOST_ENDS: Final = (
    "com net org edu gov io ai cloud local lan internal corp home intra intranet localdomain example invalid "
    "cn de uk fr jp kr eu ch nl tw hk sg ru ca au"
)
"""Ends of names of hosts that are none of files and modules."""

_RULES: Final = (
    # The folder of a user, on Linux, macOS and Windows; the server of a shared one.
    _rule(
        "/home/ /users/ /root :\\",
        r"(?:/(?:home|Users)/[^/\s'\"]+|/root(?![\w.-])|\b[A-Z]:\\+Users\\+[^\\\s'\"]+)",
        "~",
    ),
    # Where somebody keeps their programs; which module of which package it is may be said.
    _rule("-packages/", r"(?<![\w./~-])[/~](?:[^\s'\":/]*/)*(?=(?:site|dist)-packages/)", "***/"),
    _rule("\\\\", r"(?<![\w:\\])(\\{2,4})[\w.-]+(?=\\)", r"\1***"),
    # Keys that tell themselves by their shape, or by the word before them.
    _rule("bearer authorization", r"\b(bearer|authorization:\s*\w+)\s+[\w.~+/=-]{6,}", r"\1 ***"),
    _rule("authorization", r"(\bauthorization[\"']?\s*[=:]\s*[\"']?)(?!\w+\s+\*)[^\s\"',;]{8,}", r"\1***"),
    _rule("cookie", r"(\bcookie[\"']?\s*:\s*[\"']?)[^\r\n\"']+", r"\1***"),
    _rule("private key-----", r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}-----)?"),
    _rule(
        "sk- rk- pk- ghp ghs gho ghu ghr github_pat glpat xox akia asia nvapi- aiza eyj",
        rf"{_BEFORE}(?:[srp]k-[\w-]{{8,}}|(?:gh[opsur]|glpat|xox[abprs]|github_pat)[_-][\w-]{{8,}}|nvapi-[\w-]{{8,}}"
        r"|A(?:KI|SI)A[0-9A-Z]{12,}|AIza[\w-]{20,}|(?-i:eyJ)[\w-]{10,}(?:\.[\w-]+)*)",
    ),
    # Settings are named like keys of Hugging Face, as hf_overrides; those have digits or capitals.
    _rule("hf_", rf"{_BEFORE}hf_(?=(?-i:[a-z]*[A-Z0-9]))[A-Za-z0-9]{{6,}}"),
    _named("key", _KEY),
    _named("token", rf"token(?!{_TO_VALUE}{_COUNT})"),
    _named("secret passw passphrase credential", _HIDDEN),
    _rule(
        "key secret passw passphrase credential token",
        rf"((?<![\w-])--?(?:[\w-]*[_-])?(?:{SECRET_WORDS}|token(?!\s+{_COUNT}))"
        r"(?:[\"']\s*,\s*|\s+)(?!--?[a-z]))(?:(\")[^\"\n]+|(')[^'\n]+|[^\s\"',;]+)",
        r"\1\2\3***",
    ),
    # A user on a host; the user of a URL, then its host; a file has no host.
    _rule("@", r"(?<![\w.-])((?:ssh|scp|sftp|rsync)(?:\s+[^\s@]++){0,8}?\s+)[^\s@]+@[^\s:@]+", r"\1***"),
    _rule("://", r"://[^\s/@'\"]*@", "://"),
    _rule(
        "://",
        rf"(?<!\bfile)://(?!{LOCAL}(?:[:/?#\s'\"]|$))(?:\[[\w:.%]{{0,60}}\]|[^\s/:?#'\"\])>,]+)",
        "://***",
    ),
    _rule("@", r"(?<![\w.+%-])[\w.+%-]++@(?:(?:[\w-]++\.)+[a-z]{2,}(?![\w-])|[\w.-]++(?=:[/~]))"),
    # A host or an address on its own.
    _rule(
        " ".join(f".{end}" for end in _HOST_ENDS.split()),
        rf"(?<![\w./-])(?:[\w-]++\.)+(?:{_HOST_ENDS.replace(' ', '|')})(?![\w-]|\.\w)",
    ),
    # The first character stands before what must not stand before it: patterns that begin so are looked for quickly.
    _Rule(
        (".",),
        re.compile(r"[0-9](?<![\w.-][0-9])[0-9]{0,2}(?:\.[0-9]{1,3}){3}(?!\w|\.\w)", re.ASCII),
        _unless_local,
    ),
    _Rule(
        (":",),
        re.compile(
            rf"[0-9A-Fa-f](?<![\w:.].)(?:[0-9A-Fa-f]{{0,3}}:(?:(?:{_HEX}:){{6}}{_HEX}|(?:{_HEX}:){{0,5}}(?::{_HEX}){{1,6}})"
            r"|[0-9A-Fa-f](?::[0-9A-Fa-f]{2}){5})(?:%\w+)?(?![\w:])"
        ),
        STRUCK,
    ),
)


@lru_cache(maxsize=1 << 13)  # lines of logs, names of places and flags come again and again
def redact(text: str) -> str:
    """Return a text without home folders, credentials, keys, people, and hosts other than the local one."""
    small = text.lower()
    for rule in _RULES:
        if any(map(small.__contains__, rule.hints)):
            text = rule.pattern.sub(rule.stand_in, text)
    return text


def hashed(text: str) -> str:
    """Return what stands for an identity: the same text gives the same digits, and they do not give the text."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:HASH_DIGITS]
