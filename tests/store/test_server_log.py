from __future__ import annotations

from pathlib import Path
from typing import Final

import pyarrow as pa
import pytest

from generator.declared.round_tables import SeriesTable
from generator.errors import InputError
from generator.logs import tables
from generator.model import Level, Series
from generator.runs.imported import Reported, Run
from generator.store import server_log
from generator.store.level_file import level_json
from generator.store.server_log import PIECE, read_log, read_server_logs
from generator.values import Address, Observation
from tests.support.memory_round import GRAPH
from tests.support.server_logs import count_requests
from tests.support.telling import catalogue

ENGINES: Final = catalogue().engines
TAKEN: Final = b"0.20.832.571 I slot launch_slot_: id  7 | task 2 | processing task, is_child = 0\n"
ANSWERED: Final = b'INFO:     127.0.0.1:57776 - "POST /v1/completions HTTP/1.1" 200 OK\n'
OTHER: Final = b"srv  update_slots: all slots are idle\n"
RELEASED: Final = b"slot      release: id  7 | task 2 | stop processing: n_tokens = 191, truncated = 0\n"
STARTED: Final = b"srv    load_model: initializing, n_slots = %d, n_ctx_slot = 512, kv_unified = 'false'\n"


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
    return read_server_logs(folder, [Series(SeriesTable(id="s"), levels)], GRAPH.places(), ENGINES).observations


def launches(found: list[Observation]) -> list[Observation]:
    return [one for one in found if one.address.metric.startswith("logged_requests")]


def numbers(found: list[Observation]) -> dict[str, float]:
    return {one.address.metric: one.value for one in found}


# Whose log it is, and how many requests it tells of


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
    assert counted(tmp_path, b"he said: " + TAKEN) is None
    assert counted(tmp_path, b"> " + TAKEN + b'"prompt": "' + ANSWERED) is None


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


def test_a_log_without_launches_is_of_the_server_whose_words_it_has(tmp_path: Path) -> None:
    (tmp_path / "server.log").write_bytes(RELEASED * 3)

    log = read_log(tmp_path / "server.log", ENGINES.values())

    assert log is not None
    assert (log.engine.key, log.told["releases"].value, "launches" in log.told) == ("llamacpp", 3, False)


def test_a_log_of_more_events_than_can_be_held_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST", 3)

    with pytest.raises(InputError, match=r"tells of more than [\d,]+ events; cut it to the time of the run"):
        counted(tmp_path, TAKEN * 4)


# Where a log may lie


def test_a_log_of_each_kind_is_found(tmp_path: Path) -> None:
    for trial in ("1", "2"):
        (tmp_path / "s" / "levels" / "c8" / trial).mkdir(parents=True)
    (tmp_path / "server.log").write_bytes(TAKEN * 6)
    (tmp_path / "s" / "server.log.zst").write_bytes(packed(TAKEN * 5))
    (tmp_path / "s" / "levels" / "c8" / "2" / "server.log").write_bytes(ANSWERED * 4)

    whole, series, run = launches(of_series(tmp_path, Level("c8", 8, trials=2, from_runs=True)))

    assert (whole.address.metric, whole.address.scope, whole.value) == ("logged_requests_of_round", "round", 6)
    assert (series.address.metric, series.address.series, series.value) == ("logged_requests_of_series", "s", 5)
    assert (run.address.metric, run.address.level, run.address.trial, run.value) == ("logged_requests", "c8", 2, 4)
    assert str(whole.source) == "server.log, lines 1, 2, 3 and 3 more"
    assert str(run.source) == "s/levels/c8/2/server.log, lines 1, 2, 3 and 1 more"
    assert run.origin == "measured"


def test_a_level_that_was_run_once_has_no_number_of_a_trial(tmp_path: Path) -> None:
    (tmp_path / "s" / "levels" / "c8" / "1").mkdir(parents=True)
    (tmp_path / "s" / "levels" / "c8" / "1" / "server.log").write_bytes(TAKEN)

    (run,) = launches(of_series(tmp_path, Level("c8", 8, from_runs=True)))

    assert run.address.trial is None
    assert str(run.source) == "s/levels/c8/1/server.log, line 1"


def test_each_fact_of_a_log_is_the_number_of_a_metric(tmp_path: Path) -> None:
    (tmp_path / "s" / "levels" / "c8" / "1").mkdir(parents=True)
    counter = b"slot print_timing: id  7 | task 2 |    graphs reused =        %d\n"
    text = OTHER + TAKEN + RELEASED + counter % 139 + TAKEN + RELEASED + counter % 201
    (tmp_path / "s" / "levels" / "c8" / "1" / "server.log").write_bytes(text)

    found = of_series(tmp_path, Level("c8", 8, from_runs=True))

    assert numbers(found) == {
        "logged_requests": 2,
        "log_releases": 2,
        "log_truncated": 0,
        "log_cancelled": 0,
        "log_engine_errors": 0,
        "graphs_reused_increment": 62,
        "log_graph_intervals": 1,
        "log_slot_tokens_most": 191,
        "log_kv_full": 0,
    }
    sources = {one.address.metric: one.source.place for one in found}
    assert sources["log_releases"] == "lines 3, 6"
    assert sources["graphs_reused_increment"] == "lines 4, 7"
    assert sources["log_cancelled"] == "no line of it"


