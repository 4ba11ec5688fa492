"""Whole rounds of the reference server in virtual time, written as ``rounds collect`` writes them, by its own writers.

A round of some hundreds of requests takes a fraction of a second, and what its reports should find is known: it stands
in the machine that was simulated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import numpy as np

from generator.collect.engine_process.cold_start import ColdStart, write_cold_start
from generator.collect.engine_process.lifecycle import LOG
from generator.collect.engine_process.log_format import utc_us
from generator.collect.engine_process.page_cache import PageCache
from generator.collect.host.fingerprint import Subject, fingerprint
from generator.collect.host.nvml import NvmlGpus
from generator.collect.host.samples import LINES_FILE
from generator.collect.host.secrets import this_identity
from generator.collect.load import LevelRun
from generator.collect.log_part import part_of_log
from generator.collect.measures import Watched, measures_of
from generator.collect.outcome import Asked, Outcome, Phase
from generator.collect.prompts import draw_lengths
from generator.collect.reference.model import FAST, NANO, Machine
from generator.collect.reference.scheduler import Engine
from generator.collect.reference.settings import Settings, Stage, Style
from generator.collect.round_plan import PlannedRun, planned_runs
from generator.collect.schedule import arrivals_of
from generator.collect.server_counts import times_of
from generator.collect.session import OPEN, close_session
from generator.collect.trial import Ran, write_trial
from generator.collect.usage import Usage
from generator.declared.round_tables import RoundFile
from generator.frame import Analysis
from generator.store.round_file import ROUND_FILE, read_round_file
from generator.telemetry.dumps import AFTER, BEFORE
from generator.telemetry.page import growth, scrape
from generator.values import Value
from tests.support.collected_rounds import put_json
from tests.support.telling import catalogue
from tests.support.virtual_server import BEGIN, WALL, Exchange, VirtualServer, Way

SERIES: Final = "simulated"
FIRST: Final = (7, 16)
"""Tokens in and out of the first answer of a start."""
APART_S: Final = 1.0
"""Seconds between two runs."""


@dataclass(frozen=True, slots=True)
class Load:
    """What one level asks; of concurrency and rate there is one."""

    concurrency: int | None = None
    rate: float | None = None
    requests: int = 40
    input_tokens: int = 128
    output_tokens: int = 32
    trials: int = 1

    @property
    def id(self) -> str:
        """The name of the level."""
        load = f"c{self.concurrency}" if self.concurrency is not None else f"r{self.rate:g}"
        return f"{load}-i{self.input_tokens}-o{self.output_tokens}"

    def table(self) -> str:
        """Return it as an entry of round.toml."""
        load = "concurrency" if self.concurrency is not None else "rate"
        keys = {"id": f'"{self.id}"', load: self.concurrency or self.rate}
        names = ("requests", "input_tokens", "output_tokens", "trials")
        keys |= {name: getattr(self, name) for name in names}
        return "\n".join(["[[level]]", *(f"{key} = {value}" for key, value in keys.items()), ""])


@dataclass(frozen=True, slots=True)
class Simulated:
    """What is simulated.

    Attributes:
        loads: the levels.
        machine: what a step costs, and how much fits.
        heads: layers, heads with keys and values, and their size: what round.toml says of the model.
        style: whose log and metrics.
        noise: standard deviation of the logarithm of each step's time.
        seed: of the noise, and of the lengths.
        way: how long requests and tokens are under way.
        stages: seconds of each stage of the start.
        sample_every_s: between two samples of the gauges.
        stats_s: between two lines of statistics in vLLM's log.
        workload: further keys of ``[workload]``.
        pages: whether pages of /metrics lie beside each run as well.
    """

    loads: Sequence[Load]
    machine: Machine = FAST
    heads: tuple[int, int, int] = (16, 2, 64)
    style: Style = "vllm"
    noise: float = 0.0
    seed: int = 0
    way: Way = field(default_factory=Way)
    stages: Mapping[Stage, float] = field(default_factory=dict)
    sample_every_s: float = 0.25
    stats_s: float = 10.0
    workload: str = ""
    pages: bool = False

    @property
    def settings(self) -> Settings:
        """The settings of the server."""
        return Settings(
            style=self.style, machine=self.machine, noise=self.noise, seed=self.seed, stages=self.stages,
            stats_seconds=self.stats_s,
        )  # fmt: skip

    def toml(self) -> str:
        """Return its round.toml."""
        machine, (layers, kv_heads, head_dim) = self.machine, self.heads
        return f"""\
