"""What an engine may print that must not be kept: the keys that it was started with, and whose machine it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

from generator.collect.host.secrets import this_identity
from generator.redaction import LOCAL
from generator.store.arguments import secret_arguments
from generator.store.redact import SECRET_NAME

SHORTEST: Final = 3
"""Characters below which a text tells nobody apart, and would be struck out of ordinary words."""
COMMON: Final = frozenset({"root", "user", "admin", "ubuntu", "debian", "localhost", "host", "true", "false", "none"})
"""Names that tell nobody apart, and words that engines print."""
PLACES: Final = frozenset({"host", "hostname", "ip"})
"""Names of entries that hold an address: the engine's own, on this machine."""

_SEPARATORS: Final = re.compile(r"[,\r\n]")
"""llama.cpp takes several keys with commas between; a key of many lines is printed a line at a time."""


def secrets_of(argv: Sequence[str], environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the texts to strike out of the log of an engine started so.

    Args:
        argv: its arguments: the values of ``--api-key X``, ``--api-key=X`` and their like are secret, and whatever else
            is left out where a command line is kept.
        environment: the values under names like ``HF_TOKEN`` are secret.
    """
    values = (*secret_arguments(argv), *_of_arguments(argv), *_of_environment(environment), *_of_machine())
    found = {text.strip() for value in values for text in (value, *_SEPARATORS.split(value))}
    return tuple(sorted(text for text in found if _tells_apart(text)))


def _tells_apart(text: str) -> bool:
    """Say whether a text is worth striking out: every machine is 127.0.0.1 to itself, and a log is full of it."""
    return len(text) >= SHORTEST and text.lower() not in COMMON and re.fullmatch(LOCAL, text) is None


def _of_arguments(argv: Sequence[str]) -> Iterator[str]:
    """Yield what stands next to a secret name, even if it looks like a flag: keys may begin with dashes."""
    for flag, value in (*_joined(argv), *pairwise(argv)):
        if flag.startswith("-") and _is_secret(flag.lstrip("-")):
            yield value


def _joined(argv: Iterable[str]) -> Iterator[tuple[str, str]]:
    for argument in argv:
        flag, equals, value = argument.partition("=")
        if equals:
            yield flag, value


def _of_environment(environment: Mapping[str, str]) -> Iterator[str]:
    return (value for name, value in environment.items() if _is_secret(name))


def _is_secret(name: str) -> bool:
    return bool(SECRET_NAME.search(name)) and name.lower() not in PLACES


def _of_machine() -> Iterator[str]:
    """Yield the names of the host, the user and the home folder."""
    who = this_identity()
    yield from who.names
    yield from (Path(home).name for home in who.homes)
