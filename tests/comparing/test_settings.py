from __future__ import annotations

from dataclasses import replace

from generator.comparing.affects import shown_sides
from generator.comparing.records import Setting
from generator.comparing.settings import WORK, are_equal, groups_of, settings_of, things_changed
from generator.declared.round_tables import WorkloadTable
from generator.machines.records import Machine
from generator.model import Round, Series
from generator.text import Text
from tests.support.machines import machine
from tests.support.memory_round import memory_round

KNOWN = {"gpu.gpus.name": "NVIDIA A100", "gpu.driver": "580.1", "engine.version": "1.0"}


def round_on(of: Machine | None) -> Round:
    round_ = memory_round({"a": {"c1": {}}})
    return round_ if of is None else replace(round_, machines={"a": of})


def found(base: Machine | None, head: Machine | None) -> dict[str, Setting]:
    return {one.path: one for one in settings_of(round_on(base), round_on(head), "a")}


def with_facts(**changed: str) -> Machine:
    return machine({**KNOWN, **{path.replace("__", "."): text for path, text in changed.items()}}, flags=[])


def test_what_is_not_known_on_one_side_is_not_the_same() -> None:
    settings = found(machine({"gpu.driver": "580.1"}, flags=[]), machine(flags=[]))
    assert settings["gpu.driver"].status == "unknown"
    assert (settings["gpu.driver"].base, settings["gpu.driver"].head) == ("580.1", None)


def test_equal_and_different_are_told_apart() -> None:
    settings = found(with_facts(), with_facts(gpu__driver="590.2"))
    assert settings["gpu.driver"].status == "different"
    assert settings["gpu.gpus.name"].status == "equal"


def test_two_ways_to_write_a_gpu_are_the_same() -> None:
    assert found(with_facts(), with_facts(gpu__gpus__name="A100"))["gpu.gpus.name"].status == "equal"


def test_a_flag_that_is_not_given_is_known_where_the_command_is() -> None:
    settings = found(
        machine(flags=[("--parallel", "32")]), machine(flags=[("--parallel", "64"), ("--no-mmap", "true")])
    )
    assert (settings["flag.--no-mmap"].base, settings["flag.--no-mmap"].head) == ("", "true")
    assert [settings[path].status for path in ("flag.--parallel", "flag.--no-mmap")] == ["different", "different"]


def test_flags_that_are_not_on_record_are_one_unknown() -> None:
    settings = found(machine(flags=[("--parallel", "32")]), machine())
    assert settings["flags"].status == "unknown"
    assert "flag.--parallel" not in settings


def test_another_machine_is_one_change_however_many_facts_show_it() -> None:
    other = with_facts(gpu__gpus__name="H100", machine__cpu__cores="64", host="B")
    here = with_facts(machine__cpu__cores="32", host="A")
    assert groups_of(settings_of(round_on(here), round_on(other), "a")) == {"machine"}


def test_engine_driver_and_flag_are_three() -> None:
    head = machine({**KNOWN, "gpu.driver": "590.2", "engine.version": "2.0", "engine.commit": "b"}, flags=[("-x", "1")])
    base = machine({**KNOWN, "engine.commit": "a"}, flags=[])
    settings = settings_of(round_on(base), round_on(head), "a")
    assert groups_of(settings) == {"engine", "gpu.driver", "flag.-x"}
    assert things_changed(settings) == 3
    # An upgrade that brings a flag with it was meant to be one thing; the driver is the other.
    assert things_changed(settings, {"engine", "flag.-x"}) == 2


def test_packages_of_python_change_together() -> None:
    base = with_facts(python__packages__torch="2.6", python__packages__triton="3.2")
    head = with_facts(python__packages__torch="2.7", python__packages__triton="3.3")
    assert groups_of(settings_of(round_on(base), round_on(head), "a")) == {"python.packages"}


def test_how_files_are_loaded_changes_nothing_that_is_measured_at_a_level() -> None:
    base, head = with_facts(gpu__gpus__pcie_width_max="16"), with_facts(gpu__gpus__pcie_width_max="8")
    settings = settings_of(round_on(base), round_on(head), "a")
    assert [one.path for one in settings if one.status == "different"] == ["gpu.gpus.pcie_width_max"]
    assert things_changed(settings) == 0


def test_slots_that_follow_from_a_flag_are_no_change_of_their_own() -> None:
    base = machine({"engine.slots": "32"}, flags=[("--parallel", "32")])
    head = machine({"engine.slots": "64"}, flags=[("--parallel", "64")])
    assert groups_of(settings_of(round_on(base), round_on(head), "a")) == {"flag.--parallel"}


def with_slots(slots: float, *flags: tuple[str, str]) -> Round:
    """Return a round of llama.cpp whose author declared the slots of the series."""
    round_ = round_on(machine(engine="llama.cpp", flags=flags))
    (series,) = round_.series
    declared = Series(series.table.model_copy(update={"slots": slots}), series.levels)
    return replace(round_, series=(declared,))


