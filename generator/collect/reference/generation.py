"""One answer being given: its tokens become events, and each event is stamped and sent."""

from __future__ import annotations

from time import monotonic_ns
from typing import TYPE_CHECKING, Final

from generator.collect.reference.shapes import DONE
from generator.collect.reference.tokenizer import word

if TYPE_CHECKING:
    from generator.collect.reference.asking import Ask
    from generator.collect.reference.connection import Connection
    from generator.collect.reference.scheduler import Sequence, Token
    from generator.collect.reference.shapes import Shape
    from generator.collect.reference.stamps import Sheet

SERVER: Final = "rounds-reference"
"""The Server field of every answer."""

EVENTS: Final = "text/event-stream; charset=utf-8"
JSON: Final = "application/json; charset=utf-8"


class Generation:
    """An answer on its way to a client."""

    def __init__(self, ask: Ask, sequence: Sequence, shape: Shape, sheet: Sheet, per_chunk: int) -> None:
        """Take what is asked, how it looks, where its stamps go, and how many tokens an event has."""
        self.ask = ask
        self.sequence = sequence
        self.sheet = sheet
        self._shape = shape
        self._per_chunk = per_chunk
        self._pending: list[str] = []

    def begin(self, connection: Connection) -> None:
        """Send the head of a stream; what is not streamed has its head with its body."""
        if self.ask.stream:
            self.sheet.head = monotonic_ns()
            connection.begin_stream({**self._fields(), "Content-Type": EVENTS})

    def give(self, token: Token, connection: Connection) -> None:
        """Give a token of a stream, or keep it until the answer is whole."""
        self._pending.append(word(self.sequence.id, token.index))
        if not self.ask.stream:
            if token.last:
                self._give_whole(token, connection)
            return
        if token.index == 0:
            self._send_all(self._shape.opening(), token, connection)
        if token.last or len(self._pending) == self._per_chunk:
            self._give_text(token, connection)
        if token.last:
            self._send_all(self._shape.closing(self.sequence), token, connection)
            self._send(connection.framed(DONE, last=True), token, 0, connection)

    def _give_text(self, token: Token, connection: Connection) -> None:
        data = self._shape.text("".join(self._pending), token.last)
        tokens = len(self._pending)
        self._pending.clear()
        self._send(connection.framed(data), token, tokens, connection)

    def _give_whole(self, token: Token, connection: Connection) -> None:
        body = self._shape.whole("".join(self._pending), self.sequence)
        sent = self.sheet.head = monotonic_ns()
        self.sheet.note(token.at, sent, len(self._pending))
        connection.answer(200, body, JSON, self._fields())

    def _fields(self) -> dict[str, str]:
        return {"Server": SERVER, "X-Request-Id": self.sheet.request}

    def _send_all(self, events: list[bytes], token: Token, connection: Connection) -> None:
        for data in events:
            self._send(connection.framed(data), token, 0, connection)

    def _send(self, framed: bytes, token: Token, tokens: int, connection: Connection) -> None:
        """Stamp and send; nothing stands between the two."""
        self.sheet.queued += connection.is_behind
        self.sheet.note(token.at, monotonic_ns(), tokens)
        connection.send(framed)
