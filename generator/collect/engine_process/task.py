"""What the supervisor is told to start."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Task:
    """An engine to start.

    Attributes:
        argv: the program and its arguments.
        environment: all of its environment.
        folder: where it runs.
        grace_s: seconds that it has to end after SIGTERM.
    """

    argv: list[str]
    environment: dict[str, str]
    folder: str
    grace_s: float

    def to_json(self) -> bytes:
        """Return one line."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def from_json(cls, line: bytes) -> Task:
        """Return what a line of :meth:`to_json` says."""
        return cls(**json.loads(line))
