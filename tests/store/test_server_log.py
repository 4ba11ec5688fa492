from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pyarrow as pa
import pytest

from generator.errors import InputError
from generator.kinds import Engine
from generator.model import Level, Series
from generator.round_tables import SeriesTable
from generator.store import server_log
from generator.store.server_log import HEAD, PIECE, count_requests, read_server_logs
from generator.text import same
from generator.values import Observation
from tests.support.memory_round import GRAPH
from tests.support.telling import catalogue

ENGINES: Final = catalogue().engines
TAKEN: Final = b"0.20.832.571 I slot launch_slot_: id  7 | task 2 | processing task, is_child = 0\n"
ANSWERED: Final = b'INFO:     127.0.0.1:57776 - "POST /v1/completions HTTP/1.1" 200 OK\n'
OTHER: Final = b"srv  update_slots: all slots are idle\n"


def packed(text: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as out:
        out.write(text)
    return bytes(sink.getvalue().to_pybytes())


def counted(tmp_path: Path, text: bytes, name: str = "server.log") -> tuple[str, int] | None:
    path = tmp_path / name
    path.write_bytes(text)
    found = count_requests(path, ENGINES.values())
    return found and (found[0].key, found[1])


def of_series(folder: Path, *levels: Level) -> list[Observation]:
    return read_server_logs(folder, [Series(SeriesTable(id="s"), levels)], GRAPH.places(), ENGINES)


# Counting


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(TAKEN * 3 + OTHER, ("llamacpp", 3), id="llama.cpp"),
        pytest.param(OTHER + ANSWERED * 2, ("vllm", 2), id="vLLM"),
        pytest.param(TAKEN * 2 + ANSWERED, ("llamacpp", 2), id="whose lines are more"),
        pytest.param(TAKEN.rstrip(b"\n"), ("llamacpp", 1), id="no line end"),
        pytest.param(TAKEN.replace(b"\n", b"\r\n") * 2, ("llamacpp", 2), id="of Windows"),
        pytest.param(b"100%|####|\r" * 99 + ANSWERED, ("vllm", 1), id="behind a progress bar"),
        pytest.param(TAKEN.rstrip(b"\n") + TAKEN, ("llamacpp", 1), id="one line counts once"),
        pytest.param(b"\xff\xfe\x00" + TAKEN, ("llamacpp", 1), id="bytes that are no text"),
        pytest.param(OTHER * 5, None, id="no request"),
        pytest.param(b"", None, id="empty"),
    ],
)
def test_lines_are_counted_by_whose_they_are(tmp_path: Path, text: bytes, found: tuple[str, int] | None) -> None:
    assert counted(tmp_path, text) == found
    assert counted(tmp_path, packed(text), "server.log.zst") == found


def test_text_of_a_user_is_no_line_of_the_server(tmp_path: Path) -> None:
    # The words begin HEAD bytes into the line, which still counts, and one byte further in, which does not.
    said = TAKEN[TAKEN.index(b"launch") :]
    assert counted(tmp_path, b"x" * HEAD + said) == ("llamacpp", 1)
    assert counted(tmp_path, b"x" * (HEAD + 1) + said) is None


@pytest.mark.parametrize("before", [PIECE - 1, PIECE - 40, PIECE - len(TAKEN), PIECE])
def test_a_line_may_lie_across_two_pieces(tmp_path: Path, before: int) -> None:
    filler = b"." * (before - 1) + b"\n"
    assert counted(tmp_path, filler + TAKEN) == ("llamacpp", 1)


def test_what_follows_in_a_line_of_several_pieces_does_not_count(tmp_path: Path) -> None:
    # One line of three pieces, in which the words stand at the beginning of the second piece.
    text = b"." * PIECE + TAKEN.rstrip(b"\n") + b"." * (2 * PIECE) + b"\n" + TAKEN
    assert counted(tmp_path, text) == ("llamacpp", 1)


def test_a_log_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_log, "LARGEST", 2**30)
    bomb = packed(bytes(PIECE)) * 1025  # one MiB more than one GiB

    with pytest.raises(InputError, match="unpacks to more than 1 GiB"):
        counted(tmp_path, bomb, "server.log.zst")


@pytest.mark.parametrize(
    "data", [packed(TAKEN * 9999)[:-20], b"no zstd at all", b""], ids=["cut off", "something else", "empty"]
)
def test_a_damaged_archive_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(InputError, match="is not a whole zstd file"):
        counted(tmp_path, data, "server.log.zst")


def test_an_engine_is_told_by_its_own_words(tmp_path: Path) -> None:
    (tmp_path / "server.log").write_bytes(b"took one\ntook one\n")
    mine = Engine("mine", same("mine"), "took", re.compile(rb"took one"))

    assert count_requests(tmp_path / "server.log", [mine]) == (mine, 2)


