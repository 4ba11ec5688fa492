"""The requests of one run of one load, as columns; and the samples that statistics are taken from.

A sample is one number a request (or a gap) over the requests that have it, in rising order and in base units:
what failed is in none of them, and what a file leaves out is no number. One that is named ``…_in_order`` has its
numbers in the order of sending instead, row by row with ``answer_start``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from generator.numeric import spilled
from generator.numeric.common_stalls import Stalls, stalls_among, summed
from generator.numeric.statistics import counted_order, dealt_out, overlapped
from generator.runs import sample_reasons as no
from generator.runs.gauges import COLUMNS, Gauges
from generator.runs.server_times import ServerTimes
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
        gauges: what the engine was sampled to say meanwhile, of the whole run; None where it was not.
        server: when its server did what, as the log tells; None where the log has no clock of the requests.
        impossible: of how many a time could not be, and is taken for unknown.
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
    gauges: Gauges | None = None
    server: ServerTimes | None = None
    impossible: int = 0

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

    @cached_property
    def stalls(self) -> Stalls:
        """Return the times in which all answers under way stood still."""
        took = np.concatenate([np.zeros(0), *(summed(part.gaps, part.gap_counts) for _, part in self.parts())])
        firsts = np.where(self.chunked, self.start + self.ttft, np.nan)
        lasts = np.where(self.gap_counts > 0, firsts + took * MICROSECOND, np.nan)
        return stalls_among(self.sample("chunk_time"), self.sample("request_itl"), firsts, lasts)

    def only(self, rows: NDArray[np.bool_]) -> Requests:
        """Return some of the requests, with their gaps; what failed ones died of is known of a whole run alone."""
        most = int(self.gap_counts[rows].sum())
        kept = (part.gaps[np.repeat(rows[at], part.gap_counts)] for at, part in self.parts())
        return self._at(rows, spilled.filled(most, np.int32, kept))

    def parts(self) -> Iterator[tuple[slice, Requests]]:
        """Yield the requests in their order, as many at a time as have a piece of gaps together; and which they are.

        Their gaps are let go when the next part is asked for.
        """
        ends, first = np.cumsum(self.gap_counts), 0
        while first < len(self):
            begin = int(ends[first - 1]) if first else 0
            last = int(np.searchsorted(ends, begin + spilled.PIECE, side="right"))
            at = slice(first, min(max(last, first + 1), first + spilled.PIECE))
            gaps = self.gaps[begin : int(ends[at][-1])]
            yield at, self._at(at, gaps)
            spilled.let_go(gaps)
            first = at.stop

    def _at(self, rows: NDArray[np.bool_] | slice, gaps: NDArray[np.int32]) -> Requests:
        return Requests(
            self.answered[rows], self.start[rows], self.ttft[rows], self.e2el[rows],
            self.input_tokens[rows], self.output_tokens[rows],
            self.gap_counts[rows], gaps, self.source,
        )  # fmt: skip

    def sample(self, key: str) -> Numbers:
        """Return a sample by its key (see SAMPLES), computed once."""
        if key not in self._taken:
            self._taken[key] = spilled.held(SAMPLES[key].taken(self))
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
        if self.empty is None or (self.empty is no.TWO_AT_ONCE and len(requests.stalls.together)):
            return None
        if not requests.answered.any():
            return NO_ANSWER
        if self.empty is no.GAUGES and requests.gauges is not None:
            return requests.gauges.why_none(self.key)
        if "start" in self.column and not np.isfinite(requests.start).any():
            return no.TIMES
        if "gap" in self.column and requests.spoke.any() and not requests.chunked.any():
            return no.GAPS
        return NOTHING_STEADY if self.steady and not len(requests.steady) else self.empty


def _known(numbers: Numbers) -> Numbers:
    return np.sort(numbers[np.isfinite(numbers)])


def _tpot(requests: Requests) -> Numbers:
    several = requests.spoke & (requests.output_tokens > 1)
    after_first = requests.e2el[several] - requests.ttft[several]
    return _known(after_first / (requests.output_tokens[several] - 1))


def _itl(requests: Requests) -> Numbers:
    most = int(requests.gap_counts[requests.spoke].sum())
    kept = (part.gaps[np.repeat(part.spoke, part.gap_counts)] for _, part in requests.parts())
    if most > spilled.PIECE:
        return spilled.ordered(most, np.float64, (gaps.astype(np.float64) * MICROSECOND for gaps in kept))
    return counted_order(np.concatenate([requests.gaps[:0], *kept])).astype(np.float64) * MICROSECOND


def _tokens_in_window(requests: Requests) -> Numbers:
    """Return how many tokens each chunk brought while the load was steady, 0 for one that came before or after."""
    rows = requests.chunked & np.isfinite(requests.output_tokens)
    found = (_brought(part.only(rows[at]), requests.window) for at, part in requests.parts())
    return spilled.ordered(_chunks(requests, rows), np.float64, found)


def _chunks(requests: Requests, rows: NDArray[np.bool_]) -> int:
    return int((requests.gap_counts[rows] + 1).sum())


def _brought(spoke: Requests, window: tuple[float, float]) -> Numbers:
    """Return the tokens of each chunk whose time is known; each brings an equal share of its request's."""
    brought = dealt_out(spoke.output_tokens.astype(np.int64), spoke.gap_counts + 1)
    begins, ends = window
    times = spoke.chunk_times()
    steady = (times > begins) & (times <= ends)
    return np.where(steady, brought, 0)[np.isfinite(times)].astype(np.float64)


