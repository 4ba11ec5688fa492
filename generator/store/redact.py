"""What must not be published is struck out of texts: who ran it, on which host, with which key."""

from __future__ import annotations

import re
from typing import Final

STRUCK: Final = "***"
LOCAL: Final = r"(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\]|0\.0\.0\.0)"

SECRET_NAME: Final = re.compile(
    r"(?:^|[_\-. ])(?:api[_-]?key|(?:access|auth|hf|bearer)?[_-]?token|secret|password|passwd|credentials?"
    r"|authorization|host|hostname|user|username|ip)$",
    re.IGNORECASE,
)
"""Names of entries whose text is a secret, a host or a person, whatever it looks like."""

_RULES: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), stand_in)
    for pattern, stand_in in (
        # The folder of a user, on Linux, macOS and Windows.
        (r"(?:/(?:home|Users)/[^/\s'\"]+|/root(?![\w.-])|\b[A-Z]:\\+Users\\+[^\\\s'\"]+)", "~"),
        # Keys that tell themselves by their shape, or by the word before them.
        (r"\b(bearer|authorization:\s*\w+)\s+[\w.~+/=-]{6,}", r"\1 ***"),
        (r"(\bauthorization[\"']?\s*[=:]\s*[\"']?)(?!\w+\s+\*)[^\s\"',;]{8,}", r"\1***"),
        (r"(\bcookie[\"']?\s*:\s*[\"']?)[^\r\n\"']+", r"\1***"),
        (r"\b(?:sk|rk|pk)-[\w-]{8,}|\b(?:hf|ghp|gho|ghs|glpat|xox[abp])[_-][\w-]{8,}|\bAKIA[0-9A-Z]{12,}", STRUCK),
        (
            r"((?:api[_-]?key|access[_-]?key|auth[_-]?token|token|secret|password|passwd)[\"']?\s*[=:]\s*[\"']?)[^\s&\"',;]+",
            r"\1***",
        ),
        # The user of a URL, then its host; a file has no host.
        (r"\b([a-z][a-z0-9+.-]*://)[^\s/@'\"]*@", r"\1"),
        (
            rf"\b((?!file:)[a-z][a-z0-9+.-]*://)(?!{LOCAL}(?:[:/?#\s'\"]|$))(?:\[[^\]\s]*\]|[^\s/:?#'\"\])>,]+)",
            r"\1***",
        ),
        # An address on its own.
        (rf"(?<![\w.-])(?!{LOCAL}(?![\w.]))(?:[0-9]{{1,3}}\.){{3}}[0-9]{{1,3}}(?![\w.])", STRUCK),
    )
)


def redact(text: str) -> str:
    """Return a text without home folders, credentials, keys, and hosts other than the local one."""
    for pattern, stand_in in _RULES:
        text = pattern.sub(stand_in, text)
    return text


def redact_entry(name: str, text: str) -> str:
    """Return the text of a named entry; where the name says that it is a secret, nothing of it."""
    return STRUCK if text and SECRET_NAME.search(name) else redact(text)
