from __future__ import annotations

import pytest

from generator.collect.host.prefix_cache import prefix_cache_of

PAGE = """\
# TYPE vllm:cache_config_info gauge
vllm:cache_config_info{{block_size="16",cache_dtype="auto",enable_prefix_caching="{}",engine="0"}} 1.0
vllm:num_requests_running{{engine="0"}} 0.0
"""


@pytest.mark.parametrize(("word", "on"), [("True", True), ("False", False), ("None", None)])
def test_what_the_server_says_goes_before_its_flags(word: str, on: bool | None) -> None:
    assert prefix_cache_of("vllm", {"no-enable-prefix-caching": ""}, PAGE.format(word)) is on
    assert prefix_cache_of(None, None, PAGE.format(word)) is on  # attached to, of no kind


@pytest.mark.parametrize(
    ("kind", "flags", "on"),
    [
        ("vllm", {}, True),
        ("vllm", {"enable-prefix-caching": ""}, True),
        ("vllm", {"enable-prefix-caching": "false"}, False),
        ("vllm", {"no-enable-prefix-caching": ""}, False),
        ("sglang", {"disable-radix-cache": ""}, False),
        ("sglang", {}, True),
        ("llamacpp", {"no-cache-prompt": "", "cache-ram": "0"}, False),
        ("llamacpp", {"cache-ram": "0"}, True),
        ("reference", {}, None),
        ("openai", {}, None),
        (None, {}, None),
        ("vllm", None, None),  # not started here
    ],
)
def test_flags_tell_where_the_server_does_not(kind: str | None, flags: dict[str, str] | None, on: bool | None) -> None:
    assert prefix_cache_of(kind, flags, "") is on