def _gaps_beside(requests: Requests, *, prefill: bool) -> Numbers:
    """Return the gaps during which another request waited for its first token, or those during which none did."""
    starts, stops = (_known(times[requests.spoke]) for times in (requests.start, requests.start + requests.ttft))
    rows = requests.chunked & np.isfinite(requests.start)
    found = (_gaps_where(part.only(rows[at]), starts, stops, prefill) for at, part in requests.parts())
    return spilled.ordered(int(requests.gap_counts[rows].sum()), np.float64, found)


def _gaps_where(spoke: Requests, starts: Numbers, stops: Numbers, is_beside: bool) -> Numbers:
    """Return the gaps of some requests that do, or do not, overlap a wait. A request's own wait ends with its first."""
    times, of = spoke.chunk_times(), np.repeat(np.arange(len(spoke)), spoke.gap_counts + 1)
    within = of[1:] == of[:-1]
    kept = overlapped(times[:-1][within], times[1:][within], starts, stops) == is_beside
    gaps: Numbers = spoke.gaps[kept] * MICROSECOND
    return gaps


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
    edges = np.concatenate([requests.gaps[:0], *(_edges(part, last=last) for _, part in requests.parts())])
    ordered: Numbers = np.sort(edges.astype(np.float64)) * MICROSECOND
    return ordered


def _edges(requests: Requests, *, last: bool) -> NDArray[np.int32]:
    behind = np.cumsum(requests.gap_counts)
    at = (behind - 1 if last else behind - requests.gap_counts)[requests.spoke & (requests.gap_counts > 0)]
    return requests.gaps[at]


def _ttft_in_order(requests: Requests) -> Numbers:
    """Return the TTFT of the answers whose times are known; of those sent at one moment the soonest comes first."""
    timed = requests.only(requests.spoke & np.isfinite(requests.start) & np.isfinite(requests.e2el))
    ordered: Numbers = timed.ttft[np.lexsort((timed.ttft, timed.start))]
    return ordered


def _chunk_times(requests: Requests) -> Numbers:
    rows = requests.chunked
    times = (part.only(rows[at]).chunk_times() for at, part in requests.parts())
    return spilled.ordered(_chunks(requests, rows), np.float64, (some[np.isfinite(some)] for some in times))


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
OPEN_LOOP: Final = Text(
    zh="请求按到达率发出，并发数只是上限，不是在途的请求数",
    en="requests arrive at a rate: the concurrency is a limit, and not the number in flight",
)
NOTHING_STEADY: Final = Text(
    zh="第一条回答结束之后没有再发出请求，谈不上稳态",
    en="no request was sent after the first answer had ended, so there is no steady part",
)

