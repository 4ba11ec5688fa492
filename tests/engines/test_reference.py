from __future__ import annotations

from pathlib import Path

import pytest

from generator.catalogue import load
from generator.collect.reference.engine_log import NOTICE
from tests.support.server_logs import count_requests

LAUNCHED = "0.00.003.000 I slot launch_slot_: id  0 | task 1 | processing task, is_child = 0"
ACCESS = 'INFO:     127.0.0.1:57776 - "POST /v1/completions HTTP/1.1" 200 OK'


@pytest.mark.parametrize(("line", "key"), [(LAUNCHED, "llamacpp"), (ACCESS, "vllm")])
def test_its_log_counts_as_that_of_the_engine_it_imitates(line: str, key: str, tmp_path: Path) -> None:
    path = tmp_path / "server.log"
    path.write_text(f"{NOTICE}\n{line}\n")

    counted = count_requests(path, load().engines.values())

    assert counted is not None
    assert (counted[0].key, counted[1]) == (key, 1)
