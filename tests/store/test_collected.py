from __future__ import annotations

import math
from pathlib import Path

import pytest

from generator.errors import InputError
from generator.values import Address, Observation
from tests.support.collected_rounds import CALIBRATION, COLD, START, planned, put_json, put_run, read
from tests.support.request_rows import answer, failure, requests_of
from tests.support.telling import catalogue


def seen(folder: Path) -> dict[Address, Observation]:
    """Return what was found: all but what is assumed where nobody declares it."""
    return {one.address: one for one in read(folder).observations if one.origin != "assumed"}


def told(found: Observation) -> tuple[float, str, str]:
    return found.value, found.origin, str(found.source)


# The calibration


def test_the_calibration_is_of_the_round(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r")
    put_json(folder / "calibration.json", CALIBRATION)

    found = seen(folder)

    error = found[Address("client_stamp_error_p99", "round")]
    assert error.value == pytest.approx(5e-5)
    assert told(error)[1:] == ("measured", "calibration.json, stamp_error_us.p99")
    assert found[Address("calibration_itl_p99_seen", "round")].value == pytest.approx(0.0205)
    assert found[Address("calibration_streams", "round")].value == 4


def test_what_a_calibration_does_not_hold_is_not_known(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r")
    put_json(folder / "calibration.json", {"schema": 1, "stamp_error_us": None, "streams": 4})

    found = {address.metric for address in seen(folder) if address.scope == "round"}

    assert found == {"calibration_streams"}


@pytest.mark.parametrize(
    ("written", "place", "problem"),
    [
        ("{", "", "is not JSON"),
        ("\ud800".encode("utf-8", "surrogatepass"), "", "is not JSON"),
        ("9" * 5000, "", "is not JSON"),
        ("[]", "", "is not as Rounds writes it"),
        ('{"streams": 4}', "", "is not as Rounds writes it"),
        ('{"schema": 2}', "schema", "written by a newer Rounds"),
        ('{"schema": 1, "streams": "4"}', "streams", "expected a finite number"),
        ('{"schema": 1, "streams": true}', "streams", "expected a finite number"),
        ('{"schema": 1, "cpu_share": NaN}', "cpu_share", "expected a finite number"),
        ('{"schema": 1, "cpu_share": 1e999}', "cpu_share", "expected a finite number"),
        (f'{{"schema": 1, "streams": 1{"0" * 400}}}', "streams", "expected a finite number"),
        ('{"schema": 1, "stamp_error_us": {"p99": []}}', "stamp_error_us.p99", "expected a finite number"),
    ],
)
def test_a_calibration_that_is_none_is_refused(tmp_path: Path, written: str | bytes, place: str, problem: str) -> None:
    folder = planned(tmp_path / "r")
    (folder / "calibration.json").write_bytes(written if isinstance(written, bytes) else written.encode())

    with pytest.raises(InputError) as caught:
        read(folder)

    assert (caught.value.place, caught.value.problem) == (place, problem)
    assert caught.value.file.endswith("calibration.json")


def test_a_calibration_that_leads_out_is_refused(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r")
    put_json(tmp_path / "elsewhere.json", CALIBRATION)
    (folder / "calibration.json").symlink_to(tmp_path / "elsewhere.json")

    with pytest.raises(InputError, match="leads out of the round's folder"):
        read(folder)


# Cold starts


def test_the_first_start_is_that_of_the_series_and_all_are_counted(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r")
    # Session 1 found a running server and has no start; 10 comes after 2.
    (folder / "s" / "sessions" / "1").mkdir(parents=True)
    for number, port in (("2", 1.5), ("10", 0.5)):
        put_json(folder / "s" / "sessions" / number / "cold_start.json", {**START, "port_s": port})

    found = seen(folder)

    where = Address("cold_start_t1", "series", "s")
    assert told(found[where]) == (1.5, "measured", "s/sessions/2/cold_start.json, port_s")
    assert found[Address("cold_start_first_token", "series", "s")].value == 4.0
    assert told(found[Address("cold_starts", "series", "s")]) == (2, "measured", "s/sessions, 2 of cold_start.json")


def test_each_start_has_its_numbers_under_that_of_its_session(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r")
    for number, port in (("2", 1.5), ("10", 0.5)):
        cache = {"state": "warm", "resident": 0.99}
        put_json(folder / "s" / "sessions" / number / "cold_start.json", {**START, "port_s": port, "page_cache": cache})

    found = seen(folder)

    where = Address("cold_start_t1", "series", "s", trial=10)
    assert told(found[where]) == (0.5, "measured", "s/sessions/10/cold_start.json, port_s")
    assert found[Address("cold_start_t1", "series", "s", trial=2)].value == 1.5
    assert found[Address("cold_start_resident", "series", "s", trial=10)].value == 0.99
    assert Address("cold_starts", "series", "s", trial=2) not in found  # a count is of the series


def test_a_moment_that_did_not_come_is_not_known(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r")
    put_json(folder / "s" / "sessions" / "1" / "cold_start.json", {**START, "first_completion_s": None})

    found = {address.metric for address in seen(folder)}

    assert "cold_start_first_token" in found
    assert "cold_start_first_completion" not in found


def test_without_a_start_the_reason_says_where_it_would_stand(tmp_path: Path) -> None:
    analysis = catalogue().analyse(read(planned(tmp_path / "r")))

    reason = analysis.frame.of_series("cold_start_t2", "s").reason

    assert reason is not None
    assert "cold_start.json, first_token_s" in reason.en


def test_a_session_that_is_still_open_is_none_yet(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r")
    put_json(folder / "s" / ".session" / "cold_start.json", START)

    assert not [address for address in seen(folder) if address.metric.startswith("cold_start")]


# Beside the runs


def test_what_was_sent_before_the_clock_is_counted(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r")
    put_run(folder / "s" / "levels" / "c1" / "1", {}, COLD)

    found = seen(folder)

    at = Address("warm_up_output_tokens", "level", "s", "c1")
    assert told(found[at]) == (2, "measured", "s/levels/c1/1/warm-up/*/requests.parquet, output_tokens")
    assert found[Address("warm_up_input_tokens", "level", "s", "c1")].value == 12
    assert found[Address("warm_up_requests", "level", "s", "c1")].value == 1


def test_each_trial_has_its_own(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r")
    for trial, cold in (("1", COLD), ("2", None)):
        put_run(folder / "s" / "levels" / "c1" / trial, {}, cold)

    found = seen(folder)

    assert [found[Address("warm_up_requests", "level", "s", "c1", trial=trial)].value for trial in (1, 2)] == [1, 0]


def test_tokens_are_not_known_where_one_answer_has_none_counted(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r")
    cold = requests_of(answer(0.1, start=0.0, prompt=12), failure(start=0.1, tokens=math.nan, prompt=12))
    put_run(folder / "s" / "levels" / "c1" / "1", {}, cold)

    found = {address.metric: o.value for address, o in seen(folder).items()}

    assert found["warm_up_requests"] == 2
    assert found["warm_up_input_tokens"] == 24
    assert "warm_up_output_tokens" not in found


def test_a_counter_of_the_server_is_read_off_the_run(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r")
    put_run(folder / "s" / "levels" / "c1" / "1", {}, summary={"server_cached_prompt_tokens": 8.0})

    found = seen(folder)[Address("server_cached_prompt_tokens", "level", "s", "c1")]

    assert told(found) == (8, "measured", "s/levels/c1/1/level.json, summary.server_cached_prompt_tokens")


def test_a_run_of_another_tool_was_not_warmed_up_by_us(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r")
    trial = folder / "s" / "levels" / "c1" / "1"
    put_run(trial, {})
    text = (trial / "level.json").read_text(encoding="utf-8").replace("rounds collect", "vllm bench serve")
    (trial / "level.json").write_text(text, encoding="utf-8")

    assert not [address for address in seen(folder) if address.metric.startswith("warm_up")]


def test_a_warm_up_that_leads_out_is_refused(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r")
    put_run(folder / "s" / "levels" / "c1" / "1", {})
    put_run(tmp_path / "elsewhere", {})
    cold = folder / "s" / "levels" / "c1" / "1" / "warm-up" / "cold"
    (cold / "chunks.parquet").unlink()
    (cold / "chunks.parquet").symlink_to(tmp_path / "elsewhere" / "warm-up" / "cold" / "chunks.parquet")

    with pytest.raises(InputError, match="leads out of the round's folder"):
        read(folder)


# A plan


def test_a_plan_without_data_is_a_round_without_levels(tmp_path: Path) -> None:
    round_ = read(planned(tmp_path / "r"))

    assert [series.levels for series in round_.series] == [()]
    assert not [o for o in round_.observations if o.address.scope == "level"]


def test_a_plan_that_is_partly_there_has_the_levels_that_are(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r")
    put_run(folder / "s" / "levels" / "c1" / "1", {})
    (folder / "s" / "levels" / "c4").mkdir()  # a collector that was killed had made room for it

    (series,) = read(folder).series

    assert [level.id for level in series.levels] == ["c1"]


@pytest.mark.parametrize(
    "line", ['kind = "reference"', 'argv = ["llama-server"]', 'endpoint = "http://127.0.0.1:8000"']
)
def test_what_can_be_collected_may_have_no_data(tmp_path: Path, line: str) -> None:
    folder = planned(tmp_path / "r")
    text = (folder / "round.toml").read_text(encoding="utf-8").replace('kind = "reference"', line)
    (folder / "round.toml").write_text(text, encoding="utf-8")

    assert read(folder).series[0].levels == ()


def test_a_series_that_nobody_can_collect_must_have_data(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r")
    text = (folder / "round.toml").read_text(encoding="utf-8").replace('kind = "reference"', 'kind = "vllm"')
    (folder / "round.toml").write_text(text, encoding="utf-8")

    with pytest.raises(InputError, match="series s has no data"):
        read(folder)


def test_a_level_planned_twice_is_refused_before_there_are_data(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r")
    with (folder / "round.toml").open("a", encoding="utf-8") as file:
        file.write('[[level]]\nid = "c4"\nconcurrency = 4\n')

    with pytest.raises(InputError, match="says again what an earlier entry says of s"):
        read(folder)


def test_a_level_that_a_table_does_not_have_is_still_a_stray(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r")
    (folder / "s").mkdir()
    (folder / "s" / "published.csv").write_text("concurrency,requests\n1,40\n", encoding="utf-8")

    with pytest.raises(InputError, match=r"\[\[level\]\] c4: no series that it speaks of has this level"):
        read(folder)


def test_a_clock_in_ns_is_read_from_the_text_that_holds_it_whole(tmp_path: Path) -> None:
    folder = planned(tmp_path / "r")
    put_run(folder / "s/levels/c1/1", {}, summary={"first_sent_mono_ns": "18671882895378"})

    found = seen(folder)[Address("first_sent_clock", "level", "s", "c1")]

    assert found.value == pytest.approx(18671.882895378, abs=1e-9)


@pytest.mark.parametrize("written", ["soon", "1" * 20, "-5", "1.5"])
def test_a_clock_that_is_none_is_refused(tmp_path: Path, written: str) -> None:
    folder = planned(tmp_path / "r")
    put_run(folder / "s/levels/c1/1", {}, summary={"first_sent_mono_ns": written})

    with pytest.raises(InputError, match="expected a finite number"):
        read(folder)