_OF_REQUESTS: Final = (
    Sample("request_ttft", "ttft", "TTFT_i", no.TOKEN, lambda r: _known(r.ttft[r.spoke])),
    Sample("request_e2el", "e2el", "E2EL_i", no.TOKEN, lambda r: _known(r.e2el[r.answered])),
    Sample("request_tpot", "ttft, e2el, output_tokens", "TPOT_i", no.SECOND_TOKEN, _tpot),
    Sample("request_itl", "gap_us", "ITL_i", no.SECOND_CHUNK, _itl),
)
_OF_RUN: Final = (
    Sample("sent", "answered", "N_sent", None, lambda r: np.ones(len(r))),
    Sample("answered", "answered", "N_answered", None, lambda r: np.ones(int(r.answered.sum()))),
    Sample("request_start", "start", "t_sent", no.TIMES, lambda r: _known(r.start)),
    Sample("answer_start", "start", "t_begin", no.TOKEN, lambda r: _known(r.start[r.spoke & np.isfinite(r.e2el)])),
    Sample("answer_end", "start, e2el", "t_end", no.TOKEN, lambda r: r.ends),
    Sample("ttft_in_order", "start, ttft", "TTFT_1…", no.TOKEN, _ttft_in_order),
    Sample("slow_sent", "start, ttft", "t_slow", None, _slow_sent),
    Sample("chunk_time", "start, ttft, gap_us", "t_chunk", no.TOKEN, _chunk_times),
    Sample("first_token_share", "ttft, e2el, output_tokens", "TTFT_i ÷ E2EL_i", no.SECOND_TOKEN, _first_token_shares),
    Sample("request_input_tokens", "input_tokens", "n_in", no.COUNTS, lambda r: _known(r.input_tokens[r.answered])),
    Sample("request_output_tokens", "output_tokens", "n_out", no.COUNTS, lambda r: _known(r.output_tokens[r.answered])),
    Sample("request_chunks", "chunk_gaps", "n_chunks", no.TOKEN, lambda r: np.sort(r.gap_counts[r.chunked] + 1.0)),
    Sample("silent", "answered, ttft, output_tokens", "N_silent", None, lambda r: np.ones(int(_silent(r).sum()))),
    Sample("first_gap", "gap_us", "ITL_first", no.SECOND_CHUNK, lambda r: _edge_gaps(r, last=False)),
    Sample("last_gap", "gap_us", "ITL_last", no.SECOND_CHUNK, lambda r: _edge_gaps(r, last=True)),
    Sample(
        "gap_beside_prefill", "start, ttft, gap_us", "ITL_beside", no.BESIDE, lambda r: _gaps_beside(r, prefill=True)
    ),
    Sample("gap_undisturbed", "start, ttft, gap_us", "ITL_alone", no.ALONE, lambda r: _gaps_beside(r, prefill=False)),
    Sample("stall_begin", "start, ttft, gap_us", "t_stall,0", no.TWO_AT_ONCE, lambda r: r.stalls.begins),
    Sample("stall_end", "start, ttft, gap_us", "t_stall,1", no.TWO_AT_ONCE, lambda r: r.stalls.ends),
    Sample("stall_with_first", "start, ttft, gap_us", "t_stall,first", no.TWO_AT_ONCE, lambda r: r.stalls.with_first),
    Sample("decoding_together", "start, ttft, gap_us", "t_two", no.TWO_AT_ONCE, lambda r: r.stalls.together),
    Sample("surplus_chunks", "chunk_gaps, output_tokens", "n_surplus", no.COUNTS, _surplus_chunks),
    Sample("tokens_in_window", "start, ttft, gap_us, output_tokens", "n_window", no.TOKEN, _tokens_in_window),
)


def _of_gauges(key: str, symbol: str, name: str) -> Sample:
    def take(requests: Requests) -> Numbers:
        found: Numbers = requests.ttft[:0] if requests.gauges is None else getattr(requests.gauges, name)
        return found

    return Sample(key, f"{name} (samples.parquet)", symbol, no.GAUGES, take)


_GAUGES: Final = tuple(_of_gauges(*one) for one in COLUMNS)


def _while_steady(sample: Sample) -> Sample:
    return replace(sample, key=f"steady_{sample.key}", column=f"{sample.column}, start", steady=True)


SAMPLES: Final[Mapping[str, Sample]] = {
    sample.key: sample for sample in (*_OF_REQUESTS, *map(_while_steady, _OF_REQUESTS), *_OF_RUN, *_GAUGES)
}
"""Every sample by its key, which is the name that formulas call it by."""
