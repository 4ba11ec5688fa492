"""The requests of one run of one load, as columns; and the samples that statistics are taken from.

A sample is one number a request (or a gap) over the requests that have it, in rising order and in base units:
what failed is in none of them, and what a file leaves out is no number. One that is named ``…_in_order`` has its
numbers in the order of sending instead, row by row with ``answer_start``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from generator.text import Text
from generator.values import Source

Numbers = NDArray[np.float64]

MICROSECOND: Final = 1e-6
MOST_SECONDS: Final = 1e7
"""Seconds, a third of a year: no clock of a run gives a longer time."""
SAME_TIME: Final = 1e-3
"""Seconds within which an end and a first token may be of one chunk."""
SLOW: Final = 5
"""Medians of the TTFT above which a request was held up: no usual spread reaches that far."""
MOST_TOKENS: Final = 10_000_000
"""Tokens of a prompt or an answer: no counter gives more."""
OF_CONNECTIONS: Final = frozenset(
    {
        "ServerDisconnectedError", "ClientOSError", "ConnectionResetError", "BrokenPipeError", "RemoteDisconnected",
        "RemoteProtocolError", "ReadError", "WriteError",
    }
)  # fmt: skip
"""What clients call a connection that was kept open and is gone when the next request is to use it."""


@dataclass(frozen=True, eq=False)
class Requests:
    """One row a request, in the order the file has them. What is not known of a request is NaN.

    Attributes:
        answered: whether the request came back without an error, (n,) of bool.
        start: when it was sent, in seconds after the first one; all NaN where the file does not say.
        ttft: seconds from sending to the first token; NaN where none came.
        e2el: seconds from sending to the last token; NaN where the request failed or no token came.
        input_tokens: tokens of the prompt.
        output_tokens: tokens of the answer; 0 for an answer without a token.
        gap_counts: gaps between the chunks of each request, (n,) of int64; they add up to the length of ``gaps``.
        gaps: the gaps between chunks in whole microseconds, those of one request after those of another,
            (m,) of int32.
        source: the file that the columns were read from.
        kinds_of_error: what the failed requests died of: exception name -> how many.
    """

    answered: NDArray[np.bool_]
    start: Numbers
    ttft: Numbers
    e2el: Numbers
    input_tokens: Numbers
    output_tokens: Numbers
    gap_counts: NDArray[np.int64]
    gaps: NDArray[np.int32]
    source: Source
    kinds_of_error: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return the number of requests, failed ones included."""
        return len(self.answered)

    @cached_property
    def spoke(self) -> NDArray[np.bool_]:
        """Return which requests were answered with a token at least: latencies are theirs alone."""
        return self.answered & np.isfinite(self.ttft)

    @cached_property
    def chunked(self) -> NDArray[np.bool_]:
        """Return of which requests the chunks are on record: of those that spoke, or of none.

        An answer in one chunk is over with its first token. Where none has a gap, and some lasted longer than
        that, the file leaves the chunks out.
        """
        lasted = self.e2el[self.spoke] - self.ttft[self.spoke] > SAME_TIME
        left_out = not len(self.gaps) and bool(lasted.any())
        return np.zeros_like(self.spoke) if left_out else self.spoke

    @cached_property
    def steady(self) -> Requests:
        """Return the requests sent while the load was steady: from the first answer's end to the last sending."""
        begins, ends = self.window
        return self.only((self.start >= begins) & (self.start <= ends))

    @cached_property
    def window(self) -> tuple[float, float]:
        """Return when the first answer ended and when the last request was sent; NaN where that is not known.

        Before it the slots fill up, after it they run empty.
        """
        ends = self.ends
        if not len(ends) or not np.isfinite(self.start).any():
            return np.nan, np.nan
        return float(ends[0]), float(np.nanmax(self.start))

    @cached_property
    def ends(self) -> Numbers:
        """Return when the answers ended, in rising order."""
        return _known(self.start[self.spoke] + self.e2el[self.spoke])

    def only(self, rows: NDArray[np.bool_]) -> Requests:
        """Return some of the requests, with their gaps; what failed ones died of is known of a whole run alone."""
        of_rows = np.repeat(rows, self.gap_counts)
        return Requests(
            self.answered[rows], self.start[rows], self.ttft[rows], self.e2el[rows],
            self.input_tokens[rows], self.output_tokens[rows],
            self.gap_counts[rows], self.gaps[of_rows], self.source,
        )  # fmt: skip

    def sample(self, key: str) -> Numbers:
        """Return a sample by its key (see SAMPLES), computed once."""
        if key not in self._taken:
            self._taken[key] = SAMPLES[key].taken(self)
        return self._taken[key]

    @cached_property
    def _taken(self) -> dict[str, Numbers]:
        return {}

    def chunk_times(self) -> Numbers:
        """Return when each chunk came, in seconds after the first sending: request after request, (n + m,).

        Ask it only of requests that spoke.
        """
        chunks = self.gap_counts + 1
        first = np.cumsum(chunks) - chunks
        steps = np.zeros(int(chunks.sum()), dtype=np.int64)
        later = np.ones(len(steps), dtype=np.bool_)
        later[first] = False
        steps[later] = self.gaps
        since_any = np.cumsum(steps)
        since_first = since_any - np.repeat(since_any[first], chunks)
        arrived: Numbers = np.repeat(self.start + self.ttft, chunks) + since_first * MICROSECOND
        return arrived


