from __future__ import annotations

import pytest

from generator.store.http_reasons import reason
from generator.store.request_rows import kind_of_error


@pytest.mark.parametrize(
    ("code", "said"), [(429, "Too Many Requests"), ("429.0", "Too Many Requests"), (500.0, "Internal Server Error")]
)
def test_the_reason_of_a_code(code: object, said: str) -> None:
    assert reason(code) == said
    assert kind_of_error(said) == said


@pytest.mark.parametrize("code", [-1, 999, 1e300, "timeout", True, [], None])
def test_what_is_no_code_is_a_failure_all_the_same(code: object) -> None:
    assert reason(code) == "failed"
    assert kind_of_error("failed") == "unknown"
