from __future__ import annotations

import asyncio
import socket

import pytest

from generator.collect.engine_process.ports import address_of, free_port, is_open, port_in, refuse_taken, value_of
from generator.engines.llamacpp import llamacpp
from generator.errors import InputError
from generator.kinds import Launching

FACTS = Launching(port=8000)


@pytest.mark.parametrize(
    ("argv", "port"),
    [
        (["serve", "--port", "18000"], 18000),
        (["serve", "--port=18000"], 18000),
        (["serve", "--port", "1", "--port", "2"], 2),
        (["serve", "--model", "x"], 8000),
    ],
)
def test_the_port_of_an_engine_is_read_off_its_arguments(argv: list[str], port: int) -> None:
    assert port_in(argv, FACTS) == port


@pytest.mark.parametrize("text", ["http", "-1", "0", "65536", "999999999999", "\u0968", ""])
def test_what_is_no_port_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is no port"):
        port_in(["serve", "--port", text], FACTS)


def test_a_flag_without_a_value_says_nothing() -> None:
    assert value_of(["--port"], ["serve", "--port"]) is None


def test_each_spelling_of_a_flag_counts() -> None:
    assert value_of(llamacpp.launching.model_flags, ["llama-server", "-m", "a.gguf"]) == "a.gguf"
    assert value_of(llamacpp.launching.model_flags, ["llama-server", "--model=b.gguf"]) == "b.gguf"


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://127.0.0.1:8000", ("127.0.0.1", 8000)),
        ("http://[::1]:8000/v1", ("::1", 8000)),
        ("https://box", ("box", 443)),
        ("http://box", ("box", 80)),
    ],
)
def test_a_url_names_an_address(url: str, address: tuple[str, int]) -> None:
    assert address_of(url) == address


@pytest.mark.parametrize("url", ["", "127.0.0.1:8000", "ftp://box", "http://", "http://box:port", "http://[::1"])
def test_other_texts_are_no_url(url: str) -> None:
    with pytest.raises(InputError, match="is no http URL"):
        address_of(url)


def test_a_taken_port_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(InputError, match=f"port {port} is taken"):
            asyncio.run(refuse_taken("127.0.0.1", port))


def test_a_free_port_is_not() -> None:
    port = free_port()
    assert not asyncio.run(is_open("127.0.0.1", port))
    asyncio.run(refuse_taken("127.0.0.1", port))