@dataclass(frozen=True, slots=True)
class Sample:
    """What statistics are taken from.

    ``column`` names where it stands; ``empty`` says why there may be none where requests were answered, and is None
    where none is a number too. ``steady`` takes it from the requests of the steady part alone.
    """

    key: str
    column: str
    symbol: str
    empty: Text | None
    take: Callable[[Requests], Numbers]
    steady: bool = False

    def taken(self, requests: Requests) -> Numbers:
        """Return the numbers, in rising order."""
        return self.take(requests.steady if self.steady else requests)

    def why_empty(self, requests: Requests) -> Text | None:
        """Say why the sample of some requests has no number; None where none is a number too."""
        if self.empty is None:
            return None
        if not requests.answered.any():
            return NO_ANSWER
        if "start" in self.column and not np.isfinite(requests.start).any():
            return NO_TIMES
        if "gap" in self.column and requests.spoke.any() and not requests.chunked.any():
            return NO_GAPS
        return NOTHING_STEADY if self.steady and not len(requests.steady) else self.empty


def were_disconnected(kinds_of_error: Mapping[str, int]) -> bool:
    """Say whether all died of a connection that was gone; a name may stand behind that of its module."""
    return bool(kinds_of_error) and OF_CONNECTIONS.issuperset(kind.rpartition(".")[2] for kind in kinds_of_error)


def _known(numbers: Numbers) -> Numbers:
    return np.sort(numbers[np.isfinite(numbers)])


