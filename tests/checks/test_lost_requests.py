from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from generator.model import Round, Trial
from generator.runs.requests import Requests
from generator.told.findings import Finding
from generator.values import Observation
from tests.support.memory_round import address, memory_round, observation
from tests.support.odd_rounds import ANALYSES
from tests.support.request_rows import answer, failure, requests_of
from tests.support.telling import found_by, said, text_of

CHECK = "lost_requests"

RESET = {"ClientOSError": 16, "ServerDisconnectedError": 2}


def ran(answered: int, failed: int, kinds: Mapping[str, int] | None = None) -> Requests:
    rows = (*(answer(0.1) for _ in range(answered)), *(failure() for _ in range(failed)))
    return replace(requests_of(*rows), kinds_of_error=kinds or {})


def logged(lines: float, series: str | None = None, level: str | None = None, trial: int | None = None) -> Observation:
    """Say how many requests the log of a run has; of a series, or of the round, where no more is named."""
    if level is not None:
        where = address("logged_requests", "level", series, level, trial=trial)
    elif series is not None:
        where = address("logged_requests_of_series", "series", series)
    else:
        where = address("logged_requests_of_round", "round")
    return observation(where, lines, "measured")


def one_run(
    *, answered: int = 222, failed: int = 18, log: Observation | None = None, kinds: Mapping[str, int] = RESET
) -> Round:
    runs: dict[Trial, Requests | None] = {("s", "c8", None): ran(answered, failed, kinds)}
    return memory_round({"s": {"c8": {"concurrency": 8}}}, runs=runs, further=[log] if log else [])


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


@pytest.mark.parametrize(
    ("lines", "status", "words"),
    [
        (222, "warn", "exactly the answered ones: the server accepted none of the failed requests"),
        (223, "warn", "a part of the failed ones never reached the server"),
        (239, "warn", "a part of the failed ones never reached the server"),
        (240, "note", "the failed ones did reach the server"),
        (245, "note", "unless warm-up requests are among them"),
        (221, "unknown", "it does not cover the whole run"),
        (None, "unknown", "without the server's log it cannot be known"),
    ],
)
def test_the_log_of_the_run_decides(lines: float | None, status: str, words: str) -> None:
    round_ = one_run(log=None if lines is None else logged(lines, "s", "c8"))
    finding = examine(round_)

    assert (finding.status, finding.series) == (status, "s")
    text = said(finding, round_)
    assert words in text
    assert "18 of 240 requests to s failed" in text
    assert "They failed with ClientOSError and ServerDisconnectedError" in text


@pytest.mark.parametrize("kinds", [RESET, {"aiohttp.ClientOSError": 18}])
def test_connections_that_were_reused_speak_against_the_client(kinds: Mapping[str, int]) -> None:
    round_ = one_run(log=logged(222, "s", "c8"), kinds=kinds)
    text = said(examine(round_), round_)

    assert "against the client's reuse of connections, and not against the engine" in text
    assert "问题在压测工具的连接池，不在引擎" in text
    assert "--header Connection=close" in text
    assert "would understate s" in text
    assert examine(round_).looks == "worse"


@pytest.mark.parametrize(
    ("kinds", "words"),
    [
        ({"TimeoutError": 18}, "They failed with TimeoutError."),
        ({"ServerDisconnectedError": 17, "ValueError": 1}, "They failed with ServerDisconnectedError and ValueError."),
        ({"unknown": 18}, "The cause was not recorded."),
        ({}, "The cause was not recorded."),
        ({"<script>alert(1)</script>": 9, "a {brace}": 9}, "The cause was not recorded."),
        ({"A": 4, "B": 3, "C": 2, "D": 1}, "They failed with A, B and C."),
    ],
)
def test_other_causes_are_named_and_blame_nobody(kinds: Mapping[str, int], words: str) -> None:
    round_ = one_run(log=logged(222, "s", "c8"), kinds=kinds)
    finding = examine(round_)

    text = said(finding, round_)
    assert words in text
    assert "the server accepted none of the failed requests. They were refused, or lost on the way." in text
    assert "服务端一条也没有受理" in text
    assert finding.bias is None
    assert finding.looks is None


