"""Files with something wrong in them: a sample changed in its bytes or, where it is JSON, in its structure.

``make test`` reads a few hundred mutants of each sample, ``make fuzz`` as many as FUZZ says: the same ones, and more.
"""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any, Final, NoReturn

from generator.errors import InputError
from generator.kinds import Importer

ODD: Final[tuple[Any, ...]] = (
    None,
    True,
    "",
    "N/A",
    -1,
    0,
    1e308,
    10**400,
    float("nan"),
    [],
    {},
    [[[]]],
    {"": {}},
    "x" * 2000,
    "\ud7ff",
)
"""Values that stand where another was expected."""
BYTES: Final = (
    b"",
    b"\0",
    b"\xff",
    b'"',
    b"{",
    b"]",
    b"[[",
    b",",
    b"\n",
    b"-",
    b"1e999",
    b"NaN",
    b"\xef\xbb\xbf",
    b"9" * 400,
)
COUNT: Final = int(os.environ.get("FUZZ", "200"))
"""Mutants of each sample."""
MOST_CPU_S: Final = 1.0
"""Seconds of computing that one mutant may take: of the processor's time, which a busy machine does not lengthen."""
MOST_MEMORY: Final = 300 * 1000**2
"""Bytes by which the memory of the process may grow while the mutants of a sample are read, one after another."""

Change = Callable[[bytes, random.Random], bytes]


def mutated(sample: bytes, count: int = COUNT, seed: int = 1) -> Iterator[bytes]:
    """Yield a file in which something is wrong, in another way each time; the same ones on every run."""
    chance = random.Random(seed)
    documents = _documents(sample)
    for number in range(count):
        yield _structure(documents, chance) if documents and number % 2 else chance.choice(CHANGES)(sample, chance)


def _documents(sample: bytes) -> list[Any]:
    try:
        return [json.loads(sample)]
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in sample.splitlines()]
    except ValueError:
        return []


def _replaced(sample: bytes, chance: random.Random) -> bytes:
    """Put something else in the place of a few bytes, or of all that follow."""
    start = chance.randrange(len(sample))
    end = start + chance.choice((0, 1, 1, 4, 64, len(sample)))
    return sample[:start] + chance.choice((*BYTES, bytes([chance.randrange(256)]))) + sample[end:]


def _repeated(sample: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(sample))
    end = start + chance.randrange(1, 64)
    return sample[:end] + sample[start:end] * 2 + sample[end:]


def _odd_value(sample: bytes, chance: random.Random) -> bytes:
    """Put an odd value between a colon or a comma and the next comma or end of line, as in a table or in YAML."""
    at = chance.randrange(len(sample))
    begin = min(found if found >= 0 else at for found in (sample.find(b":", at), sample.find(b",", at))) + 1
    ends = [found for mark in (b",", b"\n") if (found := sample.find(mark, begin)) >= 0]
    return sample[:begin] + json.dumps(chance.choice(ODD)).encode() + sample[min(ends, default=len(sample)) :]


CHANGES: Final[tuple[Change, ...]] = (_replaced, _replaced, _repeated, _odd_value)


def _structure(documents: list[Any], chance: random.Random) -> bytes:
    changed = deepcopy(documents)
    holders = list(_holders(changed))
    holder = chance.choice(holders)
    key = chance.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    if chance.random() < 0.25:
        del holder[key]
    else:
        holder[key] = chance.choice(ODD)
    return "\n".join(json.dumps(one) for one in changed).encode()


def _holders(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        if value:
            yield value
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _holders(inner)


def survives(importer: Importer, sample: bytes, folder: Path, name: str = "result", part: int = 1) -> int:
    """Read mutants of a sample with an importer; return how many still hold a run (see ``readable``)."""

    def read(path: Path) -> object:
        with path.open("rb") as file:
            importer.recognises(file.read(2**16))
        return importer.read(path, lambda _: None)

    return readable(read, sample, folder, name, part)


def readable(read: Callable[[Path], object], sample: bytes, folder: Path, name: str = "result", part: int = 1) -> int:
    """Read mutants of a sample; return of how many something was read, which is not all that there are.

    Whatever is raised but an InputError of one line comes through, as does what takes too long or too much memory.

    Args:
        read: the reader.
        sample: a file that it can read.
        folder: where the mutants are written, one at a time.
        name: of their files.
        part: what part of the mutants is enough, for a reader that takes long: 2 is every second.
    """
    found, refused, before = 0, [], _peak_memory()
    for number, data in enumerate(mutated(sample, COUNT // part)):
        path = folder / f"{number}-{name}"
        path.write_bytes(data)
        try:
            with _hurried(f"mutant {number} of {name}"):
                found += bool(read(path))
        except InputError as error:
            refused.append(str(error))
        path.unlink()
    assert [line for line in refused if "\n" in line] == []
    assert _peak_memory() - before < MOST_MEMORY
    return found


def _peak_memory() -> int:
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


@contextmanager
def _hurried(what: str) -> Iterator[None]:
    """Raise TimeoutError in what computes for too long."""

    def late(*_: object) -> NoReturn:
        raise TimeoutError(f"{what} takes more than {MOST_CPU_S} s")

    usual = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, MOST_CPU_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, usual)
