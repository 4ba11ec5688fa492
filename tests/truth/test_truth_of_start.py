"""A start of known stages: the moments of the report, and what the engine's own log tells of them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from generator.collect.reference.model import even
from generator.collect.reference.settings import STAGES, Stage, Style
from generator.collect.session import session_of
from generator.declared.round_tables import WorkloadTable
from generator.frame import Frame
from generator.store.round_file import read_round_file
from tests.support.plans import series, write_plan
from tests.support.simulated import SERIES, Load, Simulated, collected
from tests.support.telling import catalogue
from tests.support.virtual_server import Way

TOLERANCE_S = 0.020
TRIES = 4
"""Of a real start: one that a busy machine made late tells of the machine."""

START: Mapping[Stage, float] = {"import": 0.15, "weights": 0.4, "compile": 0.1, "kv": 0.1, "warm_up": 0.2}
TOLD: Mapping[Style, Mapping[str, float]] = {
    "vllm": {"stage_weights": 0.4, "stage_compile": 0.1, "stage_setup": 0.3},
    "llamacpp": {"stage_weights": 0.6, "stage_setup": 0.2},
}
"""What the log is to tell, s. vLLM's init engine is all behind the weights, of which compiling is told apart; llama.cpp
says only when it begins to load and to warm up."""
LOAD = Load(1, requests=2, input_tokens=8, output_tokens=2)


def told(frame: Frame, of: str, style: Style) -> dict[str, float]:
    values = {stage: frame.of_series(f"log_{stage}_of_series", of) for stage in TOLD[style]}
    assert all(value.value is not None for value in values.values()), {key: one.reason for key, one in values.items()}
    return {stage: value.value for stage, value in values.items() if value.value is not None}


def virtual(style: Style, folder: Path, scale: float) -> Frame:
    stages = {stage: scale * seconds for stage, seconds in START.items()}
    return collected(Simulated((LOAD,), even(0.01), style=style, stages=stages, way=Way()), folder).analysis.frame


@pytest.mark.parametrize("scale", [1.0, 3.0, 100.0])
def test_vllm_listens_when_all_is_over(scale: float, tmp_path: Path) -> None:
    frame = virtual("vllm", tmp_path / "r", scale)
    assert frame.of_series("cold_start_t1", SERIES).value == pytest.approx(scale * sum(START.values()))
    # 3 ms to the queue, one step of 10 ms, 0.5 ms back
    assert frame.of_series("cold_start_t2", SERIES).value == pytest.approx(0.0135)


@pytest.mark.parametrize("scale", [1.0, 3.0, 100.0])
def test_llamacpp_listens_after_its_first_stage(scale: float, tmp_path: Path) -> None:
    frame = virtual("llamacpp", tmp_path / "r", scale)
    assert frame.of_series("cold_start_t1", SERIES).value == pytest.approx(scale * START["import"])
    behind = scale * (sum(START.values()) - START["import"])
    assert frame.of_series("cold_start_t2", SERIES).value == pytest.approx(behind + 0.0135)


@pytest.mark.parametrize("style", ["vllm", "llamacpp"])
@pytest.mark.parametrize("scale", [1.0, 3.0, 100.0])
def test_the_log_tells_of_the_stages(scale: float, style: Style, tmp_path: Path) -> None:
    frame = virtual(style, tmp_path / "r", scale)
    expected = {stage: scale * seconds for stage, seconds in TOLD[style].items()}
    assert told(frame, SERIES, style) == pytest.approx(expected, abs=TOLERANCE_S)
    # What comes before the first stage that the log tells of, and all of it together: nothing is left over.
    assert frame.of_series("start_imports", SERIES).value == pytest.approx(scale * START["import"], abs=TOLERANCE_S)
    assert frame.of_series("start_untold", SERIES).value == pytest.approx(0.0, abs=TOLERANCE_S)


@pytest.mark.slow
@pytest.mark.parametrize("style", ["vllm", "llamacpp"])
def test_a_real_start_is_told_to_twenty_milliseconds(style: Style, tmp_path: Path) -> None:
    off: list[float] = []
    while len(off) < TRIES and min(off, default=1.0) >= TOLERANCE_S:
        off.append(_off(style, tmp_path / str(len(off))))
    assert min(off) < TOLERANCE_S, off


def _off(style: Style, folder: Path) -> float:
    """Start the reference server, and return by how much the stages in the report are off at most, in s."""
    text = ",".join(f"{stage}={START[stage]}" for stage in STAGES)
    argv = (sys.executable, "-m", "generator.collect.reference", "--port", "{port}", "--style", style)
    write_plan(folder, series("ref", (*argv, "--step-ms", "1", "--start-stages", text)))
    [table] = read_round_file(folder).series

    async def started() -> None:
        async with session_of(table, WorkloadTable(), catalogue().engines, folder / table.id, {}):
            pass

    asyncio.run(started())
    frame = catalogue().analyse(catalogue().read(folder)).frame
    found = told(frame, "ref", style)
    return max(abs(found[stage] - seconds) for stage, seconds in TOLD[style].items())