def two_series(log: Observation | None) -> Round:
    """Return what four runs of 240 came to: two over kept connections lost 18 and 22, two without lost none."""
    lost = {("pooled", 1): 18, ("pooled", 2): 22, ("close", 1): 0, ("close", 2): 0}
    runs: dict[Trial, Requests | None] = {
        (series, "c8", trial): ran(240 - failed, failed, {"ClientOSError": failed} if failed else {})
        for (series, trial), failed in lost.items()
    }
    levels = {series: {"c8": {"concurrency": 8.0}} for series in ("pooled", "close")}
    return memory_round(levels, runs=runs, further=[log] if log else [])


def test_one_log_for_the_whole_round_is_held_against_all_its_runs() -> None:
    # 222 + 218 + 240 + 240 = 920 of 960.
    round_ = two_series(logged(920))
    finding = examine(round_)

    assert (finding.status, finding.series) == ("warn", "pooled")
    assert [one.metric for one in finding.evidence] == [
        "requests_of_round", "failed_of_round", "logged_requests_of_round"
    ]  # fmt: skip
    text = said(finding, round_)
    assert "40 of 480 requests to pooled failed, and the server's log has 920 of all 960 requests" in text
    assert "发给 pooled 的 480 条请求失败了 40 条，而服务端日志里有全轮 960 条中的 920 条" in text
    assert "would understate pooled." in text
    assert "not against the engine" in text


def test_the_log_of_a_series_goes_before_that_of_the_round() -> None:
    round_ = two_series(logged(440, "pooled"))
    finding = examine(round_)

    assert (finding.status, finding.series) == ("warn", "pooled")
    assert "40 of 480 requests to pooled failed, and the server's log has 440" in said(finding, round_)


def test_logs_of_all_runs_add_up_to_one_of_the_series() -> None:
    round_ = two_series(None)
    logs = [logged(222, "pooled", "c8", trial=1), logged(218, "pooled", "c8", trial=2)]
    finding = examine(replace(round_, observations=(*round_.observations, *logs)))

    assert finding.evidence[-1].metric == "logged_requests_of_series"
    assert finding.status == "warn"


def test_a_log_of_one_run_of_two_speaks_of_that_run_alone() -> None:
    round_ = two_series(logged(222, "pooled", "c8", trial=1))
    finding = examine(round_)

    assert [one.trial for one in finding.evidence] == [1, 1, 1]
    assert "18 of 240 requests to pooled at C=8 failed, and the server's log has 222" in said(finding, round_)


def test_a_log_of_the_round_says_nothing_where_some_runs_are_not_counted() -> None:
    uncounted = memory_round(
        {
            "s": {"c1": {"concurrency": 1, "requests": 10, "completed": 9}},
            "t": {"c1": {"concurrency": 1, "requests": 10}},
        },
        further=[logged(19)],
    )

    assert examine(uncounted).status == "unknown"


def test_without_failures_none_is_looked_for() -> None:
    finding = examine(one_run(answered=240, failed=0, log=logged(240, "s", "c8")))

    assert (finding.status, finding.series) == ("pass", None)


def test_a_remedy_that_another_series_tried_is_not_given_again() -> None:
    # The runs of ``close`` say that each request had a connection of its own, and lost none of 480.
    tried: dict[Trial, Mapping[str, str]] = {("close", "c8", n): {"header": "Connection: close"} for n in (1, 2)}
    round_ = replace(two_series(logged(920)), described=tried)
    finding = examine(round_)

    assert finding.remedy is None
    text = said(finding, round_)
    assert "With close, a new connection for each request, none of 480 was lost" in text
    assert "close 每条请求新建连接，480 条一条也没丢" in text


def test_series_that_both_lost_requests_are_both_counted() -> None:
    lost = {"a": 18, "b": 22}
    runs: dict[Trial, Requests | None] = {
        (series, "c8", None): ran(240 - failed, failed, {"ClientOSError": failed}) for series, failed in lost.items()
    }
    round_ = memory_round({one: {"c8": {"concurrency": 8.0}} for one in lost}, runs=runs, further=[logged(440)])
    finding = examine(round_)

    assert finding.series is None
    assert "18 of 240 requests to a and 22 of 240 requests to b failed" in said(finding, round_)


def test_counted_lines_of_a_log_that_is_not_there_are_not_denied() -> None:
    # Round 2 lost a request, and has transcribed how many timing lines each level had in the log.
    analysis = ANALYSES["round-2"]()
    (finding,) = (one for one in analysis.findings if one.check == CHECK and one.status == "unknown")

    assert "the server's log itself was not kept, only its numbers of timing lines" in text_of(
        finding.message, analysis
    )
