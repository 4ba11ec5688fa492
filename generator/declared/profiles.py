"""What real traffic looks like: the record that ``rounds profile`` writes and a round may hold, numbers only.

No text of a request, no address and no name of a file is part of it. What cannot be known of some traffic is not there,
and ``unknown`` says why, by one of the reasons below.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Final, Literal, get_args

from pydantic import ConfigDict, Field, model_validator

from generator.declared.table_types import Strict
from generator.text import Text

PROFILE_FILE: Final = "profile.json"
MOST_POINTS: Final = 2000
"""Points of the course of arrivals; where there would be more, its windows are wider."""
MOST_QUOTES: Final = 10
"""Lines with quotes that are not closed that are named, of each file."""
HOURS: Final = 24
DAY: Final = 86_400.0
WEEK: Final = 7 * DAY
FARTHEST: Final = 1e12
"""Seconds beyond which nothing is a time, or a span of time: 32,000 years."""
INSTANT: Final = 1e-9
"""Seconds of a span below which all came at one moment: no clock tells less."""

Kind = Literal[
    "azure", "burstgpt", "mooncake", "sharegpt", "jsonl", "mapped_json", "mapped_csv",
    "vllm_log", "llamacpp_log", "access_log",
]  # fmt: skip
Clock = Literal["file", "utc", "start"]
"""What the times of a file are on: the clock of whoever wrote it, UTC, or one that begins with the file."""
Reason = Literal[
    "no_lengths", "texts_only", "no_outputs", "no_times", "one_moment", "short_span", "no_durations", "not_a_day",
    "no_spread",
]  # fmt: skip
Note = Literal[
    "cached_unknown", "without_queue", "restarted", "ends_not_arrivals", "as_nginx", "whole_seconds", "cut_off",
    "since_start",
]  # fmt: skip

Count = Annotated[int, Field(ge=0, le=2**53)]
Some = Annotated[int, Field(ge=1, le=2**53)]
Size = Annotated[float, Field(ge=0, le=1e18)]
Share = Annotated[float, Field(ge=0, le=1)]
Length = Annotated[float, Field(ge=1, le=2**24)]
"""What is counted has a token, or a character; lengths of 0 are left out."""
Edge = Annotated[float, Field(ge=1, le=2**25)]
Span = Annotated[float, Field(ge=INSTANT, le=2 * FARTHEST)]
Rate = Annotated[float, Field(ge=1e-13, le=1e18)]
Spent = Annotated[float, Field(ge=0, le=FARTHEST)]
OfOutput = Annotated[float, Field(ge=1e-8, le=1 - 1e-8)]
"""Both sides have a token at least, and so many that the other is not nothing beside them."""
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]

REASONS: Final[Mapping[Reason, Text]] = {
    "no_lengths": Text(zh="来源里没有 token 数", en="the sources give no numbers of tokens"),
    "texts_only": Text(
        zh="来源里是文本：字符数和词数都不是 token 数",
        en="the sources hold texts, and neither characters nor words are tokens",
    ),
    "no_outputs": Text(zh="来源里没有回答的 token 数", en="the sources do not give the tokens of answers"),
    "no_times": Text(zh="来源里没有请求的时刻", en="the sources give no time of a request"),
    "one_moment": Text(zh="所有请求都在同一时刻", en="all requests came at one moment"),
    "short_span": Text(zh="跨度装不下足够多的窗口", en="the span holds too few windows of that width"),
    "no_durations": Text(zh="来源里没有请求的时长", en="the sources do not say how long requests took"),
    "not_a_day": Text(zh="跨度不到一天", en="the span is under a day"),
    "no_spread": Text(zh="数值全都一样", en="all numbers are alike"),
}
NOTES: Final[Mapping[Note, Text]] = {
    "cached_unknown": Text(
        zh="有些请求的日志没有说明缓存命中了多少，它们的输入长度是下限",
        en="of some requests the log does not tell what the cache held: their input lengths are bounds from below",
    ),
    "without_queue": Text(
        zh="时长从开始处理算起，不含排队；到达也按开始处理的时刻计",
        en="durations begin when a request was admitted, without its time in the queue, and so do arrivals",
    ),
    "restarted": Text(
        zh="日志里服务重启过：停机多久无从得知，没有计入",
        en="the server was started anew in the log: for how long it was off is not known, and not counted",
    ),
    "ends_not_arrivals": Text(
        zh="只知道请求结束的时刻，到达要早一个请求时长",
        en="times are of the ends of requests, which came earlier by as long as they took",
    ),
    "as_nginx": Text(
        zh="访问日志按 nginx 的习惯理解：时刻属于请求结束时",
        en="the access log is read as nginx writes it, with times of the ends of requests",
    ),
    "whole_seconds": Text(
        zh="时刻只精确到秒，更短的间隔看不出来", en="times are whole seconds, so shorter gaps cannot be seen"
    ),
    "cut_off": Text(
        zh="有文件在中途读不下去，之后的请求不在内",
        en="a file cannot be read to its end: what stands behind is not counted",
    ),
    "since_start": Text(
        zh="时刻从文件开头算起，不知道是一天里的几点",
        en="times count from the beginning of the file, so the hour of the day is not known",
    ),
}
"""What has to be known of numbers to read them rightly."""
KINDS: Final[Mapping[Kind, Text]] = {
    "azure": Text(zh="Azure LLM 推理 trace", en="Azure LLM inference trace"),
    "burstgpt": Text(zh="BurstGPT trace", en="BurstGPT trace"),
    "mooncake": Text(zh="Mooncake trace", en="Mooncake trace"),
    "sharegpt": Text(zh="ShareGPT 对话", en="ShareGPT conversations"),
    "jsonl": Text(zh="带文本的 JSON Lines", en="JSON Lines with texts"),
    "mapped_json": Text(zh="按列对应的 JSON", en="JSON, read by its names"),
    "mapped_csv": Text(zh="按列对应的 CSV", en="CSV, read by its columns"),
    "vllm_log": Text(zh="vLLM 日志", en="log of vLLM"),
    "llamacpp_log": Text(zh="llama-server 日志", en="log of llama-server"),
    "access_log": Text(zh="访问日志", en="access log"),
}


class Source(Strict):
    """One file that was read."""

    kind: Kind
    sha256: Digest
    bytes: Count
    requests: Count
    bad: Count
    """lines, or objects, that could not be read"""
    left_out: Count
    """what is no request: other methods of an access log, conversations in which nobody asks"""
    open_quotes: Annotated[tuple[Some, ...], Field(max_length=MOST_QUOTES)] = ()
    """lines of a table that open a quote and do not close it, the first of them; they could not be read"""


class Bins(Strict):
    """A histogram: ``counts[n]`` is of what lies in [edges[n], edges[n + 1])."""

    edges: Annotated[tuple[Edge, ...], Field(min_length=2, max_length=500)]
    counts: Annotated[tuple[Count, ...], Field(min_length=1, max_length=499)]

    @model_validator(mode="after")
    def _each_bin_has_a_count(self) -> Bins:
        if len(self.edges) != len(self.counts) + 1 or any(low >= high for low, high in pairwise(self.edges)):
            raise ValueError("edges do not rise, or are not one more than counts")
        return self


class Lengths(Strict):
    """How long requests are, in tokens; a percentile lies between the two nearest ranks."""

    n: Some
    mean: Length
    sd: Size
    p5: Length
    p25: Length
    p50: Length
    p75: Length
    p90: Length
    p95: Length
    p99: Length
    max: Length
    histogram: Bins


class Characters(Strict):
    """How many characters the texts have; these are no tokens."""

    n: Some
    mean: Length
    p50: Length
    p95: Length
    max: Length


class Window(Strict):
    """Counts of arrivals in windows of one width, the first of which begins with the first arrival; whole ones only."""

    width_s: Span
    n: Some
    mean: Rate
    """arrivals a second over all windows"""
    peak: Rate
    """arrivals a second in the fullest window"""
    peak_over_mean: Annotated[float, Field(ge=1, le=1e18)]
    dispersion: Size
    """variance ÷ mean of the counts (n − 1 below the variance); 1 for a Poisson process"""


class Course(Strict):
    """Arrivals over time: a count for each window, the first of which begins with the first arrival."""

    width_s: Span
    counts: Annotated[tuple[Count, ...], Field(min_length=1, max_length=MOST_POINTS)]


class Arrivals(Strict):
    """When requests came."""

    clock: Clock
    span_s: Span
    rate: Rate
    """requests ÷ span"""
    window: Window | None = None
    """the width that was asked for"""
    windows: Mapping[Annotated[str, Field(pattern=r"^w[0-9]{1,5}$")], Window] = Field(default_factory=dict)
    """by `w` and their width in s: what is even over hours may be bursts of seconds"""
    gap_mean_s: Size | None = None
    gap_cv: Size | None = None
    """coefficient of variation of the gaps between arrivals; 1 for a Poisson process"""
    course: Course
    hours: Annotated[tuple[Size | None, ...], Field(max_length=HOURS)] = ()
    """arrivals a second in each hour of the day, none for one that the span does not hold; empty under a day"""

    @model_validator(mode="after")
    def _hours_are_those_of_a_day(self) -> Arrivals:
        if len(self.hours) not in (0, HOURS):
            raise ValueError(f"hours are not {HOURS}")
        return self


class Service(Strict):
    """How long requests took, and how many were under way at once."""

    n: Some
    mean_s: Spent
    p50_s: Spent
    p95_s: Spent
    in_flight_most: Count | None = None


class LengthFit(Strict):
    """A lognormal distribution fitted to lengths by likelihood; ``ks`` is the largest distance of the two curves."""

    mu: Annotated[float, Field(ge=-1e3, le=1e3)]
    sigma: Size
    mean: Size
    """of the fitted distribution: exp(mu + sigma² ÷ 2)"""
    ks: Share


class GapFit(Strict):
    """Exponential and gamma distributions of the mean, and the mean and the CV, of the gaps."""

    poisson_ks: Share
    shape: Annotated[float, Field(ge=1e-18, le=1e18)]
    """1 ÷ CV²"""
    gamma_ks: Share


class ProfileFile(Strict):
    """profile.json, whole."""

    model_config = ConfigDict(populate_by_name=True)

    schema_: Annotated[int, Field(alias="schema", ge=1)]
    tool: Annotated[str, Field(pattern=r"^rounds [0-9A-Za-z.+]{1,40}$")]
    requests: Some
    unanswered: Count
    bad: Count
    left_out: Count
    sources: Annotated[tuple[Source, ...], Field(min_length=1, max_length=1000)]
    input: Lengths | None = None
    output: Lengths | None = None
    input_characters: Characters | None = None
    output_share: OfOutput | None = None
    """output tokens ÷ all tokens, of requests of which both are known"""
    correlation: Annotated[float, Field(ge=-1, le=1)] | None = None
    """of input and output tokens of the same request (Pearson)"""
    correlation_log: Annotated[float, Field(ge=-1, le=1)] | None = None
    """of their logarithms"""
    arrivals: Arrivals | None = None
    service: Service | None = None
    input_fit: LengthFit | None = None
    output_fit: LengthFit | None = None
    gap_fit: GapFit | None = None
    unknown: Mapping[Annotated[str, Field(pattern=r"^[a-z0-9_.]{1,60}$")], Reason]
    """key -> why it cannot be known"""
    notes: Annotated[tuple[Note, ...], Field(max_length=len(get_args(Note)))] = ()

    def why_unknown(self, key: str) -> Text | None:
        """Return why what a key names, or holds it, cannot be known; None where nothing is said."""
        steps = key.split(".")
        above = (".".join(steps[:length]) for length in range(len(steps), 0, -1))
        return next((REASONS[self.unknown[name]] for name in above if name in self.unknown), None)
