"""The kind of an error, taken from whatever the client wrote down."""

from __future__ import annotations

import pytest

from generator.importers.vllm.objects import kind_of_error

TRACEBACK = """\
Traceback (most recent call last):
  File "/home/jo/client.py", line 7, in send
    raise OSError("x")
OSError: x

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/home/jo/client.py", line 9, in send
    await post()
aiohttp.client_exceptions.ClientOSError: [Errno None] Can not write request body for http://gpu7:8000/v1
"""


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("", None),
        (TRACEBACK, "ClientOSError"),
        ("Traceback (most recent call last):\n  x\nTimeoutError\n", "TimeoutError"),
        ("Traceback:\n  x\nvalue.JSONDecodeError: a\nsecond line of it: gpu7", "JSONDecodeError"),
        ("httpx.ReadTimeout: ", "ReadTimeout"),
        ("Internal Server Error", "Internal Server Error"),
        ("Bad Request: the prompt of Jo is too long", "Bad Request"),
        ("HTTP 500: internal error on gpu7", "unknown"),
        ("gpu7.corp.example: refused", "unknown"),
        ("OK", "unknown"),
        ("   ", "unknown"),
        ("Key_sk_abc: x", "unknown"),
        ("hf_SECRETyyyyyyyError: x", "unknown"),
        ("sk2abc8defError", "unknown"),
        ("gpu7.corp.example.AbcError: x", "AbcError"),
        (f"{'Long' * 20}Error", "unknown"),
    ],
)
def test_only_the_kind_is_kept(message: str, kind: str | None) -> None:
    assert kind_of_error(message) == kind
