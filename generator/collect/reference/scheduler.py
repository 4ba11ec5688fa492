"""Continuous batching, step by step, in integer nanoseconds: the same arrivals give the same answers.

Requests are taken up first come, first served, into the slot that has been free for longest, once the KV pool has room
for them; so a large request at the head of the queue holds up those behind it. Every sequence whose prompt is done gets
one token a step; what is left of prompts is worked through in the order of their admission, so many tokens a step,
beside the decode. The step that ends a prompt gives the first token.

A machine that reserves ``whole`` takes the blocks of prompt and answer at once, and nothing is ever preempted. One that
lets them ``grow`` takes those of the prompt, and one more whenever a sequence begins it. Where none is left, the
youngest gives up its blocks, goes to the head of the queue, and has its prompt and what it had made computed again; in
such a step nobody is taken up. That is how vLLM preempts.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from generator.collect.reference.histograms import Times
from generator.collect.reference.model import NANO, Machine, Noise, Work, chunk_work, decode_work, step_seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclass(slots=True, eq=False)
class Sequence:
    """One request: what it asks, and how far it is. Times are in ns, and 0 until they are known.

    Attributes:
        id: the number of the request.
        prompt: tokens of its prompt.
        output: tokens that it is to be answered with.
        arrived: when it came.
        admitted: start of the step that took it up first.
        first: end of the step that made its first token.
        ended: end of the step that made its last one.
        slot: its slot; −1 before it has one.
        prefilled: tokens of its prompt that are done.
        made: tokens of its answer that are done.
        again: of these, those that have to be computed again like a prompt, since it was preempted.
        counted: tokens of its prompt that were done once.
        blocks: of the KV pool, that it holds.
        preempted: how often it had to give them up.
    """

    id: int
    prompt: int
    output: int
    arrived: int
    admitted: int = 0
    first: int = 0
    ended: int = 0
    slot: int = -1
    prefilled: int = 0
    made: int = 0
    again: int = 0
    counted: int = 0
    blocks: int = 0
    preempted: int = 0

    @property
    def context(self) -> int:
        """Tokens that its next token sees."""
        return self.prefilled + self.made - self.again

    @property
    def to_prefill(self) -> int:
        """Tokens that have to be computed before it gets its next one: of its prompt, and those lost."""
        return self.prompt + self.again

    @property
    def decodes(self) -> bool:
        """Whether it gets a token at each step."""
        return self.prefilled == self.to_prefill


@dataclass(frozen=True, slots=True)
class Step:
    """One step.

    Attributes:
        starts: when, ns.
        ends: when, ns.
        admitted: sequences that it took up.
        preempted: sequences that had to give up their blocks.
        decoding: sequences that get a token.
        chunks: sequences of which part of the prompt is done, and how many tokens of it.
    """

    starts: int
    ends: int
    admitted: tuple[Sequence, ...]
    preempted: tuple[Sequence, ...]
    decoding: tuple[Sequence, ...]
    chunks: tuple[tuple[Sequence, int], ...]


@dataclass(frozen=True, slots=True)
class Token:
    """A token that a step made: whose, when (ns), the how-manieth of its answer from 0, and whether it is the last."""

    sequence: Sequence
    at: int
    index: int
    last: bool


@dataclass(slots=True)
class Totals:
    """What the engine did since its start; times in ns.

    Attributes:
        steps: steps done.
        batched: sequences over all steps.
        prompt_tokens: tokens of prompts done, each once.
        again: tokens computed again after a preemption.
        generated: tokens made.
        prompt_time: from admission to first token, over all sequences that got so far.
        decode_time: from first to last token, over all sequences that ended.
        longest: tokens of the longest sequence.
        completed: sequences that were answered to the end.
        cancelled: sequences given up before.
        preemptions: how often a sequence had to give up its blocks.
    """

    steps: int = 0
    batched: int = 0
    prompt_tokens: int = 0
    again: int = 0
    generated: int = 0
    prompt_time: int = 0
    decode_time: int = 0
    longest: int = 0
    completed: int = 0
    cancelled: int = 0
    preemptions: int = 0


@dataclass(slots=True)
class KvPool:
    """Blocks of the KV cache."""

    blocks: int
    used: int = 0

    def take(self, blocks: int) -> bool:
        """Take blocks if there are so many; say whether."""
        if self.used + blocks > self.blocks:
            return False
        self.used += blocks
        return True

    def give_back(self, blocks: int) -> None:
        """Give blocks back."""
        self.used -= blocks


@dataclass(slots=True)
class Engine:
    """The scheduler. It has no clock: whoever drives it says when a step begins, and gets when that step ends."""

    machine: Machine
    noise: Noise = field(default_factory=Noise)
    totals: Totals = field(default_factory=Totals)
    times: Times = field(default_factory=Times)
    waiting: deque[Sequence] = field(default_factory=deque)
    running: dict[int, Sequence] = field(default_factory=dict)
    pool: KvPool = field(init=False)
    _free: deque[int] = field(init=False)

    def __post_init__(self) -> None:
        self.pool = KvPool(self.machine.kv_blocks)
        self._free = deque(range(self.machine.slots))

    def fits(self, prompt: int, output: int) -> bool:
        """Say whether a request can be answered at all."""
        tokens = prompt + output
        return tokens <= self.machine.context and self.machine.blocks_for(tokens) <= self.machine.kv_blocks

    def arrive(self, sequence: Sequence) -> None:
        """Queue a request; those that do not fit are the caller's to refuse.

        Raises:
            ValueError: it cannot be answered at all, or asks for nothing.
        """
        if not self.fits(sequence.prompt, sequence.output) or min(sequence.prompt, sequence.output) < 1:
            raise ValueError(sequence.id)
        self.waiting.append(sequence)

    def cancel(self, sequence: Sequence) -> None:
        """Give a request up, wherever it is; its slot and its blocks are free from the next step on."""
        if sequence.id in self.running:
            self._release(sequence)
        elif sequence in self.waiting:
            self.waiting.remove(sequence)
        else:
            return
        self.totals.cancelled += 1

    def begin(self, at: int) -> Step | None:
        """Begin a step at a time (ns), or when the next request comes if there is none; None where nothing is left."""
        if not self.running and self.waiting:
            at = max(at, self.waiting[0].arrived)
        preempted = tuple(self._grow()) if self.machine.reserve == "grow" else ()
        admitted = () if preempted else tuple(self._admit(at))
        if not self.running:
            return None
        decoding = tuple(one for one in self.running.values() if one.decodes)
        chunks = tuple(self._chunks())
        return Step(at, at + self._duration(decoding, chunks), admitted, preempted, decoding, chunks)

    def finish(self, step: Step) -> list[Token]:
        """End a step and return the tokens that it made, those of the oldest sequences first."""
        self.totals.steps += 1
        self.totals.batched += len(step.decoding) + len(step.chunks)
        tokens = [self._token(one, step.ends) for one in step.decoding if one.id in self.running]
        for sequence, done in step.chunks:
            if sequence.id in self.running and self._prefilled(sequence, done):
                tokens.append(self._token(sequence, step.ends))
        return tokens

    def _grow(self) -> Iterator[Sequence]:
        """Take the blocks that this step begins, those of the oldest first; yield who is preempted for them."""
        for sequence in tuple(self.running.values()):
            while sequence.id in self.running and not self._holds(sequence, sequence.context):
                youngest = next(reversed(self.running.values()))
                self._preempt(youngest)
                yield youngest

    def _holds(self, sequence: Sequence, tokens: int) -> bool:
        """Take what a sequence lacks of the blocks for some tokens; say whether it has them now."""
        lacking = max(0, self.machine.blocks_for(tokens) - sequence.blocks)
        taken = self.pool.take(lacking)
        sequence.blocks += lacking if taken else 0
        return taken

    def _preempt(self, sequence: Sequence) -> None:
        self._release(sequence)
        sequence.prefilled, sequence.again, sequence.slot = 0, sequence.made, -1
        sequence.preempted += 1
        self.waiting.appendleft(sequence)
        self.totals.preemptions += 1

    def _admit(self, at: int) -> Iterator[Sequence]:
        while self._free and self.waiting and self.waiting[0].arrived <= at:
            if not self._holds(self.waiting[0], self._first_need(self.waiting[0])):
                return
            sequence = self.waiting.popleft()
            sequence.admitted = sequence.admitted if sequence.preempted else at
            sequence.slot = self._free.popleft()
            self.running[sequence.id] = sequence
            yield sequence

    def _first_need(self, sequence: Sequence) -> int:
        """Return the tokens for which there has to be room before a sequence is taken up."""
        return sequence.to_prefill if self.machine.reserve == "grow" else sequence.prompt + sequence.output

    def _chunks(self) -> Iterator[tuple[Sequence, int]]:
        left = self.machine.chunk_tokens
        for sequence in self.running.values():
            tokens = min(left, sequence.to_prefill - sequence.prefilled)
            if tokens:
                yield sequence, tokens
                left -= tokens

    def _duration(self, decoding: tuple[Sequence, ...], chunks: tuple[tuple[Sequence, int], ...]) -> int:
        prompts = (chunk_work(sequence.prefilled, tokens) for sequence, tokens in chunks)
        work = sum(prompts, start=Work()) + decode_work([one.context for one in decoding])
        return round(step_seconds(self.machine, work) * self.noise.factor() * NANO)

    def _prefilled(self, sequence: Sequence, tokens: int) -> bool:
        sequence.prefilled += tokens
        fresh = max(0, min(sequence.prefilled, sequence.prompt) - sequence.counted)
        sequence.counted += fresh
        self.totals.prompt_tokens += fresh
        self.totals.again += tokens - fresh
        return sequence.decodes

    def _token(self, sequence: Sequence, at: int) -> Token:
        sequence.made += 1
        self.totals.generated += 1
        if sequence.made == 1:
            sequence.first = at
            self.totals.prompt_time += at - sequence.admitted
            self.times.begun(at - sequence.arrived)
        last = sequence.made == sequence.output
        if last:
            self._complete(sequence, at)
        return Token(sequence, at, sequence.made - 1, last)

    def _complete(self, sequence: Sequence, at: int) -> None:
        sequence.ended = at
        self.totals.completed += 1
        self.totals.decode_time += at - sequence.first
        self.totals.longest = max(self.totals.longest, sequence.context)
        waited, prefill = sequence.admitted - sequence.arrived, sequence.first - sequence.admitted
        self.times.ended(waited, prefill, at - sequence.first)
        self._release(sequence)

    def _release(self, sequence: Sequence) -> None:
        del self.running[sequence.id]
        self._free.append(sequence.slot)
        self.pool.give_back(sequence.blocks)
        sequence.blocks = 0


def spread_over(sequences: Iterable[Sequence], slots: int) -> list[Sequence | None]:
    """Return who is in which slot; None in those that are free."""
    held = {sequence.slot: sequence for sequence in sequences}
    return [held.get(slot) for slot in range(slots)]
