"""The files of the site while they are gathered, and what is left out of it: a fault costs what it is of alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from generator.comparing.neighbours import Neighbours
from generator.errors import InputError, fault
from generator.frame import Analysis
from generator.render.front.gathered import Whole


@dataclass(slots=True)
class Pages:
    """The files of the site, gathered before any of them is written."""

    files: Whole = field(default_factory=dict)
    analyses: list[Analysis] = field(default_factory=list)
    lost: dict[str, InputError] = field(default_factory=dict)
    """Round, pair or page that is left out -> why."""
    against: dict[str, Neighbours] = field(default_factory=dict)
    """Round -> the pair in which it is compared with the one before it."""

    @contextmanager
    def leaving_out(self, name: str, file: str) -> Iterator[None]:
        """Leave a round, a pair or a page out where it cannot be used, or where the program fails over it."""
        try:
            yield
        except InputError as error:
            self.lost[name] = error
        except Exception as error:  # noqa: BLE001  # whatever it is, the rest is built
            self.lost[name] = fault(file, error)
