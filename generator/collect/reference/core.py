"""The server without HTTP: requests go into the engine, and its tokens go to whom they are for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TextIO

from generator.collect.reference.asking import Refusal
from generator.collect.reference.engine_log import log_of
from generator.collect.reference.generation import Generation
from generator.collect.reference.model import Noise
from generator.collect.reference.pacing import Pacer
from generator.collect.reference.scheduler import Engine, Sequence
from generator.collect.reference.shapes import shape_of
from generator.collect.reference.stamps import StampBook

if TYPE_CHECKING:
    import asyncio

    from generator.collect.reference.asking import Ask
    from generator.collect.reference.connection import Connection
    from generator.collect.reference.scheduler import Step, Token
    from generator.collect.reference.settings import Settings

LONGEST_ID: Final = 128
"""Characters of an X-Request-Id that are kept."""


class Core:
    """Engine, pacer, stamps and log of one server."""

    def __init__(self, settings: Settings, loop: asyncio.AbstractEventLoop, out: TextIO) -> None:
        """Take the settings, the loop that paces, and where the log goes."""
        self.settings = settings
        self.engine = Engine(settings.machine, Noise(settings.noise, settings.seed))
        self.book = StampBook()
        self.log = log_of(settings.style, out)
        self.pacer = Pacer(self.engine, loop, self._begun, self._deliver)
        self._answers: dict[int, tuple[Generation, Connection]] = {}

    def submit(self, ask: Ask, request: str | None, connection: Connection) -> None:
        """Queue a request.

        Raises:
            Refusal: it is longer than the context or the KV pool.
        """
        self._refuse_too_long(ask)
        sheet = self.book.open(None if request is None else request[:LONGEST_ID], connection.received)
        sequence = Sequence(sheet.number, ask.prompt, ask.output, sheet.arrived)
        shape = shape_of(self.settings.style, sheet.number, self.settings.machine.name, ask)
        generation = Generation(ask, sequence, shape, sheet, self.settings.tokens_per_chunk)
        self._answers[sequence.id] = generation, connection
        connection.when_lost = lambda: self._cancel(generation)
        self.engine.arrive(sequence)
        generation.begin(connection)
        self.pacer.wake(sequence.arrived)

    def _refuse_too_long(self, ask: Ask) -> None:
        if not self.engine.fits(ask.prompt, ask.output):
            machine = self.settings.machine
            most = min(machine.context, machine.kv_blocks * machine.block_tokens)
            counts = f"{ask.prompt} tokens of prompt and {ask.output} of answer are more than {most}"
            kind = {"n_prompt_tokens": ask.prompt, "n_ctx": most}
            raise Refusal(counts, kind="exceed_context_size_error", **kind)

    def _begun(self, step: Step) -> None:
        for sequence in step.admitted:
            self.log.launched(sequence)

    def _deliver(self, tokens: list[Token]) -> None:
        """Send first, and log after all has been sent: what is logged must not delay the next stream."""
        ended: list[Sequence] = []
        for token in tokens:
            generation, connection = self._answers[token.sequence.id]
            if token.last:
                del self._answers[token.sequence.id]
                ended.append(token.sequence)
            generation.give(token, connection)
            if token.last:
                self._close(generation, connection)
        for sequence in ended:
            self.log.ended(sequence)

    def _close(self, generation: Generation, connection: Connection) -> None:
        self.book.close(generation.sheet, "done")
        if generation.ask.stream:
            connection.end_stream()

    def _cancel(self, generation: Generation) -> None:
        sequence = generation.sequence
        if self._answers.pop(sequence.id, None) is not None:
            self.engine.cancel(sequence)
            self.book.close(generation.sheet, "cancelled")
            self.log.cancelled(sequence)
