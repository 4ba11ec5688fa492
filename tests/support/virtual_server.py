"""The reference server, a client and the collector's sampler in virtual time: nothing waits, and all is known.

The scheduler says when steps end; a request is in the queue of the engine ``front_s`` after its client sent it, and a
token is with the client ``back_s`` after the step that made it. Times are ns of a clock that begins at ``BEGIN``.
"""

from __future__ import annotations

import heapq
import io
import json
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final

from generator.collect.engine_process.log_format import prefix
from generator.collect.host.gauges import metrics_source, slots_source
from generator.collect.host.samples import Lines
from generator.collect.reference.engine_log import EngineLog, LlamaLog, VllmLog
from generator.collect.reference.gauges import exposition
from generator.collect.reference.model import NANO, Noise
from generator.collect.reference.pacing import Lateness
from generator.collect.reference.scheduler import Engine, Token
from generator.collect.reference.scheduler import Sequence as Served
from generator.collect.reference.settings import Settings
from generator.collect.reference.slots import slots_of

BEGIN: Final = 1_000 * NANO
"""The clock when the server is spawned, ns."""
WALL: Final = 1_796_000_000 * NANO
"""By how much the wall clock is ahead of it, ns."""
NEVER: Final = 1 << 62
PORT: Final = 18_000


@dataclass(frozen=True, slots=True)
class Way:
    """How long things take that are not the engine's, in s.

    Attributes:
        front_s: from the sending of a request to the engine's queue.
        back_s: from the end of a step to the client's having a token of it.
        apart_s: from one request or token to the next where several go at once: so the first of them starts a step.
    """

    front_s: float = 0.003
    back_s: float = 0.0005
    apart_s: float = 20e-6


@dataclass(slots=True, eq=False)
class Exchange:
    """A request and its answer.

    Attributes:
        number: its place among those that were asked for.
        scheduled: when its turn came; it was sent then.
        served: what the engine knows of it.
        chunks: when each of its tokens was with the client.
    """

    number: int
    scheduled: int
    served: Served
    chunks: list[int] = field(default_factory=list)


class _Stamped(io.StringIO):
    """A log to which each line goes with the clock in front, as the collector writes it."""

    def __init__(self, path: Path, server: VirtualServer) -> None:
        super().__init__()
        self._file = path.open("w", encoding="utf-8")
        self._server = server

    def write(self, text: str, /) -> int:
        """Write whole lines."""
        return self._file.write(f"{prefix(self._server.now, self._server.wall)}{text}")

    def flush(self) -> None:
        """Have the lines on the disk."""
        self._file.flush()

    def close(self) -> None:
        """Write no more."""
        self._file.close()