def test_what_a_server_says_at_its_start_holds_for_the_series(tmp_path: Path) -> None:
    for session, slots in (("2", 4), ("10", 8)):
        (tmp_path / "s" / "sessions" / session).mkdir(parents=True)
        (tmp_path / "s" / "sessions" / session / "server.log").write_bytes(STARTED % slots + TAKEN * 5)

    # Of several sessions the last counts. Their requests do not: warm-up and trials are among them.
    assert numbers(of_series(tmp_path)) == {
        "log_slots_of_series": 8, "log_slot_context_of_series": 512, "log_kv_pool_tokens_of_series": 4096,
    }  # fmt: skip


def test_the_log_of_the_series_goes_before_those_of_its_sessions(tmp_path: Path) -> None:
    (tmp_path / "s" / "sessions" / "1").mkdir(parents=True)
    (tmp_path / "s" / "sessions" / "1" / "server.log").write_bytes(STARTED % 4)
    (tmp_path / "s" / "server.log").write_bytes(STARTED % 2)

    assert numbers(of_series(tmp_path))["log_slots_of_series"] == 2


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


# Of several runs


def put_run(folder: Path, level: str, started: str, completed: int) -> Level:
    trial = folder / "s" / "levels" / level / "1"
    trial.mkdir(parents=True)
    told = (Reported("completed", "completed", "1", completed), Reported("failed", "failed", "1", 0))
    run = Run(tool="another", started=started, concurrency=1, reported=told)
    (trial / "level.json").write_bytes(level_json(run, None))
    return Level(level, 1.0, from_runs=True)


def test_the_log_of_a_series_is_cut_to_its_runs(tmp_path: Path) -> None:
    levels = (put_run(tmp_path, "c1", "2026-07-01T12:00:00", 2), put_run(tmp_path, "c2", "2026-07-01T12:05:00", 3))
    (tmp_path / "s" / "server.log").write_bytes(TAKEN * 5)

    found = [one for one in of_series(tmp_path, *levels) if one.address.metric == "logged_requests"]

    assert [(one.address.level, one.value) for one in found] == [("c1", 2), ("c2", 3)]
    assert str(found[0].source) == "s/server.log, lines 1–2, cut by request counts"
    assert launches(of_series(tmp_path, *levels))[0].value == 5  # and of the series as a whole, all


def test_why_a_log_is_not_cut_is_the_reason_of_its_numbers(tmp_path: Path) -> None:
    levels = (put_run(tmp_path, "c1", "2026-07-01T12:00:00", 2), put_run(tmp_path, "c2", "2026-07-01T12:05:00", 3))
    (tmp_path / "s" / "server.log").write_bytes(TAKEN * 6)
    series = [Series(SeriesTable(id="s"), levels)]

    unread = read_server_logs(tmp_path, series, GRAPH.places(), ENGINES).unread

    why = unread[Address("logged_requests", "level", "s", "c1")].en
    assert why.startswith(
        "s/server.log and the runs share no clock that is known; nor are its requests those of all runs"
    )
    assert Address("log_draft_tokens", "level", "s", "c1") not in unread  # of which the whole log tells nothing


def test_the_own_log_of_a_run_goes_before_that_of_the_series(tmp_path: Path) -> None:
    level = put_run(tmp_path, "c1", "2026-07-01T12:00:00", 2)
    (tmp_path / "s" / "server.log").write_bytes(TAKEN * 2)
    (tmp_path / "s" / "levels" / "c1" / "1" / "server.log").write_bytes(TAKEN * 9)

    assert numbers(of_series(tmp_path, level))["logged_requests"] == 9


# The starts of an engine


def start_log(begun: float, loaded: float) -> bytes:
    head = "{ns} 2026-11-29T22:28:43.269985Z | "
    lines = ((begun, "srv    load_model: loading model 'm.gguf'"), (loaded, STARTED.decode().rstrip() % 4))
    return "".join(f"{head.format(ns=round(at * 1e9))}{line}\n" for at, line in lines).encode()


def test_each_session_tells_of_its_own_start_and_the_last_one_of_the_engine(tmp_path: Path) -> None:
    for number, loaded in (("1", 103.0), ("2", 101.5)):
        session = tmp_path / "s" / "sessions" / number
        session.mkdir(parents=True)
        (session / "cold_start.json").write_text("{}")
        (session / "server.log").write_bytes(start_log(100.0, loaded))
    broken = tmp_path / "s" / "sessions" / "3"  # an engine that never became ready
    broken.mkdir()
    (broken / "server.log").write_bytes(start_log(100.0, 109.0))

    found = {one.address: one for one in of_series(tmp_path)}

    stage = "log_stage_weights_of_series"
    of_starts = {at.trial: found[at].value for at in found if at.metric == stage}
    # without a number it is the first
    assert of_starts == {None: 3.0, 1: 3.0, 2: 1.5}
    assert found[Address(stage, "series", "s", trial=2)].source.file == "s/sessions/2/server.log"
    pool = [at for at in found if at.metric == "log_kv_pool_tokens_of_series"]
    assert pool == [Address("log_kv_pool_tokens_of_series", "series", "s")]
    assert found[pool[0]].source.file == "s/sessions/3/server.log"
