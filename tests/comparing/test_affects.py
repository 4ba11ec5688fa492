from __future__ import annotations

from generator.comparing.affects import ANYTHING, CACHED, WHATEVER, affects_of, meaning_of, shown_sides
from generator.comparing.records import Setting
from generator.machines.fact_kinds import KERNELS, OUTPUT, WORK
from generator.machines.flags import SETTINGS
from generator.text import same


def test_flags_of_several_engines_that_mean_the_same_affect_the_same() -> None:
    for flag in ("--no-enable-prefix-caching", "--disable-radix-cache", "--cache-ram", "--slot-prompt-similarity"):
        assert affects_of(f"flag.{flag}") == CACHED


def test_every_setting_of_several_engines_has_a_meaning() -> None:
    flags = [one.flag for setting in SETTINGS for spellings in setting.spellings.values() for one in spellings]
    assert [flag for flag in flags if meaning_of(f"flag.{flag}" if flag.startswith("-") else flag) is None] == []


def test_a_flag_that_nobody_knows_may_affect_anything() -> None:
    assert affects_of("flag.--brand-new") == ANYTHING
    assert affects_of("env.SOMETHING") == ANYTHING
    assert meaning_of("flag.--brand-new") is None


def test_facts_of_machines_and_what_was_asked_say_what_they_affect() -> None:
    assert affects_of("gpu.driver") == KERNELS
    assert affects_of("workload.input_tokens") == WORK
    assert affects_of("flags") == WHATEVER


def test_an_amount_is_shown_in_its_unit() -> None:
    memory = Setting("gpu.gpus.memory_total_bytes", same("memory"), "25769803776", None, None)
    assert shown_sides(memory)[0].en == "24\u202fGiB"  # 24 × 2^30
    slots = Setting("flag.--parallel", same("--parallel"), "32", "64", None)
    assert [one.en for one in shown_sides(slots)] == ["32", "64"]


def test_which_model_it_is_affects_what_is_computed() -> None:
    assert affects_of("model.name") == affects_of("series.model") == OUTPUT
