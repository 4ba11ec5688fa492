"""The ids of values on the page of derivations: short, and the same whatever the numbers are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Final

import numpy as np

from generator.values import Address

SHORTEST: Final = 4
"""Letters of an id. A report links hundreds of numbers: each letter more is felt in its size."""

DIGEST_BYTES: Final = 20
DIGITS: Final = "234567"
ALPHABET: Final = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz" + DIGITS.encode(), np.uint8)
"""What stands for five bits, as base32 has it."""
WEIGHTS: Final = np.array([16, 8, 4, 2, 1], np.uint8)
"""Those of the bits of a letter."""
LETTERS: Final = DIGEST_BYTES * 8 // len(WEIGHTS)
SEPARATOR: Final = "~"
"""Between the parts of a name: no id of a round can hold it."""


def anchors(addresses: Iterable[Address]) -> dict[Address, str]:
    """Return the id of each of a round's values.

    An id is the beginning of a hash of what the value is the value of, as long as it takes to be the only one:
    numbers that change leave it as it is, so links from elsewhere keep.
    """
    codes = _codes(list(addresses))
    found: dict[Address, str] = {}
    for length in range(SHORTEST, DIGEST_BYTES + 1):
        sharing = Counter(code[:length] for code in codes.values())
        found |= {address: code[:length] for address, code in codes.items() if sharing[code[:length]] == 1}
        codes = {address: code for address, code in codes.items() if address not in found}
        if not codes:
            break
    return found


def name(address: Address) -> str:
    """Return an address as one word: ``level~floor_ratio~llamacpp-q4_k_m~c64``; no two share one."""
    metric = address.metric if address.basis is None else f"{address.metric}.{address.basis}"
    trial = "" if address.trial is None else str(address.trial)
    parts = (address.scope, metric, address.series or "", address.level or "", trial)
    return SEPARATOR.join(parts).rstrip(SEPARATOR)


def _codes(addresses: Sequence[Address]) -> dict[Address, str]:
    """Return for each address a hash in letters and digits, a letter first: a selector then takes it as it is."""
    hashes = b"".join([blake2b(name(one).encode(), digest_size=DIGEST_BYTES).digest() for one in addresses])
    fives = np.unpackbits(np.frombuffer(hashes, np.uint8)).reshape(-1, len(WEIGHTS)) @ WEIGHTS
    text = ALPHABET[fives].tobytes().decode()
    return {
        one: text[at : at + LETTERS].lstrip(DIGITS)
        for one, at in zip(addresses, range(0, len(text), LETTERS), strict=True)
    }
