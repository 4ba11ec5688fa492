"""How long parts of requests took, as vLLM counts it: histograms that only grow.

A request waits until it is first taken up, is in prefill until its first token, and decodes until its last; what
preemption costs is in the part that it falls into. The first token is counted when it comes, all else at the end.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from generator.collect.reference.model import NANO

if TYPE_CHECKING:
    from collections.abc import Iterator

BOUNDS: Final = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 60.0)
"""Upper bounds of the buckets, s; the last bucket has none."""


@dataclass(slots=True)
class Histogram:
    """Times in buckets, with their sum.

    Attributes:
        sum: ns of all together.
        counts: how many fell into each bucket, the one without a bound last.
    """

    sum: int = 0
    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))

    def add(self, ns: int) -> None:
        """Add a time; one that is a bound is below it."""
        self.sum += ns
        self.counts[bisect_left(BOUNDS, ns / NANO)] += 1

    @property
    def count(self) -> int:
        """How many times there are."""
        return sum(self.counts)

    def below(self) -> Iterator[tuple[str, int]]:
        """Yield each bound as it is written, and how many are not above it."""
        so_far = 0
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), self.counts, strict=True):
            so_far += count
            yield bound, so_far


@dataclass(slots=True)
class Times:
    """The histograms of an engine.

    Attributes:
        first_token: from arrival to first token.
        whole: from arrival to last token.
        queue: from arrival until first taken up.
        prefill: from there to the first token.
        decode: from the first token to the last.
    """

    first_token: Histogram = field(default_factory=Histogram)
    whole: Histogram = field(default_factory=Histogram)
    queue: Histogram = field(default_factory=Histogram)
    prefill: Histogram = field(default_factory=Histogram)
    decode: Histogram = field(default_factory=Histogram)

    def begun(self, first_token: int) -> None:
        """Count a first token, so long after the arrival, in ns."""
        self.first_token.add(first_token)

    def ended(self, queue: int, prefill: int, decode: int) -> None:
        """Count the parts of a request that was answered to the end, in ns."""
        self.whole.add(queue + prefill + decode)
        self.queue.add(queue)
        self.prefill.add(prefill)
        self.decode.add(decode)
