from __future__ import annotations

from pathlib import Path

import pytest

from generator.collect.reach import certificates, proxy_of
from generator.errors import InputError

NAMES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)


@pytest.mark.parametrize(
    ("url", "proxy"),
    [
        ("http://engine.example:8000", "http://one:3128"),
        ("https://engine.example", "http://two:3128"),  # named without its kind
        ("http://inside.example:8000/v1", None),  # in NO_PROXY
        ("http://127.0.0.1:8000", None),
        ("http://[::1]:8000", None),
        ("http://localhost:8000", None),
    ],
)
def test_the_proxy_of_a_server(monkeypatch: pytest.MonkeyPatch, url: str, proxy: str | None) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://one:3128")
    monkeypatch.setenv("http_proxy", "http://one:3128")
    monkeypatch.setenv("HTTPS_PROXY", "two:3128")
    monkeypatch.setenv("NO_PROXY", "inside.example,other")
    assert proxy_of(url) == proxy


def test_without_proxies_there_is_none() -> None:
    assert proxy_of("http://engine.example:8000") is None


def test_a_proxy_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "http://three:1")
    assert proxy_of("https://engine.example") == "http://three:1"


def test_another_kind_of_proxy_is_refused_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://user:secret@h:1")
    with pytest.raises(InputError) as refused:
        proxy_of("http://engine.example")
    assert "socks5" in str(refused.value)
    assert "secret" not in str(refused.value)
    assert proxy_of("http://127.0.0.1:1") is None


def test_certificates_that_cannot_be_read_are_refused_in_a_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    with pytest.raises(InputError, match="SSL_CERT_FILE cannot be read as certificates"):
        certificates()
