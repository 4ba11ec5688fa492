"""What is struck out of texts, and what is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.store.redact import redact, redact_entry


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("/home/jo/models/Toy", "~/models/Toy"),
        ("/Users/jo", "~"),
        ("/root/toy", "~/toy"),
        (r"C:\Users\jo\toy", r"~\toy"),
        ("file:///home/jo/toy", "file://~/toy"),
        ("http://jo:geheim@localhost:8000/v1", "http://localhost:8000/v1"),
        ("http://gpu7.corp.example:8000/v1", "http://***:8000/v1"),
        ("https://jo@gpu7/v1?api_key=abc&x=1", "https://***/v1?api_key=***&x=1"),
        ("http://10.0.0.7/v1 and http://127.0.0.1:80", "http://***/v1 and http://127.0.0.1:80"),
        ("http://[fe80::1]:80/", "http://***:80/"),
        ("http://localhost.evil.example/", "http://***/"),
        ("on 10.1.2.3", "on ***"),
        ("0.0.0.0", "0.0.0.0"),  # noqa: S104 - a text
        ("Bearer abcdef.123456", "Bearer ***"),
        ("Authorization: Basic am86Z2VoZWlt", "Authorization: Basic ***"),
        ("Authorization: am86Z2VoZWlt", "Authorization: ***"),
        ('{"Proxy-Authorization": "am86Z2VoZWlt"}', '{"Proxy-Authorization": "***"}'),
        ("Set-Cookie: session=geheim; path=/", "Set-Cookie: ***"),
        ("sk-abcdefgh12345", "***"),
        ("hf_abcdefgh12345", "***"),
        ("api_key=abc", "api_key=***"),
        ('{"token": "abc"}', '{"token": "***"}'),
        ("--password geheim=1 password=geheim", "--password geheim=1 password=***"),
    ],
)
def test_who_where_and_with_which_key_is_struck_out(text: str, left: str) -> None:
    assert redact(text) == left


@pytest.mark.parametrize(
    "text",
    ["acme/Toy-1B", "/data/models/Toy", "/roots/x", "20260301-101500", "openai-chat", "580.82.09", "v0.11.0",
     "小模型-8B", "task-12345678", "desk-organizer", "total tokens: 12", "max_num_seqs=4", "10:15"],
)  # fmt: skip
def test_what_is_no_secret_is_left_alone(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize("name", ["api_key", "API-KEY", "hf_token", "password", "server.host", "username", "token"])
def test_an_entry_may_be_a_secret_by_its_name(name: str) -> None:
    assert redact_entry(name, "anything") == "***"
    assert redact_entry(name, "") == ""


@pytest.mark.parametrize("name", ["tokenizer_id", "total_tokens", "model_id", "ghost", "tokenizer", "hostile"])
def test_a_name_that_resembles_one_is_none(name: str) -> None:
    assert redact_entry(name, "anything") == "anything"


@given(st.text(max_size=60))
def test_striking_out_twice_strikes_no_more(text: str) -> None:
    assert redact(redact(text)) == redact(text)
