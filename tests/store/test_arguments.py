"""What of a command line is kept, and what is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.redaction import hashed
from generator.store.arguments import (
    NOBODY,
    Identity,
    looks_random,
    redact_arguments,
    secret_arguments,
    strike_arguments,
    strike_text,
    strike_value,
)

JO = Identity(("jo", "gpu7"), ("/home/jo", "/srv/people/jo"))
GPU = "GPU-8f6a2c1d-0b3e-4f5a-9c7d-112233445566"
RANDOM = "Zx81kQ0pW7vLm3Tn9RbY2sHd"


@pytest.mark.parametrize(
    ("given_", "kept"),
    [
        ("--api-key geheim", "--api-key ***"),
        ("--api-key=geheim", "--api-key=***"),
        ("--api_key geheim", "--api_key ***"),
        ("--api-key eins zwei --port 8000", "--api-key *** *** --port 8000"),
        ("--api-key -geheimnis --port 8000", "--api-key *** --port 8000"),
        ("--hf-token --port 8000", "--hf-token --port 8000"),
        ("-hft geheim", "-hft ***"),
        ("--admin-password x", "--admin-password ***"),
        ("--port 8000", "--port 8000"),
        ("--host 127.0.0.1", "--host 127.0.0.1"),
        ("--host 0.0.0.0", "--host 0.0.0.0"),
        ("--host 192.168.7.9", "--host ***"),
        ("--host node17.corp vllm", "--host *** vllm"),
        ("--max-num-batched-tokens 2048", "--max-num-batched-tokens 2048"),
        ("--max-tokens 16 --n-tokens 3", "--max-tokens 16 --n-tokens 3"),
        ("--tokenizer Qwen/Qwen2.5", "--tokenizer Qwen/Qwen2.5"),
        ("-ngl 99 -c 8192 --temp -1", "-ngl 99 -c 8192 --temp -1"),
        ("http://jo:geheim@127.0.0.1:8000/v1?token=abc", "http://127.0.0.1:8000/v1?token=***"),
        ("https://gpu7.corp/v1", "https://***/v1"),
        (f"--seed-text {RANDOM}", "--seed-text ***"),
        (RANDOM, "***"),
        ("sk-proj-abcdefgh", "***"),
        ("--model /home/jo/models/Toy-7B", "--model ~/models/Toy-7B"),
        ("--model /srv/people/jo/Toy", "--model ~/Toy"),
        ("--model /data/jo/Toy", "--model /data/***/Toy"),
        ("vllm serve turboderp/Mixtral8x7Binstruct", "vllm serve turboderp/Mixtral8x7Binstruct"),
        ("-m DeepSeekR1Distill8x7B9k1.gguf", "-m DeepSeekR1Distill8x7B9k1.gguf"),
        (f"--device {GPU}", f"--device GPU-{hashed(GPU)}"),
        ("--run 8f6a2c1d-0b3e-4f5a-9c7d-112233445566", "--run ***"),
        (f"-m models/snapshots/{'0a1b' * 10}/x.gguf", f"-m models/snapshots/{'0a1b' * 10}/x.gguf"),
    ],
)
def test_of_a_command_line_the_secrets_are_struck(given_: str, kept: str) -> None:
    assert strike_arguments(given_.split(), JO) == kept.split()


@pytest.mark.parametrize(
    ("argument", "kept"),
    [
        ("Authorization: Bearer geheim-1234", "Authorization:***"),
        ("X-Customer: geheim", "X-Customer:***"),
        ("Connection=close", "Connection=close"),
    ],
)
def test_of_a_header_the_name_is_kept(argument: str, kept: str) -> None:
    assert strike_arguments(["--header", argument], JO) == ["--header", kept]


@pytest.mark.parametrize(
    ("argument", "kept"),
    [
        ("vllm serve Toy --api-key geheim", "vllm serve Toy --api-key '***'"),
        ('sh -c "vllm serve Toy --api-key geheim"', "sh -c 'vllm serve Toy --api-key '\"'\"'***'\"'\"''"),
        ("vllm --api-key 'geheim", "***"),  # no shell would read it
    ],
)
def test_a_command_line_inside_an_argument_is_struck_like_one(argument: str, kept: str) -> None:
    assert strike_arguments(["bash", "-lc", argument], JO) == ["bash", "-lc", kept]


@pytest.mark.parametrize(
    "name",
    [
        "DeepSeekR1DistillQwen32B", "Instruct2507FP8DynamicKV", "models--Qwen--Qwen2.5-7B-Instruct-GGUF",
        "Meta-Llama-3.1-8B-Instruct-Q4_K_M-00001-of-00003.gguf", "gemma-3-270m-q4_k_m.gguf", "chunkedprefillsize",
        "nvidia/Llama-3_3-Nemotron-Super-49B-v1_5-FP8", "unsloth/Qwen3-30B-A3B-Instruct-2507-UD-Q4_K_XL.gguf",
        "expandable_segments:True", "FLASH_ATTN_VLLM_V1", "20260301101500123", "aaaaaaaaaaaaaaaaaaaa1",
    ],
)  # fmt: skip
def test_names_of_models_and_files_stay(name: str) -> None:
    assert strike_value(name, NOBODY) == name


@pytest.mark.parametrize(
    "key",
    [
        RANDOM,
        "9f86d081884c7d659a2feaa0c55ad015",  # hex
        "k3j9d0s8f7g6h5j4k3l2m1n0",
        "AIzaSyD3x9fK27QmPzL0vT1nB8cR5wE4hJ6gU",
    ],
)
def test_words_drawn_at_random_do_not(key: str) -> None:
    assert looks_random(key)
    assert strike_value(f"x={key},y=1", NOBODY) == "x=***,y=1"


def test_short_words_say_too_little() -> None:
    assert strike_value("a1b2c3d4e5f6g7h", NOBODY) == "a1b2c3d4e5f6g7h"  # 15


def test_names_are_struck_as_words_only() -> None:
    assert strike_text("jo on gpu7.corp, Jo; joke gpu77", JO) == "*** on ***.corp, ***; joke gpu77"


@given(st.lists(st.text(max_size=30), max_size=6))
def test_no_command_line_raises(argv: list[str]) -> None:
    assert len(strike_arguments(argv, JO)) == len(argv)


@given(st.text(alphabet="abcXYZ0189", min_size=1, max_size=20))
def test_the_argument_of_a_secret_flag_never_stays(key: str) -> None:
    assert strike_arguments(["--api-key", key, f"--hf-token={key}"], NOBODY) == ["--api-key", "***", "--hf-token=***"]


def test_a_command_is_published_without_its_keys_and_homes() -> None:
    argv = (
        "vllm",
        "serve",
        "/home/alice/models/m",
        "--api-key",
        "geheim",
        "--hf-token=hf_abcdefghijklmnopqrst",
        "-tp",
        "2",
    )

    assert redact_arguments(argv) == ["vllm", "serve", "~/models/m", "--api-key", "***", "--hf-token=***", "-tp", "2"]


@pytest.mark.parametrize(
    ("given_", "published"),
    [
        ("--host 127.0.0.1 --port 80", "--host *** --port 80"),  # by its name, as of an entry
        ("--base-url gpu7:8000/v1", "--base-url ***:8000/v1"),
        ("--api-keys eins zwei --port 80", "--api-keys *** *** --port 80"),
        ("-hft geheim", "-hft ***"),
        (f"--seed-text {RANDOM}", "--seed-text ***"),
        (f"--device {GPU}", f"--device GPU-{hashed(GPU)}"),
        ("-1 --a/b-token geheim", "-1 --a/b-token ***"),  # no flag of any engine, and a secret by its name
    ],
)
def test_what_is_struck_where_it_is_collected_is_struck_where_it_is_published(given_: str, published: str) -> None:
    assert redact_arguments(given_.split()) == published.split()


def test_a_place_begins_with_a_host_in_what_is_collected_too() -> None:
    assert strike_arguments(["--base-url", "gpu8:8000/v1"], NOBODY) == ["--base-url", "***:8000/v1"]


@given(st.lists(st.text(max_size=30), max_size=6))
def test_no_published_command_raises(argv: list[str]) -> None:
    assert len(redact_arguments(argv)) == len(argv)


def test_the_arguments_of_secret_flags_are_all_found() -> None:
    argv = "serve --api-key eins zwei --hf-token=drei --max-tokens 16 --port 80".split()  # noqa: SIM905
    assert list(secret_arguments(argv)) == ["eins", "zwei", "drei"]
