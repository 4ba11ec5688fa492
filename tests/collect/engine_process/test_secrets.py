from __future__ import annotations

import pytest

from generator.collect.engine_process.secrets import secrets_of


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "gpubox7.lab.example")
    monkeypatch.setattr("getpass.getuser", lambda: "mallory")
    monkeypatch.setenv("HOME", "/srv/people/mallory-home")


MACHINE = {"gpubox7.lab.example", "gpubox7", "mallory", "mallory-home"}


@pytest.mark.parametrize(
    ("argv", "found"),
    [
        (["serve", "--api-key", "abc-1"], {"abc-1"}),
        (["serve", "--api-key=abc-1"], {"abc-1"}),
        (["serve", "--api-key", "abc-1,def-2"], {"abc-1,def-2", "abc-1", "def-2"}),
        (["serve", "--hf-token", "abc-1", "--port", "8000"], {"abc-1"}),
        (["serve", "--api-key", "abc-1", "def-2", "--port", "8000"], {"abc-1", "def-2"}),
        (["serve", "-hft", "abc-1"], {"abc-1"}),
        (["serve", "--host", "127.0.0.1", "--max-tokens", "512"], set()),
    ],
)
def test_keys_among_the_arguments_are_secret(argv: list[str], found: set[str]) -> None:
    assert set(secrets_of(argv, {})) == MACHINE | found


def test_so_are_those_in_the_environment() -> None:
    environment = {"HF_TOKEN": "abc-1", "VLLM_API_KEY": "def-2", "PATH": "/usr/bin", "HOSTNAME": "ghi-3"}
    assert set(secrets_of([], environment)) == MACHINE | {"abc-1", "def-2"}


def test_an_address_of_every_machine_is_none() -> None:
    # its name looks like that of a secret; struck out, no line of a request would be left
    assert secrets_of([], {"VLLM_HOST_IP": "127.0.0.1"}) == secrets_of([], {})
    assert "10.1.2.3" in secrets_of([], {"VLLM_HOST_IP": "10.1.2.3"})


def test_names_that_tell_nobody_apart_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "vm")
    monkeypatch.setattr("getpass.getuser", lambda: "root")
    monkeypatch.setenv("HOME", "/root")
    assert secrets_of([], {"DB_PASSWORD": "x"}) == ()
