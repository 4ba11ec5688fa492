"""Logs that were damaged: whatever stands in one, it tells of numbers, or of nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.catalogue import load
from generator.store.server_log import Log, read_log
from tests.engines import test_llamacpp as of_llamacpp
from tests.engines import test_sglang as of_sglang
from tests.engines import test_vllm as of_vllm
from tests.logs.test_llamacpp import AS_JSONL, ERA_A, ERA_B, ERA_B_JSON, ERA_C, ERA_D
from tests.logs.test_sglang import ARGUMENTS
from tests.logs.test_vllm import CONFIG, SETTINGS
from tests.support.mutated import readable

ENGINES = load().engines.values()
LOGS = {
    "llamacpp": of_llamacpp.SERVED + ERA_D,
    "llamacpp of old": ERA_A + ERA_B + ERA_B_JSON + ERA_C + AS_JSONL,
    "vllm": f"{of_vllm.START}\n{of_vllm.STATS}\n{of_vllm.ACCESS}\n{CONFIG}{SETTINGS}\n",
    "sglang": f"{ARGUMENTS}\n{of_sglang.HEAD}{of_sglang.ACCESS}",
}


def told(path: Path) -> Log | None:
    log = read_log(path, ENGINES)
    assert log is None or all(one.value == one.value for one in log.told.values())  # never NaN
    return log


@pytest.mark.fuzz
@pytest.mark.parametrize("log", LOGS.values(), ids=LOGS)
def test_damaged_logs_tell_of_numbers_or_of_nothing(log: str, tmp_path: Path) -> None:
    assert readable(told, log.encode(), tmp_path, "server.log", part=len(LOGS)) > 20