schema = 1

[round]
title.zh = "模拟"
title.en = "Simulated"

[model]
name = "{machine.name}"
layers = {layers}
kv_heads = {kv_heads}
head_dim = {head_dim}
kv_dtype_bytes = 2
{_where_any("matmul_params", machine.parameters)}
[hardware]
gpu = "simulated"
memory_bandwidth_gb_s = {machine.bandwidth / 1e9}
memory_gib = 24
peak_tflops = {machine.compute / 1e12}

[workload]
ignore_eos = true
seed = {self.seed}
sample_every_s = {self.sample_every_s}
{self.workload}

[[series]]
id = "{SERIES}"
engine = "reference"
kind = "reference"
argv = ["{{python}}", "-m", "generator.collect.reference", "--port", "{{port}}", "--style", "{self.style}"]
{_where_any("weight_bytes", machine.weight_bytes)}embedding_bytes = 0
slots = {machine.slots}

{"".join(load.table() for load in self.loads)}"""


def _where_any(key: str, number: float) -> str:
    """Return a line of round.toml; none of a number that is 0."""
    return f"{key} = {number:.0f}\n" if number else ""


@dataclass(frozen=True, slots=True)
class Collected:
    """A round that was simulated.

    Attributes:
        analysis: what the program makes of it.
        truth: the measured requests of each level as the engine knows them, of its last trial.
        engine: the engine at the end.
    """

    analysis: Analysis
    truth: Mapping[str, Sequence[Exchange]]
    engine: Engine

    def of_series(self, metric: str, basis: str | None = None) -> float:
        """Return a number of the series.

        Raises:
            AssertionError: it is not known; the reason is told.
        """
        return _known(self.analysis.frame.of_series(metric, SERIES, basis))

    def of_level(self, metric: str, load: Load, basis: str | None = None) -> float:
        """Return a number of a level.

        Raises:
            AssertionError: it is not known; the reason is told.
        """
        return _known(self.analysis.frame.of_level(metric, SERIES, load.id, basis))


def _known(value: Value) -> float:
    assert value.value is not None, (value.address, value.reason)
    return value.value


def collected(simulated: Simulated, folder: Path) -> Collected:
    """Simulate a round into a new folder, and return what the program makes of it."""
    with patch("os.fsync"):  # what is written here need not outlive a power cut
        truth, engine = write_round(simulated, folder)
    return Collected(catalogue().analyse(catalogue().read(folder)), truth, engine)


def write_round(simulated: Simulated, folder: Path) -> tuple[Mapping[str, Sequence[Exchange]], Engine]:
    """Simulate a round into a new folder, and return the measured requests of each level, and the engine."""
    folder.mkdir(parents=True)
    (folder / ROUND_FILE).write_text(simulated.toml(), encoding="utf-8")
    file = read_round_file(folder)
    [series] = file.series
    home = folder / SERIES
    work = home / OPEN
    work.mkdir(parents=True)
    put_json(work / "fingerprint.json", _fingerprint(series.argv or ()))
    server = VirtualServer(
        simulated.settings, simulated.way, work / LOG, work / LINES_FILE, file.workload.sample_every_s
    )
    _start(server, work)
    truth = {}
    for run in planned_runs(file, series, ROUND_FILE):
        server.wait(APART_S)
        truth[run.level] = _run(simulated, server, run, file, home)
    server.wait(APART_S)
    server.stop()
    close_session(home)
    return truth, server.engine


def _start(server: VirtualServer, work: Path) -> None:
    """Start a server and ask for its first answer; what listens while it loads did so from the first stage on."""
    server.start()
    healthy = server.now
    [first] = server.closed_loop([FIRST], 1)
    listening = healthy
    if server.settings.style == "llamacpp":
        listening = BEGIN + round(server.settings.stages.get("import", 0.0) * NANO)
    moments = (listening, healthy, first.scheduled, first.chunks[0], first.chunks[-1])
    port, health, sent, token, ended = ((moment - BEGIN) / NANO for moment in moments)
    warm = PageCache("warm", 1.0, round(server.settings.machine.weight_bytes))
    record = ColdStart(BEGIN, utc_us(BEGIN + WALL), port, health, sent, token, ended, None, warm)
    write_cold_start(record, work)


def _run(
    simulated: Simulated, server: VirtualServer, run: PlannedRun, file: RoundFile, home: Path
) -> Sequence[Exchange]:
    """Load the server with one run, and write what ``rounds collect`` would; return the measured requests."""
    before, began = server.page(), server.wall
    ahead, measured, ready = _exchanges(server, run, file)
    after = server.page()
    steady = [_outcome(Asked(run.cold + run.warm + one.number, "steady", one.scheduled), one) for one in measured]
    first, last = min(one.sent for one in steady), max(one.ended for one in steady)
    watched = Watched(wall_s=(last - first) / NANO, cpu_s=0.05 * (last - first) / NANO, lags=(50_000,))
    level = LevelRun((*ahead, *steady), measures_of(steady, [watched]), cancelled=False)
    log = part_of_log(home / OPEN / LOG, 0, first, last)
    grown = growth(scrape(before), scrape(after)) | times_of(growth(scrape(ready), scrape(after)))
    trial = write_trial(home, Ran(run, level, began, grown, log), file.workload, server.settings.machine.name)
    if simulated.pages:
        (trial / BEFORE).write_text(before, encoding="utf-8")
        (trial / AFTER).write_text(after, encoding="utf-8")
    return measured


def _exchanges(server: VirtualServer, run: PlannedRun, file: RoundFile) -> tuple[list[Outcome], list[Exchange], str]:
    """Return what became of the warm-up, the measured requests, and the page of /metrics from between the two."""
    rng = np.random.default_rng(run.seed)
    asked = (run.input_tokens, run.output_tokens)
    inputs, outputs = (draw_lengths(length, run.in_all, file.workload, rng) for length in asked)
    lengths = list(zip(inputs, outputs, strict=True))
    warm_from, steady_from = run.cold, run.cold + run.warm
    ahead = _of_phase("cold", 0, server.closed_loop(lengths[:warm_from], 1))
    ahead += _of_phase("warm", warm_from, server.closed_loop(lengths[warm_from:steady_from], run.concurrency or 1))
    ready, arrivals = server.page(), arrivals_of(run, file.workload)
    if arrivals is None:
        return ahead, server.closed_loop(lengths[steady_from:], run.concurrency or 1), ready
    return ahead, server.open_loop(lengths[steady_from:], arrivals), ready


def _of_phase(phase: Phase, first: int, exchanges: Sequence[Exchange]) -> list[Outcome]:
    return [_outcome(Asked(first + one.number, phase, one.scheduled), one) for one in exchanges]


def _outcome(asked: Asked, exchange: Exchange) -> Outcome:
    """Return an exchange as the client tells of it: each token in a chunk and a read of its own, stamped at once."""
    chunks = np.array(exchange.chunks, dtype=np.int64)
    served = exchange.served
    return Outcome(
        asked=asked, sent=exchange.scheduled, first_byte=int(chunks[0]), chunks=chunks, ended=int(chunks[-1]),
        finish="length", usage=Usage(served.prompt, served.made, 0), reason=None, detail="", status=200, retries=0,
        reused=True, stamp="kernel", late_ns=np.zeros(len(chunks), dtype=np.int64), reads=len(chunks),
        size=100 * len(chunks), kinds={"text": len(chunks), "usage": 1, "done": 1},
    )  # fmt: skip


@cache
def _fingerprint(argv: tuple[str, ...]) -> Mapping[str, Any]:
    with closing(NvmlGpus()) as gpus:
        return fingerprint(Subject(argv=argv, environment={}), gpus, this_identity())


def noisy(simulated: Simulated, seed: int) -> Simulated:
    """Return the same with 2 % of noise on the time of each step."""
    return replace(simulated, noise=0.02, seed=seed)
