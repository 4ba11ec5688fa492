"""What is struck out of texts, and what is left alone."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.redaction import redact
from generator.store.redact import redact_entry


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("/home/jo/models/Toy", "~/models/Toy"),
        ("/Users/jo", "~"),
        ("/root/toy", "~/toy"),
        ("/data/venv/lib/python3.11/site-packages/vllm/a.py:138: slow", "***/site-packages/vllm/a.py:138: slow"),
        ("/home/jo/env/lib/python3/dist-packages/torch", "***/dist-packages/torch"),
        ("see 'lib/site-packages/x'", "see 'lib/site-packages/x'"),
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
        ("--password geheim=1 password=geheim", "--password *** password=***"),
        # By their shape
        ("ghp_abcdef1234 ghs_abcdef1234 gho-abcdef1234 ghu_abcdef1234 ghr_abcdef1234", "*** *** *** *** ***"),
        ("glpat-abcdef1234 xoxb-abcdef1234 rk-abcdef1234 pk-abcdef1234", "*** *** *** ***"),
        ("github_pat_11ABCDEF0abcdef_x", "***"),
        ("nvapi-abcdefgh1234", "***"),
        ("AIzaSyA-1234567890abcdefghijklmnopqrstu", "***"),
        ("AKIAABCDEFGH1234 ASIAABCDEFGH1234", "*** ***"),
        ("密钥sk-abcdefgh12345", "密钥***"),
        ("c8-sk-abcdefgh12345.json", "c8-***.json"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "***"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nx", "***\nx"),
        # By their name
        ("secret_key=abc private-key: abc passphrase=abc", "secret_key=*** private-key: *** passphrase=***"),
        ("aws_secret_access_key=abc AWS_ACCESS_KEY_ID=abc", "aws_secret_access_key=*** AWS_ACCESS_KEY_ID=***"),
        ("Namespace(api_key=['abc', 'def'], port=1)", "Namespace(api_key=[***], port=1)"),
        ("'api_key': ['abc']", "'api_key': [***]"),
        (r"{\"api_key\": \"abc\"}", r'{\"api_key\": \"***"}'),
        ("password: 'correct horse'", "password: '***'"),
        ("vllm serve --api-key abc --port 8000", "vllm serve --api-key *** --port 8000"),
        ("['--hf-token', 'abc', '--port']", "['--hf-token', '***', '--port']"),
        ('--admin-password "correct horse" x', '--admin-password "***" x'),
        ("token=1a2b", "token=***"),
        # People and hosts
        ("write to jo.doe+x@corp.example!", "write to ***!"),
        ("ssh -p 22 jo@gpu7 nvidia-smi", "ssh -p 22 *** nvidia-smi"),
        ("scp x jo@gpu7:/tmp", "scp x ***:/tmp"),
        ("jo@gpu7:~$ vllm", "***:~$ vllm"),
        ("gpu01.corp.example", "***"),
        ("gpu01.corp.example:8000/v1", "***:8000/v1"),
        ("fe80::1ff:fe23:4567:890a%eth0", "***"),
        ("2001:0db8:85a3:0000:0000:8a2e:0370:7334", "***"),
        ("02:42:ac:11:00:02", "***"),
        ("from 10.1.2.3.", "from ***."),
        (r"\\fileserver\share\toy", r"\\***\share\toy"),
    ],
)
def test_who_where_and_with_which_key_is_struck_out(text: str, left: str) -> None:
    assert redact(text) == left


@pytest.mark.parametrize(
    "text",
    ["acme/Toy-1B", "/data/models/Toy", "/roots/x", "20260301-101500", "openai-chat", "580.82.09", "v0.11.0",
     "小模型-8B", "task-12345678", "desk-organizer", "total tokens: 12", "max_num_seqs=4", "10:15", "10:15:00.123",
     "#token: 7, token usage: 0.10", "EOS token        = 106 '<end_of_turn>'", "--max-num-batched-tokens 2048",
     "--eos-token 2", "0.00.012.345 I srv", "x\n[49152] 1.20.132.171 E srv", "300.1.1.1", "1.02.3.4", "127.0.0.1.",
     "hf-internal-testing/tiny", "hf_overrides={}", "llama.cpp", "vllm.v1.engine.core", "model.safetensors",
     "vllm/vllm-openai@sha256:0a1b", "p99@c8", "std::vector", "c10::Error", "--tokenizer x", "api_keys", "v0.11.0.dev1",
     "torch.compile", "Qwen2.5-7B.gguf"],
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


@pytest.mark.parametrize(
    "name", ["secret_key", "AWS_SECRET_ACCESS_KEY", "private-key", "passphrase", "owner", "cookie"]
)
def test_so_may_further_ones(name: str) -> None:
    assert redact_entry(name, "anything") == "***"


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        ("base_url", "gpu7:8000/v1", "***:8000/v1"),
        ("endpoint", "gpu7", "***"),
        ("server", "gpu7", "***"),
        ("node", "rack3-gpu7", "***"),
        ("base_url", "localhost:8000", "localhost:8000"),
        ("endpoint", "/v1/completions", "/v1/completions"),
        ("server", "vllm 0.11.0", "vllm 0.11.0"),
        ("server", "llama.cpp", "llama.cpp"),
        ("backend", "gpu7", "gpu7"),
    ],
)
def test_an_entry_that_names_a_place_may_be_a_bare_host(name: str, text: str, left: str) -> None:
    assert redact_entry(name, text) == left


@pytest.mark.parametrize(
    "piece",
    [
        "a-",
        "a.",
        "a@",
        "a:",
        "://[",
        "eyJaaaaaaaaaa-",
        "ssh ",
        "--token",
        "token=[",
        "authorization:",
        "a.com.",
        "\\\\a",
    ],
)
def test_the_time_grows_with_the_length_and_not_its_square(piece: str) -> None:
    # 200 kB takes some 50 ms; in the square of the length it would be minutes.
    begun = time.process_time()
    redact(piece * (200_000 // len(piece)))
    assert time.process_time() - begun < 3


PIECES = st.sampled_from(
    ["token=", "--api-key ", "sk-abcdefgh", "://", "@", "gpu7", ".corp.example", "10.1.2.3", " ", ":", "/home/jo",
     "[", "'", '"', "***", "~", "fe80::1", "Bearer ", "authorization: ", "cookie:", "\\\\host", "\\", "ssh ",
     "\n", "file", "http"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=5).map("".join), st.lists(PIECES, max_size=5).map("".join))
def test_whatever_stands_around_it_a_key_is_struck_out(before: str, after: str) -> None:
    assert "geheim1234" not in redact(f"{before} sk-geheim1234 {after}")


@given(st.text(max_size=60))
def test_striking_out_twice_strikes_no_more(text: str) -> None:
    assert redact(redact(text)) == redact(text)
