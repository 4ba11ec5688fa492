from __future__ import annotations

import pytest

from generator.machines.flags import SETTINGS, alike, compared_flags, context_of, family_of, flags_of, setting_of
from tests.support.machines import machine

BY_KEY = {setting.key: setting for setting in SETTINGS}


def test_flags_have_their_values_however_they_are_written() -> None:
    argv = ["llama-server", "-c", "65536", "--parallel=32", "--no-cache-prompt", "-ngl", "99", "--temp", "-0.5"]

    assert flags_of(argv, "llamacpp") == {
        "--ctx-size": "65536",
        "--parallel": "32",
        "--no-cache-prompt": "true",
        "--gpu-layers": "99",
        "--temp": "-0.5",
    }


def test_underscores_and_short_names_are_the_same_flag() -> None:
    assert flags_of(["--max_model_len", "2048", "-tp", "2"], "vllm") == {
        "--max-model-len": "2048",
        "--tensor-parallel-size": "2",
    }
    assert flags_of(["--tp", "2"], "sglang") == {"--tensor-parallel-size": "2"}


def test_words_that_are_no_flag_are_left_out() -> None:
    assert flags_of(["vllm", "serve", "a/model", "--enforce-eager"], "vllm") == {"--enforce-eager": "true"}
    assert flags_of([], None) == {}


@pytest.mark.parametrize(
    ("kind", "engine", "family"),
    [
        ("llamacpp", None, "llamacpp"),
        (None, "llama.cpp", "llamacpp"),
        (None, "vLLM", "vllm"),
        (None, "SGLang 1", "sglang"),
        (None, "another", None),
        (None, None, None),
    ],
)
def test_an_engine_is_known_by_its_kind_or_its_name(kind: str | None, engine: str | None, family: str | None) -> None:
    assert family_of(kind, engine) == family


@pytest.mark.parametrize(
    ("engine", "flags", "text"),
    [
        ("vLLM", [("--no-enable-prefix-caching", "true")], "false"),
        ("vLLM", [], "true"),
        ("llama.cpp", [("--cache-ram", "0")], "false"),
        ("llama.cpp", [("--cache-ram", "8192")], "true"),
        ("SGLang", [("--disable-radix-cache", "true")], "false"),
    ],
)
def test_a_prefix_cache_is_on_unless_a_flag_says_otherwise(
    engine: str, flags: list[tuple[str, str]], text: str
) -> None:
    found = setting_of(machine(engine=engine, flags=flags), BY_KEY["prefix_caching"])
    assert found is not None
    assert found.text == text


def test_without_its_flags_nothing_is_known_of_a_series() -> None:
    assert setting_of(machine(engine="vLLM"), BY_KEY["prefix_caching"]) is None
    assert setting_of(machine(engine="another", flags=[]), BY_KEY["prefix_caching"]) is None


def test_a_default_that_is_not_known_is_no_setting() -> None:
    assert setting_of(machine(engine="vLLM", flags=[]), BY_KEY["slots"]) is None


def test_a_variable_switches_the_graphs_of_llamacpp_off() -> None:
    off = machine({"env.GGML_CUDA_DISABLE_GRAPHS": "1"}, engine="llama.cpp", flags=[])
    found = setting_of(off, BY_KEY["cuda_graphs"])
    assert found is not None
    assert (found.text, found.is_default) == ("false", False)


def test_the_slots_of_llamacpp_share_the_context() -> None:
    # 65,536 tokens over 32 slots: 2048 each
    shared = [("--ctx-size", "65536"), ("--parallel", "32")]
    assert context_of(machine(engine="llama.cpp", flags=shared)) == 2048
    assert context_of(machine(engine="llama.cpp", flags=[*shared, ("--kv-unified", "true")])) is None
    assert context_of(machine(engine="llama.cpp", flags=shared[:1])) is None


def test_the_context_of_the_others_is_that_of_a_request() -> None:
    assert context_of(machine(engine="vLLM", flags=[("--max-model-len", "4k")])) == 4000
    assert context_of(machine(engine="SGLang", flags=[("--context-length", "8192")])) == 8192
    assert context_of(machine(engine="SGLang", flags=[("--context-length", "many")])) is None


def test_a_kv_of_two_bytes_is_one_precision() -> None:
    assert alike(BY_KEY["kv_dtype"], "auto", "f16")
    assert not alike(BY_KEY["kv_dtype"], "fp8", "f16")


def test_where_a_server_listens_is_not_compared() -> None:
    known = machine({"env.OMP_NUM_THREADS": "8"}, engine="vLLM", flags=[("--port", "8000"), ("--seed", "1")])
    assert compared_flags(known) == {"env.OMP_NUM_THREADS": "8", "flag.--seed": "1"}