# Where a log may lie


def test_a_log_of_each_kind_is_found(tmp_path: Path) -> None:
    for trial in ("1", "2"):
        (tmp_path / "s" / "levels" / "c8" / trial).mkdir(parents=True)
    (tmp_path / "server.log").write_bytes(TAKEN * 6)
    (tmp_path / "s" / "server.log.zst").write_bytes(packed(TAKEN * 5))
    (tmp_path / "s" / "levels" / "c8" / "2" / "server.log").write_bytes(ANSWERED * 4)

    whole, series, run = of_series(tmp_path, Level("c8", 8, trials=2, from_runs=True))

    assert (whole.address.metric, whole.address.scope, whole.value) == ("logged_requests_of_round", "round", 6)
    assert (series.address.metric, series.address.series, series.value) == ("logged_requests_of_series", "s", 5)
    assert (run.address.metric, run.address.level, run.address.trial, run.value) == ("logged_requests", "c8", 2, 4)
    assert str(whole.source) == "server.log, 6 lines with launch_slot_"
    assert str(run.source) == "s/levels/c8/2/server.log, 4 lines with completions HTTP"
    assert run.origin == "measured"


def test_a_level_that_was_run_once_has_no_number_of_a_trial(tmp_path: Path) -> None:
    (tmp_path / "s" / "levels" / "c8" / "1").mkdir(parents=True)
    (tmp_path / "s" / "levels" / "c8" / "1" / "server.log").write_bytes(TAKEN)

    (run,) = of_series(tmp_path, Level("c8", 8, from_runs=True))

    assert run.address.trial is None


def test_a_log_of_an_unknown_server_is_no_number(tmp_path: Path) -> None:
    (tmp_path / "server.log").write_bytes(OTHER)

    assert of_series(tmp_path) == []


def test_a_round_without_logs_has_none(tmp_path: Path) -> None:
    assert of_series(tmp_path) == []


def test_two_logs_of_one_run_are_refused(tmp_path: Path) -> None:
    (tmp_path / "server.log").write_bytes(TAKEN)
    (tmp_path / "server.log.zst").write_bytes(packed(TAKEN))

    with pytest.raises(InputError, match=r"server\.log\.zst: stands beside server\.log; keep one of them"):
        of_series(tmp_path)


def test_a_link_out_of_the_round_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere.log").write_bytes(TAKEN)
    (tmp_path / "round").mkdir()
    (tmp_path / "round" / "server.log").symlink_to(tmp_path / "elsewhere.log")

    with pytest.raises(InputError, match="leads out of the round's folder"):
        of_series(tmp_path / "round")


def test_a_folder_of_that_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "server.log").mkdir()

    with pytest.raises(InputError, match="is not a regular file"):
        of_series(tmp_path)


def test_a_link_to_nowhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / "server.log").symlink_to(tmp_path / "gone")

    with pytest.raises(InputError, match="cannot be read"):
        of_series(tmp_path)


# In a round


RESULT: Final = (
    '{"date": "20260102-030405", "backend": "openai", "model_id": "m", "num_prompts": 3, "max_concurrency": 2, '
    '"duration": 2.0, "completed": 2, "total_input_tokens": 20, "total_output_tokens": 4, "request_throughput": 1.0, '
    '"output_throughput": 2.0}'
)
ROUND: Final = 'schema = 1\n[round]\ntitle.zh = "轮"\ntitle.en = "r"\n[model]\nname = "m"\n[[series]]\nid = "s"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a round with one run of three requests, one of which failed."""
    run = tmp_path / "r" / "s" / "levels" / "c2" / "1"
    run.mkdir(parents=True)
    (run / "result.json").write_text(RESULT, encoding="utf-8")
    (tmp_path / "r" / "round.toml").write_text(ROUND, encoding="utf-8")
    return tmp_path / "r"


def test_a_log_lies_beside_the_result_of_its_run(folder: Path) -> None:
    # A log may show the printed table of a client that ran in the same terminal; it is no second result.
    table = b"============ Serving Benchmark Result ============\nSuccessful requests: 2\n"
    (folder / "s" / "levels" / "c2" / "1" / "server.log").write_bytes(table + TAKEN * 2)

    analysis = catalogue().analyse(catalogue().read(folder))

    assert analysis.frame.of_level("logged_requests", "s", "c2").value == 2
    # Without a log of the series, the logs of its runs add up to one: 2.
    assert analysis.frame.of_series("logged_requests_of_series", "s").value == 2


def test_without_a_log_the_reason_says_where_it_would_lie(folder: Path) -> None:
    analysis = catalogue().analyse(catalogue().read(folder))

    reason = analysis.frame.of_level("logged_requests", "s", "c2").reason

    assert reason is not None
    assert "levels/<level>/<trial>/server.log" in reason.en
