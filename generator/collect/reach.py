"""How a server is reached: straight, or by the proxy and with the certificates that the environment names.

A server of this machine is always reached straight: a proxy for the world outside has no business in between.
"""

from __future__ import annotations

import ipaddress
import os
import ssl
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from generator.errors import InputError, quote

PROXIES: Final = ("http", "https")
"""Kinds of proxy that httpx speaks to by itself."""
USUAL: Final = httpx.Limits()


def proxy_of(url: str) -> str | None:
    """Return the proxy for a URL by HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY; None where there is none.

    Raises:
        InputError: it is no HTTP proxy.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    if _is_here(host) or proxy_bypass(host):
        return None
    known = getproxies()
    named = known.get(parts.scheme) or known.get("all")
    if not named:
        return None
    whole = named if "://" in named else f"http://{named}"
    if urlsplit(whole).scheme not in PROXIES:
        problem = f"a proxy of the kind {quote(urlsplit(whole).scheme)} cannot be used"
        remedy = "name an HTTP proxy in HTTP_PROXY or HTTPS_PROXY, or leave the server out of it by NO_PROXY"
        raise InputError("environment", "", problem, remedy)
    return whole


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def certificates() -> ssl.SSLContext:
    """Return what certificates are checked against: those of SSL_CERT_FILE or SSL_CERT_DIR, else the usual ones.

    Raises:
        InputError: the environment names what cannot be read.
    """
    try:
        return httpx.create_ssl_context(trust_env=True)
    except OSError as error:
        named = "SSL_CERT_FILE" if os.environ.get("SSL_CERT_FILE") else "SSL_CERT_DIR"
        problem = f"{named} cannot be read as certificates ({error.strerror or type(error).__name__})"
        raise InputError("environment", "", problem, "name a file of PEM certificates, or unset it") from error


def get(url: str, timeout_s: float) -> httpx.Response:
    """Return what a GET is answered.

    Raises:
        httpx.HTTPError: nothing is.
        InputError: the environment names a proxy or certificates that cannot be used.
    """
    return httpx.get(url, timeout=timeout_s, trust_env=False, proxy=proxy_of(url), verify=_checked(url))


def client_of(
    base_url: str,
    timeout_s: float,
    *,
    headers: Mapping[str, str] | None = None,
    limits: httpx.Limits = USUAL,
) -> httpx.AsyncClient:
    """Return a client of a server; the caller closes it.

    Raises:
        InputError: the environment names a proxy or certificates that cannot be used.
    """
    return httpx.AsyncClient(
        base_url=base_url, timeout=timeout_s, trust_env=False, proxy=proxy_of(base_url), verify=_checked(base_url),
        headers=headers, limits=limits,
    )  # fmt: skip


def _checked(url: str) -> ssl.SSLContext | bool:
    """Return what a server's certificate is checked against. A plain one has none, and to read ours takes time."""
    return certificates() if urlsplit(url).scheme == "https" else False