def test_slots_that_one_side_declares_stand_where_the_other_gives_the_flag() -> None:
    settings = settings_of(with_slots(32.0), with_slots(64.0, ("--parallel", "64")), "a")
    assert [(one.path, one.base, one.head) for one in settings if one.status == "different"] == [
        ("flag.--parallel", "32", "64"),
    ]


def test_a_flag_is_believed_before_what_is_declared() -> None:
    base, head = with_slots(32.0, ("--parallel", "16")), with_slots(64.0, ("--parallel", "64"))
    settings = settings_of(base, head, "a")
    assert [(one.base, one.head) for one in settings if one.path == "flag.--parallel"] == [("16", "64")]


def test_slots_are_a_setting_of_their_own_where_no_flags_are_known() -> None:
    base, head = (replace(with_slots(slots), machines={}) for slots in (32.0, 64.0))
    settings = {one.path: one for one in settings_of(base, head, "a")}
    assert (settings["engine.slots"].base, settings["engine.slots"].head) == ("32", "64")


def test_a_series_of_another_id_is_read_by_its_own_on_each_side() -> None:
    base = replace(round_on(with_facts()), machines={"b": with_facts(gpu__driver="590.2")})
    settings = {one.path: one for one in settings_of(base, round_on(with_facts()), "a", base_series="b")}
    assert (settings["gpu.driver"].base, settings["gpu.driver"].head) == ("590.2", "580.1")


def test_the_day_is_no_setting() -> None:
    assert "date" not in found(with_facts(date="2026-01-01"), with_facts(date="2026-02-01"))


def test_other_lengths_are_other_work() -> None:
    base, head = round_on(None), round_on(None)
    tables = [
        one.file.model_copy(update={"workload": WorkloadTable(input_tokens=n)})
        for one, n in ((base, 512), (head, 1024))
    ]
    settings = settings_of(replace(base, file=tables[0]), replace(head, file=tables[1]), "a")
    assert groups_of(settings) == {WORK}
    assert [(one.base, one.head) for one in settings if one.path == "workload.input_tokens"] == [("512", "1024")]


def test_only_what_is_known_and_the_same_makes_settings_equal() -> None:
    assert are_equal(settings_of(round_on(with_facts()), round_on(with_facts()), "a"))
    assert not are_equal(settings_of(round_on(with_facts()), round_on(machine(flags=[])), "a"))
    assert not are_equal(settings_of(round_on(None), round_on(None), "a"))
    assert not are_equal(())


def test_what_no_round_says_is_not_taken_from_the_defaults_of_our_client() -> None:
    """``api`` is ``completions`` unless it is given: of numbers that we did not measure, nobody knows."""
    assert [one for one in settings_of(round_on(None), round_on(None), "a") if one.path == "workload.api"] == []
    round_ = round_on(None)
    ours = round_.file.model_copy(update={
        "round": round_.file.round.model_copy(update={"origin": "measured"}),
        "series": tuple(one.model_copy(update={"kind": "reference"}) for one in round_.file.series),
    })  # fmt: skip
    settings = {one.path: one for one in settings_of(round_, replace(round_, file=ours), "a")}
    assert (settings["workload.api"].base, settings["workload.api"].head) == (None, "completions")


def started(*argv: str) -> Round:
    round_ = memory_round({"a": {"c1": {}}})
    (series,) = round_.series
    return replace(round_, series=(Series(series.table.model_copy(update={"argv": argv}), series.levels),))


def models(base: Round, head: Round) -> list[tuple[str | None, str | None, str, str | None]]:
    settings = settings_of(base, head, "a")
    return [(one.base, one.head, one.status, one.group) for one in settings if one.path == "series.model"]


def test_the_model_in_a_command_is_a_setting() -> None:
    small, other = started("vllm", "serve", "acme/Small-1B"), started("vllm", "serve", "acme/Small-1B-AWQ")
    assert models(small, other) == [("acme/Small-1B", "acme/Small-1B-AWQ", "different", "model")]
    named = started("llama-server", "-m", "/models/small-q4.gguf"), started("llama-server", "--model=~/small-q4.gguf")
    assert models(*named) == [("small-q4.gguf", "small-q4.gguf", "equal", "model")]  # wherever the file lies
    assert models(small, started("vllm", "serve", "--port", "8000")) == []


def with_workload(**asked: object) -> Round:
    round_ = memory_round({"a": {"c1": {}}})
    return replace(round_, file=round_.file.model_copy(update={"workload": WorkloadTable.model_validate(asked)}))


def test_what_an_author_says_in_words_is_told_in_both_languages() -> None:
    words = {"zh": "各档同一个种子", "en": "one seed at every level"}
    base, head = with_workload(seed_policy=words, ignore_eos=True), with_workload(ignore_eos=False)
    told = {one.path: one for one in settings_of(base, head, "a")}
    assert told["workload.seed_policy"].base_said == Text(**words)
    assert told["workload.seed_policy"].head_said is None
    eos = shown_sides(told["workload.ignore_eos"])
    assert [one["zh"] for one in eos] == ["是", "否"]
