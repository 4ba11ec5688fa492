from __future__ import annotations

from generator.kinds import REPORTED
from generator.model import Round
from generator.told.blocks import Table
from generator.values import Address
from tests.sections.test_distributions import cells
from tests.support.example_rounds import published
from tests.support.memory_round import observation
from tests.support.run_rounds import QUICK, SLOW, round_of, two_series
from tests.support.telling import analysed, chapter_of


def said_by_the_client(**numbers: float) -> Round:
    further = [
        observation(Address(metric, "level", "a", "c2", REPORTED), number, "reported")
        for metric, number in numbers.items()
    ]
    return round_of({("a", "c2", None): QUICK, ("b", "c2", None): SLOW}, further)


def tables(round_: Round) -> dict[str, Table]:
    told = chapter_of("client_statistics", analysed(round_))
    assert told is not None
    return {block.key: block for block in told.blocks if isinstance(block, Table)}


def test_published_rounds_have_no_such_chapter() -> None:
    for name in ("round-1", "round-2"):
        assert chapter_of("client_statistics", analysed(published(name))) is None


def test_each_number_of_the_client_stands_beside_ours() -> None:
    round_ = said_by_the_client(ttft_p50=0.2, itl_p50=0.015)

    # 250 ÷ 200 − 1 = 25 %
    assert cells(tables(round_)["client-table"], round_) == [
        ["a", "C=2", "TTFT p50", "250 ms", "200 ms", "25.0%"],
        ["a", "C=2", "ITL p50", "15.0 ms", "15.0 ms", "same"],
    ]


def test_where_the_client_says_nothing_there_is_no_table_of_it() -> None:
    assert "client-table" not in tables(two_series())


def test_the_whole_run_stands_beside_its_steady_part() -> None:
    round_ = said_by_the_client()

    # a, steady from 0.13 to 0.3 s. Tokens then come at 0.2, 0.21 and 0.23 s: 3 ÷ 0.17 s = 17.6 tok/s.
    # Sent then are the last two: gaps 10, 40, 10, 80 ms, median 25; TTFT 300 and 400, median 350.
    # The whole: 12 tokens ÷ 2 s; medians 15 and 250.
    assert cells(tables(round_)["steady-table"], round_)[0] == [
        "a", "C=2", "0.130", "0.300", "6.00", "17.6", "15.0", "25.0", "250", "350"
    ]  # fmt: skip


def test_requests_in_flight_stand_beside_what_was_allowed() -> None:
    round_ = said_by_the_client(peak_concurrency=4)

    # E2ELs of a: 130 + 230 + 350 + 490 = 1200 ms ÷ 2 s = 0.6; from 0.2 s: the second, the third: 2, from 0.3 s the
    # third and the fourth: 2
    assert cells(tables(round_)["in-flight-table"], round_)[0] == ["a", "C=2", "2", "0.600", "2", "4"]
