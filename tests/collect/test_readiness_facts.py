from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from generator.collect import readiness_facts
from generator.collect.host.clock_look import ClockLook
from generator.collect.host.preflight import objections
from generator.collect.host.readings import Reading
from generator.collect.readiness_facts import (
    facts_of_machine,
    facts_of_server,
    gpu_memory_used,
    keeps_prompts,
    seeds_of_rounds,
)
from generator.collect.round_plan import PlannedRun
from generator.declared.round_tables import SeriesTable
from generator.errors import InputError
from generator.kinds import Launching

ATTACHED = SeriesTable(id="a", endpoint="http://127.0.0.1:9")
RUN = PlannedRun("a", "c8", 1, 8, None, 80, 1000, 200, 1, 0, 77)


def keys(facts: object) -> list[str]:
    return [one.key for one in objections(facts)]  # type: ignore[arg-type]


def test_a_server_with_too_few_slots_and_too_short_a_context_is_objected_to() -> None:
    # 4 slots for 8 in flight; 1000 + 200 tokens in a context of 1024
    props = json.dumps({"total_slots": 4, "default_generation_settings": {"n_ctx": 1024}})
    assert set(keys(facts_of_server([RUN], props, kv_tokens=None))) == {"above_slots", "short_context"}


def test_a_server_that_fits_is_not() -> None:
    props = json.dumps({"total_slots": 8, "default_generation_settings": {"n_ctx": 2048}})
    assert keys(facts_of_server([RUN], props, kv_tokens=9600)) == []


def test_a_pool_below_what_is_in_flight_is_objected_to() -> None:
    # 8 × (1000 + 200) = 9600 tokens
    assert keys(facts_of_server([RUN], "", kv_tokens=9599)) == ["small_pool"]


def test_what_a_server_says_may_be_anything() -> None:
    for props in ("", "[]", "{", '{"total_slots": "many"}', '{"default_generation_settings": 7}'):
        assert keys(facts_of_server([RUN], props, kv_tokens=None)) == []


def test_a_seed_of_another_round_is_objected_to(tmp_path: Path) -> None:
    for round_id, seed in (("earlier", "77"), ("mine", "77"), ("other", "5")):
        trial = tmp_path / round_id / "a" / "levels" / "c1" / "1"
        trial.mkdir(parents=True)
        (trial / "level.json").write_text(json.dumps({"summary": {"seed": seed}}))
    seeds = seeds_of_rounds(tmp_path, but="mine")

    assert seeds == {77: "earlier, a, c1, trial 1", 5: "other, a, c1, trial 1"}
    assert "seed_used" in keys(facts_of_machine(tmp_path, [RUN], seeds, ATTACHED))


def test_flags_unlike_the_baseline_s_are_said_without_their_secrets(tmp_path: Path) -> None:
    key = "sk-planted-8f3a9c2e7b1d4f60"
    baseline = SeriesTable(id="a", kind="vllm", argv=("vllm", "serve", "m", "--max-num-seqs", "8", "--api-key", key))
    series = SeriesTable(id="b", kind="vllm", argv=("vllm", "serve", "m", "--max-num-seqs", "16", "--api-key", key))
    [found] = [one for one in objections(facts_of_machine(tmp_path, [RUN], {}, series, baseline)) if "flags" in one.key]

    assert "--max-num-seqs 16 (baseline 8)" in found.sentence
    assert key not in found.sentence
    other = SeriesTable(id="b", kind="sglang", argv=("sglang", "--max-num-seqs", "16"))
    assert "flags_differ" not in keys(facts_of_machine(tmp_path, [RUN], {}, other, baseline))


def test_a_port_that_somebody_listens_on_is_objected_to(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        port = str(other.getsockname()[1])
        series = SeriesTable(id="a", kind="vllm", argv=("vllm", "serve", "m", "--port", port))
        assert "port_taken" not in keys(facts_of_machine(tmp_path, [RUN], {}, series))
        other.listen()
        assert "port_taken" in keys(facts_of_machine(tmp_path, [RUN], {}, series))
        usual = SeriesTable(id="a", argv=("server",))
        assert "port_taken" in keys(facts_of_machine(tmp_path, [RUN], {}, usual, launching=Launching(port=int(port))))
        assert "port_taken" not in keys(facts_of_machine(tmp_path, [RUN], {}, ATTACHED))


def test_any_free_port_is_not_looked_for(tmp_path: Path) -> None:
    for argv in (("vllm", "--port", "{port}"), None):
        assert facts_of_machine(tmp_path, [RUN], {}, SeriesTable(id="a", argv=argv)).port is None


def test_a_port_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'many' is no port"):
        facts_of_machine(tmp_path, [RUN], {}, SeriesTable(id="a", argv=("vllm", "--port", "many")))


def test_a_clock_that_is_unfit_is_objected_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    look = ClockLook(monotonic=False, finest_s=4e-3, steps_s=(0.25,), synchronised=False)
    monkeypatch.setattr(readiness_facts, "look_at_clocks", lambda: look)
    found = keys(facts_of_machine(tmp_path, [RUN], {}, ATTACHED))
    assert {"clock_back", "clock_stepped", "clock_coarse", "clock_unsynchronised"} <= set(found)


def test_a_server_that_keeps_prompts_is_objected_to() -> None:
    keeping = SeriesTable(id="a", kind="vllm", argv=("vllm", "serve", "m"))
    assert keys(facts_of_server([RUN], "", kv_tokens=None, prefix_cache=keeps_prompts(keeping, ""))) == ["prefix_cache"]
    said = 'vllm:cache_config_info{enable_prefix_caching="False"} 1.0'
    assert keys(facts_of_server([RUN], "", kv_tokens=None, prefix_cache=keeps_prompts(keeping, said))) == []
    assert keeps_prompts(ATTACHED, "") is None


def test_the_memory_of_all_gpus_is_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    read = [Reading("gpu0", "memory_used", 3.0), Reading("gpu1", "memory_used", 4.0), Reading("gpu1", "power", 9.0)]
    monkeypatch.setattr(readiness_facts, "read_gpus", lambda: read)
    assert gpu_memory_used() == 7
    monkeypatch.setattr(readiness_facts, "read_gpus", list)
    assert gpu_memory_used() is None
