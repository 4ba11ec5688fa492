from __future__ import annotations

from generator.comparing.affects import ANYTHING, CACHED, WHATEVER, affects_of, meaning_of, shown
from generator.machines.fact_kinds import KERNELS, WORK
from generator.machines.flags import SETTINGS


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
    assert shown("gpu.gpus.memory_total_bytes", "25769803776").en == "24\u202fGiB"  # 24 × 2^30
    assert shown("flag.--parallel", "64").en == "64"
