"""The plan of the demo: two configurations of one engine, with up to four requests at once, in about a minute."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal

from generator.collect.demo.extra import is_installed
from generator.collect.demo.tiny_model import PRECISIONS, SHAPE, Precision, tiny_model
from generator.collect.engine_process.lifecycle import THIS_PYTHON
from generator.errors import InputError
from generator.store.files import shown, write_atomically
from generator.store.round_file import ROUND_FILE, read_round_file
from generator.text import Text

Choice = Literal["llamacpp", "reference"]
"""What the demo measures: llama.cpp's server, or the simulated one."""

SLOTS: Final = 4
CONTEXT: Final = 2048
DTYPE_BYTES: Final[dict[Precision, float]] = {"F16": 2.0, "Q8_0": 34 / 32}
"""Bytes of a weight: 32 of Q8_0 share a factor of two bytes."""


@dataclass(frozen=True, slots=True)
class _Series:
    """A series of the plan: TOML of its own keys, beside its command."""

    id: str
    argv: tuple[str, ...]
    keys: tuple[str, ...]

    def toml(self) -> str:
        argv = json.dumps(self.argv, ensure_ascii=False)
        return "\n".join(["[[series]]", f'id = "{self.id}"', *self.keys, f"argv = {argv}", f"slots = {SLOTS}", ""])


def prepare(folder: Path) -> Choice:
    """Write the demo's round.toml into a folder, and say what it measures.

    A plan that is there stays, so that a demo goes on where it stopped; without its folder the choice is made anew.

    Args:
        folder: of the round; made where it is missing.

    Raises:
        InputError: a round.toml is there that cannot be read, or the model or the plan cannot be written.
    """
    if (folder / ROUND_FILE).exists():
        return _kind_in(folder)
    choice: Choice = "llamacpp" if is_installed() else "reference"
    text = llamacpp_plan() if choice == "llamacpp" else reference_plan()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / ROUND_FILE, text.encode())
    except OSError as error:
        problem = f"cannot be written ({error.strerror})"
        raise InputError(shown(folder / ROUND_FILE), "", problem, "choose another folder") from error
    return choice


def _kind_in(folder: Path) -> Choice:
    kinds = {series.kind for series in read_round_file(folder).series}
    return "reference" if "reference" in kinds else "llamacpp"


def llamacpp_plan() -> str:
    """Return the plan on llama.cpp, its models written: the same random weights in each precision.

    Raises:
        InputError: a model cannot be written.
    """
    head = _head(
        Text(zh="演示：llama.cpp 与随机权重的小模型", en="Demo: llama.cpp with a tiny model of random weights"),
        baseline=_id(PRECISIONS[0]),
        model=(
            'name = "tiny-llama (random weights)"',
            f"layers = {SHAPE.layers}",
            f"kv_heads = {SHAPE.kv_heads}",
            f"head_dim = {SHAPE.head}",
            "kv_dtype_bytes = 2",
            f"matmul_params = {SHAPE.matmul_params}",
        ),
    )
    return _plan(head, [_llamacpp(precision, tiny_model(precision)) for precision in PRECISIONS])


def _id(precision: Precision) -> str:
    return f"llamacpp-{precision.lower()}"


def _llamacpp(precision: Precision, model: Path) -> _Series:
    server = (THIS_PYTHON, "-m", "generator.collect.demo.llama_server")
    command = (*server, "--model", _from_home(model), "--port", "{port}")
    sizes = ("--parallel", str(SLOTS), "--ctx-size", str(CONTEXT), "--threads", "1", "--no-cache-prompt")
    keys = (
        'engine = "llama.cpp"',
        f'precision = "{precision}"',
        'kind = "llamacpp"',
        f'served_model = "{model.name}"',
        f"weight_dtype_bytes = {DTYPE_BYTES[precision]}",
        f"weight_params = {SHAPE.matmul_params}",
        'weights_basis = "matmul_params"',
        f"kv_pool_tokens = {CONTEXT}",
    )
    return _Series(_id(precision), (*command, *sizes), keys)


def _from_home(path: Path) -> str:
    """Return a path without whose home it lies in: round.toml is published."""
    return f"~/{path.relative_to(Path.home())}" if path.is_relative_to(Path.home()) else str(path)


def reference_plan() -> str:
    """Return the plan on the reference server, which takes two made-up times for a step."""
    head = _head(
        Text(zh="演示（模拟）：参考服务端，没有推理", en="Demo (simulated): the reference server, nothing is inferred"),
        baseline="simulated-4ms",
        model=('name = "none (simulated)"',),
    )
    return _plan(head, [_reference(step_ms) for step_ms in (4, 2)])


def _reference(step_ms: int) -> _Series:
    command = (THIS_PYTHON, "-m", "generator.collect.reference", "--port", "{port}", "--style", "llamacpp")
    keys = (f'engine = "reference server, simulated, {step_ms} ms a step"', 'kind = "reference"')
    sizes = ("--slots", str(SLOTS), "--step-ms", str(step_ms))
    return _Series(f"simulated-{step_ms}ms", (*command, *sizes), keys)


def _head(title: Text, *, baseline: str, model: Iterable[str]) -> str:
    """Return the tables that stand before the series."""
    return "\n".join([
        "# The plan of `make demo`. Delete this folder, and the next demo begins anew.",
        "schema = 1",
        "",
        "[round]",
        f"title.zh = {json.dumps(title.zh, ensure_ascii=False)}",
        f"title.en = {json.dumps(title.en)}",
        f"date = {datetime.now(UTC).date()}",
        f'baseline = "{baseline}"',
        "",
        "[model]",
        *model,
        "",
        "[workload]",
        "input_tokens = 64",
        "output_tokens = 64",
        "ignore_eos = true",
        'dataset = "random words"',
        "",
    ])  # fmt: skip


def _plan(head: str, series: Iterable[_Series]) -> str:
    levels = [_level(concurrency, requests) for concurrency, requests in ((1, 20), (2, 40), (SLOTS, 80))]
    return "\n".join([head, *(one.toml() for one in series), *levels])


def _level(concurrency: int, requests: int) -> str:
    return f'[[level]]\nid = "c{concurrency}"\nconcurrency = {concurrency}\nrequests = {requests}\ntrials = 2\n'