def _ordered(gaps: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return gaps in rising order: by counting those of each length, which a sort takes several times as long for.

    The few that are longer than there are gaps are sorted, so that the counts never outgrow the gaps.
    """
    short = gaps < len(gaps)
    counts = np.bincount(gaps[short])
    lengths = np.arange(len(counts), dtype=np.int32)
    return np.concatenate([np.repeat(lengths, counts), np.sort(gaps[~short])])


def _tpot(requests: Requests) -> Numbers:
    several = requests.spoke & (requests.output_tokens > 1)
    after_first = requests.e2el[several] - requests.ttft[several]
    return _known(after_first / (requests.output_tokens[several] - 1))


def _itl(requests: Requests) -> Numbers:
    gaps = _ordered(requests.gaps[np.repeat(requests.spoke, requests.gap_counts)])
    return gaps.astype(np.float64) * MICROSECOND


def _tokens_in_window(requests: Requests) -> Numbers:
    """Return how many tokens each chunk brought while the load was steady, 0 for one that came before or after.

    Each chunk brings an equal share of its request's tokens: token n of T in k chunks comes with chunk ⌊k × n ÷ T⌋.
    """
    spoke = requests.only(requests.chunked & np.isfinite(requests.output_tokens))
    chunks = spoke.gap_counts + 1
    first = np.repeat(np.cumsum(chunks) - chunks, chunks)
    nth, tokens = np.arange(len(first)) - first, np.repeat(spoke.output_tokens.astype(np.int64), chunks)
    chunks = np.repeat(chunks, chunks)
    # The tokens before chunk c are those with k × n < T × c: ⌈T × c ÷ k⌉ of them.
    brought = -(-(nth + 1) * tokens // chunks) + (-nth * tokens // chunks)
    begins, ends = requests.window
    times = spoke.chunk_times()
    steady = (times > begins) & (times <= ends)
    return np.sort(np.where(steady, brought, 0)[np.isfinite(times)].astype(np.float64))


def _silent(requests: Requests) -> NDArray[np.bool_]:
    """Say which answers brought no token: those counted as 0, and those without a first token where others have one.

    One with tokens and no first token was not streamed: when its tokens came is not known, but they did.
    """
    streamed = np.isfinite(requests.ttft[requests.answered]).any()
    unheard = ~np.isfinite(requests.ttft) & ~(requests.output_tokens > 0) & streamed
    silent: NDArray[np.bool_] = requests.answered & ((requests.output_tokens == 0) | unheard)
    return silent


def _edge_gaps(requests: Requests, *, last: bool) -> Numbers:
    """Return the first or the last gap of each answer that has one."""
    behind = np.cumsum(requests.gap_counts)
    at = (behind - 1 if last else behind - requests.gap_counts)[requests.spoke & (requests.gap_counts > 0)]
    edges: Numbers = np.sort(requests.gaps[at].astype(np.float64)) * MICROSECOND
    return edges


def _ttft_in_order(requests: Requests) -> Numbers:
    """Return the TTFT of the answers whose times are known; of those sent at one moment the soonest comes first."""
    timed = requests.only(requests.spoke & np.isfinite(requests.start) & np.isfinite(requests.e2el))
    ordered: Numbers = timed.ttft[np.lexsort((timed.ttft, timed.start))]
    return ordered


def _chunk_times(requests: Requests) -> Numbers:
    return _known(requests.only(requests.chunked).chunk_times())


def _slow_sent(requests: Requests) -> Numbers:
    """Return when those were sent, once the slots had filled up, that waited far longer than most for a first token."""
    ttft = requests.steady.ttft[requests.steady.spoke]
    if not len(ttft):
        return ttft
    return _known(requests.steady.start[requests.steady.spoke][ttft > SLOW * np.median(ttft)])


def _first_token_shares(requests: Requests) -> Numbers:
    """Return TTFT ÷ E2EL of the answers of several tokens."""
    several = requests.spoke & (requests.output_tokens > 1) & (requests.e2el > 0)
    return _known(requests.ttft[several] / requests.e2el[several])


def _surplus_chunks(requests: Requests) -> Numbers:
    return _known((requests.gap_counts + 1 - requests.output_tokens)[requests.chunked])


NO_ANSWER: Final = Text(zh="没有一条请求得到回答", en="no request was answered")
NO_TOKEN: Final = Text(zh="没有一条请求收到 token", en="no request got a token")
NO_SECOND_TOKEN: Final = Text(zh="没有一条回答超过一个 token", en="no answer has more than one token")
NO_SECOND_CHUNK: Final = Text(zh="没有一条回答超过一个 chunk", en="no answer came in more than one chunk")
OPEN_LOOP: Final = Text(
    zh="请求按到达率发出，并发数只是上限，不是在途的请求数",
    en="requests arrive at a rate: the concurrency is a limit, and not the number in flight",
)
NO_TIMES: Final = Text(
    zh="结果文件没有记录每条请求的发出时刻", en="the result file does not say when each request was sent"
)
NO_GAPS: Final = Text(
    zh="结果文件没有记录 chunk 之间的间隔", en="the result file does not record the gaps between chunks"
)
NOTHING_STEADY: Final = Text(
    zh="第一条回答结束之后没有再发出请求，谈不上稳态",
    en="no request was sent after the first answer had ended, so there is no steady part",
)
NO_COUNTS: Final = Text(
    zh="结果文件没有记录每条请求的 token 数", en="the result file does not count the tokens of each request"
)

_OF_REQUESTS: Final = (
    Sample("request_ttft", "ttft", "TTFT_i", NO_TOKEN, lambda r: _known(r.ttft[r.spoke])),
    Sample("request_e2el", "e2el", "E2EL_i", NO_TOKEN, lambda r: _known(r.e2el[r.answered])),
    Sample("request_tpot", "ttft, e2el, output_tokens", "TPOT_i", NO_SECOND_TOKEN, _tpot),
    Sample("request_itl", "gap_us", "ITL_i", NO_SECOND_CHUNK, _itl),
)
_OF_RUN: Final = (
    Sample("sent", "answered", "N_sent", None, lambda r: np.ones(len(r))),
    Sample("answered", "answered", "N_answered", None, lambda r: np.ones(int(r.answered.sum()))),
    Sample("request_start", "start", "t_sent", NO_TIMES, lambda r: _known(r.start)),
    Sample("answer_start", "start", "t_begin", NO_TOKEN, lambda r: _known(r.start[r.spoke & np.isfinite(r.e2el)])),
    Sample("answer_end", "start, e2el", "t_end", NO_TOKEN, lambda r: r.ends),
    Sample("ttft_in_order", "start, ttft", "TTFT_1…", NO_TOKEN, _ttft_in_order),
    Sample("slow_sent", "start, ttft", "t_slow", None, _slow_sent),
    Sample("chunk_time", "start, ttft, gap_us", "t_chunk", NO_TOKEN, _chunk_times),
    Sample("first_token_share", "ttft, e2el, output_tokens", "TTFT_i ÷ E2EL_i", NO_SECOND_TOKEN, _first_token_shares),
    Sample("request_input_tokens", "input_tokens", "n_in", NO_COUNTS, lambda r: _known(r.input_tokens[r.answered])),
    Sample("request_output_tokens", "output_tokens", "n_out", NO_COUNTS, lambda r: _known(r.output_tokens[r.answered])),
    Sample("request_chunks", "chunk_gaps", "n_chunks", NO_TOKEN, lambda r: np.sort(r.gap_counts[r.chunked] + 1.0)),
    Sample("silent", "answered, ttft, output_tokens", "N_silent", None, lambda r: np.ones(int(_silent(r).sum()))),
    Sample("first_gap", "gap_us", "ITL_first", NO_SECOND_CHUNK, lambda r: _edge_gaps(r, last=False)),
    Sample("last_gap", "gap_us", "ITL_last", NO_SECOND_CHUNK, lambda r: _edge_gaps(r, last=True)),
    Sample("surplus_chunks", "chunk_gaps, output_tokens", "n_surplus", NO_COUNTS, _surplus_chunks),
    Sample("tokens_in_window", "start, ttft, gap_us, output_tokens", "n_window", NO_TOKEN, _tokens_in_window),
)


def _while_steady(sample: Sample) -> Sample:
    return replace(sample, key=f"steady_{sample.key}", column=f"{sample.column}, start", steady=True)


SAMPLES: Final[Mapping[str, Sample]] = {
    sample.key: sample for sample in (*_OF_REQUESTS, *map(_while_steady, _OF_REQUESTS), *_OF_RUN)
}
"""Every sample by its key, which is the name that formulas call it by."""