class VirtualServer:
    """A server that runs, and who asks and watches it."""

    def __init__(self, settings: Settings, way: Way, log: Path, samples: Path, every_s: float) -> None:
        """Take how it behaves, how far it is away, and where its log and the samples of its gauges go."""
        self.now = BEGIN
        self.settings = settings
        self.engine = Engine(settings.machine, Noise(settings.noise, settings.seed))
        self._way = way
        self._out = _Stamped(log, self)
        self._log = self._log_of_style()
        self._lines = Lines(samples)
        self._lines.open()
        self._every = round(every_s * NANO)
        self._sampled = self._told = NEVER
        self._ids = count()
        self._coming: list[tuple[int, int, Exchange]] = []
        self._open: dict[int, Exchange] = {}
        self._turns: deque[tuple[int, tuple[int, int]]] = deque()

    @property
    def wall(self) -> int:
        """The wall clock, ns since 1970."""
        return self.now + WALL

    def page(self) -> str:
        """Return what /metrics answers now."""
        return exposition(self.settings.style, self.engine, Lateness())

    def start(self) -> None:
        """Pass the stages of the start, and begin to sample once it listens."""
        self._log.loading(self.engine)
        for stage, seconds in self.settings.stages.items():
            self.wait(seconds)
            self._log.passed(self.engine, stage, seconds)
        self.wait(self.settings.load_seconds)
        self._log.listening(self.engine, PORT)
        self._sampled, self._told = self.now, self.now + round(self.settings.stats_seconds * NANO)

    def stop(self) -> None:
        """End; log and samples are whole then."""
        self._log.stopping()
        self._out.close()
        self._lines.close()

    def wait(self, seconds: float) -> None:
        """Let time pass in which nobody asks anything."""
        self._pass(self.now + round(seconds * NANO))

    def closed_loop(self, lengths: Sequence[tuple[int, int]], at_once: int) -> list[Exchange]:
        """Ask for answers, so many at once, given the tokens in and out of each; return them in the order of turns."""
        self._turns = deque(enumerate(lengths))
        for place in range(min(at_once, len(lengths))):
            self._send_next(self.now + round(place * self._way.apart_s * NANO))
        return self._served()

    def open_loop(self, lengths: Sequence[tuple[int, int]], after_s: Iterable[float]) -> list[Exchange]:
        """Ask for answers at times, in s from now on."""
        for turn, after in zip(enumerate(lengths), after_s, strict=True):
            self._send(*turn, at=self.now + round(float(after) * NANO))
        return self._served()

    def _log_of_style(self) -> EngineLog:
        def clock() -> float:
            return self.now / NANO

        if self.settings.style == "vllm":
            return VllmLog(self._out, clock, lambda: self.wall / NANO)
        return LlamaLog(self._out, clock)

    def _send_next(self, at: int) -> None:
        if self._turns:
            self._send(*self._turns.popleft(), at=at)

    def _send(self, number: int, lengths: tuple[int, int], at: int) -> None:
        arrived = at + round(self._way.front_s * NANO)
        served = Served(next(self._ids), *lengths, arrived)
        heapq.heappush(self._coming, (arrived, served.id, Exchange(number, at, served)))

    def _served(self) -> list[Exchange]:
        """Serve until nobody asks any more."""
        done: list[Exchange] = []
        while self._coming or self.engine.running or self.engine.waiting:
            step = self.engine.begin(self.now)
            if step is None:
                self._pass(self._coming[0][0])
                continue
            for one in step.admitted:
                self._log.launched(one)
            self._pass(step.ends)
            done += self._delivered(self.engine.finish(step))
        self.now = max([self.now, *(one.chunks[-1] for one in done)])
        return sorted(done, key=lambda one: one.number)

    def _delivered(self, tokens: Sequence[Token]) -> Iterator[Exchange]:
        """Hand tokens to their clients; yield the exchanges that are over, after each of which another begins."""
        way = self._way
        for place, token in enumerate(tokens):
            exchange = self._open[token.sequence.id]
            exchange.chunks.append(token.at + round((way.back_s + place * way.apart_s) * NANO))
            if token.last:
                del self._open[token.sequence.id]
                self._log.ended(token.sequence)
                self._send_next(exchange.chunks[-1])
                yield exchange

    def _pass(self, until: int) -> None:
        """Let time pass: requests arrive meanwhile, gauges are sampled, and statistics told."""
        while (at := min(self._coming[0][0] if self._coming else NEVER, self._sampled, self._told)) <= until:
            self.now = at
            if self._coming and self._coming[0][0] == at:
                self._arrive(heapq.heappop(self._coming)[2])
            elif self._sampled == at:
                self._sample()
            else:
                self._log.statistics()
                self._told += round(self.settings.stats_seconds * NANO)
        self.now = until

    def _arrive(self, exchange: Exchange) -> None:
        self._open[exchange.served.id] = exchange
        self.engine.arrive(exchange.served)
        self._log.answered("127.0.0.1:40000", "POST /v1/completions HTTP/1.1", 200)

    def _sample(self) -> None:
        sources = [metrics_source(self.page)]
        if self.settings.style == "llamacpp":
            sources.append(slots_source(lambda: json.dumps(slots_of(self.engine))))
        for source in sources:
            self._lines.readings((self.now, self.wall), source.read())
        self._sampled += self._every
