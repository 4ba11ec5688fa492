"""What speaks against starting a level: pure functions of facts, each with its remedy.

``refuse`` is for what would end in failures or in numbers of something else; ``warn`` is for what somebody may want to
measure, and should know of. A fact that is not known raises no objection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from generator.collect.host.readings import Reading

Level = Literal["refuse", "warn"]

BUSY_SHARE: Final = 0.10
"""Share of time in which a GPU may work before anything of ours runs."""

TAKEN_SHARE: Final = 0.05
"""Share of a GPU's memory that a driver and a desktop may hold."""

WARM_C: Final = 65.0
HOT_C: Final = 80.0
"""°C before the load: data-centre GPUs slow down from about 83 on, and rise by tens within a minute."""

COARSE_S: Final = 1e-5
"""Seconds that the clock of the run must tell apart: a hundredth of a short decode step."""

GB: Final = 10**9

NOT_COMPARED: Final = frozenset(
    {
        "host", "port", "model", "m", "served-model-name", "alias", "a", "api-key", "log-file", "log-disable", "uds",
        "disable-log-requests", "ssl-keyfile", "ssl-certfile", "chat-template", "hf-token", "download-dir",
    }
)  # fmt: skip
"""Flags that may differ between series without a word: they name, and do not change how it runs."""


@dataclass(frozen=True, slots=True)
class GpuState:
    """A GPU before the start. None is what is not known."""

    name: str
    utilisation: float | None = None
    memory_used: float | None = None
    memory_total: float | None = None
    processes: int | None = None
    temperature: float | None = None


def gpu_states(readings: Sequence[Reading]) -> tuple[GpuState, ...]:
    """Return the states of GPUs as they were read once; slices of MIG stand for themselves."""
    values: dict[str, dict[str, float]] = {}
    for one in readings:
        if one.source.startswith("gpu"):
            values.setdefault(one.source, {})
            if one.value is not None:
                values[one.source][one.field] = one.value
    return tuple(_state(name, known) for name, known in values.items())


def _state(name: str, known: Mapping[str, float]) -> GpuState:
    processes = known.get("processes")
    return GpuState(
        name,
        known.get("utilisation_gpu"),
        known.get("memory_used"),
        known.get("memory_total"),
        None if processes is None else int(processes),
        known.get("temperature"),
    )


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known before a level starts. None, and empty, is what is not known.

    Attributes:
        gpus: the GPUs that the series may use.
        attached: whether the server was running before: then it holds the GPU, and the port.
        concurrency: requests that are in flight at the most.
        slots: requests that the server works on at once.
        slot_context: tokens that one request may have, prompt and answer.
        input_tokens: of the longest prompt.
        output_tokens: of the longest answer.
        kv_tokens: tokens that the KV pool holds.
        prefix_cache: whether the server keeps prompts for later requests.
        port: where the server is to listen, and whether somebody does already.
        port_taken: the same.
        disk_free: bytes.
        disk_needed: bytes.
        clock_monotonic: whether the clock of the run never went back.
        clock_steps_s: by how much the wall clock was set while it was looked at, in seconds.
        clock_finest_s: the least time that the clock of the run tells apart, in seconds.
        clock_synchronised: whether somebody keeps the wall clock right.
        seed: of this level and trial.
        earlier_seeds: those of rounds, levels and trials before, each with the name of where it was used.
        flags: of this series, by name without dashes: ``flags_of`` the command line once its secrets are struck out.
        baseline_flags: those of the baseline, where it is of the same engine.
    """

    gpus: tuple[GpuState, ...] = ()
    attached: bool = False
    concurrency: int | None = None
    slots: int | None = None
    slot_context: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    kv_tokens: int | None = None
    prefix_cache: bool | None = None
    port: int | None = None
    port_taken: bool | None = None
    disk_free: int | None = None
    disk_needed: int | None = None
    clock_monotonic: bool | None = None
    clock_steps_s: tuple[float, ...] = ()
    clock_finest_s: float | None = None
    clock_synchronised: bool | None = None
    seed: int | None = None
    earlier_seeds: Mapping[int, str] | None = None
    flags: Mapping[str, str] | None = None
    baseline_flags: Mapping[str, str] | None = None

    @property
    def request_tokens(self) -> int | None:
        """Tokens of the longest request, prompt and answer."""
        if self.input_tokens is None or self.output_tokens is None:
            return None
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class Objection:
    """One thing that speaks against the start.

    Attributes:
        key: which one it is.
        level: whether the start is refused for it.
        sentence: what was found, in one line.
        remedy: what to do.
    """

    key: str
    level: Level
    sentence: str
    remedy: str


Rule = Callable[[Facts], Iterator[Objection]]


def objections(facts: Facts) -> list[Objection]:
    """Return all that speaks against the start, what refuses it first."""
    found = [objection for rule in RULES for objection in rule(facts)]
    return sorted(found, key=lambda objection: objection.level != "refuse")


def gpu_busy(facts: Facts) -> Iterator[Objection]:
    """Somebody else works on a GPU, or holds its memory."""
    if facts.attached:
        return
    for gpu in facts.gpus:
        signs = list(_signs_of_others(gpu))
        if signs:
            remedy = "end the other processes (nvidia-smi lists them), or choose another GPU by CUDA_VISIBLE_DEVICES"
            yield Objection("gpu_busy", "refuse", f"{gpu.name} is in use: {', '.join(signs)}", remedy)


def _signs_of_others(gpu: GpuState) -> Iterator[str]:
    if gpu.processes:
        yield f"{gpu.processes} process{'es' if gpu.processes > 1 else ''}"
    if gpu.utilisation is not None and gpu.utilisation > BUSY_SHARE:
        yield f"busy {gpu.utilisation:.0%} of the time"
    if gpu.memory_used is not None and gpu.memory_total and gpu.memory_used > TAKEN_SHARE * gpu.memory_total:
        yield f"{gpu.memory_used / GB:.1f} of {gpu.memory_total / GB:.1f} GB held"


def gpu_hot(facts: Facts) -> Iterator[Objection]:
    """A GPU begins warm: it will slow down sooner than the one before."""
    for gpu in facts.gpus:
        if gpu.temperature is not None and gpu.temperature > WARM_C:
            level: Level = "refuse" if gpu.temperature >= HOT_C else "warn"
            bound = HOT_C if level == "refuse" else WARM_C
            sentence = f"{gpu.name} is at {gpu.temperature:.0f} °C before the load; the bound is {bound:.0f} °C"
            yield Objection("gpu_hot", level, sentence, "let it cool, and see to its fans and its power limit")


def above_slots(facts: Facts) -> Iterator[Objection]:
    """More requests than the server works on at once: the rest waits in its queue."""
    if facts.concurrency is not None and facts.slots is not None and facts.concurrency > facts.slots:
        waiting = facts.concurrency - facts.slots
        sentence = f"concurrency {facts.concurrency} is above the server's {facts.slots} slots: {waiting} will queue"
        remedy = "raise --parallel (llama.cpp) or --max-num-seqs (vLLM), or keep it to measure the queue"
        yield Objection("above_slots", "warn", sentence, remedy)


def short_context(facts: Facts) -> Iterator[Objection]:
    """One request does not fit: it is refused or cut."""
    need = facts.request_tokens
    if facts.slot_context is not None and need is not None and facts.slot_context < need:
        sentence = (
            f"a request of {facts.input_tokens} + {facts.output_tokens} = {need} tokens does not fit a context of "
            f"{facts.slot_context}"
        )
        remedy = "raise --ctx-size (llama.cpp: for all slots together) or --max-model-len (vLLM), or shorten requests"
        yield Objection("short_context", "refuse", sentence, remedy)


def small_pool(facts: Facts) -> Iterator[Objection]:
    """All requests together do not fit the KV pool: some will be preempted, or wait."""
    need = facts.request_tokens
    if facts.kv_tokens is None or need is None or facts.concurrency is None:
        return
    total = facts.concurrency * need
    if facts.kv_tokens < total:
        sentence = (
            f"{facts.concurrency} requests of {need} tokens need {total} tokens of KV cache; the pool holds "
            f"{facts.kv_tokens}"
        )
        remedy = "raise --gpu-memory-utilization or --ctx-size, or lower the concurrency; else expect preemptions"
        yield Objection("small_pool", "warn", sentence, remedy)


def prefix_cache(facts: Facts) -> Iterator[Objection]:
    """The server keeps prompts: what is repeated costs no prefill."""
    if facts.prefix_cache:
        remedy = (
            "start with --no-enable-prefix-caching (vLLM), --disable-radix-cache (SGLang) or --no-cache-prompt "
            "--cache-ram 0 (llama.cpp), or keep it and say so"
        )
        yield Objection("prefix_cache", "warn", "the server's prompt cache is on", remedy)


def port_taken(facts: Facts) -> Iterator[Objection]:
    """Somebody listens where the server is to."""
    if facts.port_taken and not facts.attached:
        sentence = f"port {facts.port} is in use by another process"
        yield Objection("port_taken", "refuse", sentence, "end that process, or give the series another port")


def disk_full(facts: Facts) -> Iterator[Objection]:
    """The round does not fit the disk."""
    if facts.disk_free is not None and facts.disk_needed is not None and facts.disk_free < facts.disk_needed:
        sentence = f"{facts.disk_free / GB:.2f} GB are free; the round needs about {facts.disk_needed / GB:.2f} GB"
        yield Objection("disk_full", "refuse", sentence, "make room, or keep the round on another disk")


def clock_unfit(facts: Facts) -> Iterator[Objection]:
    """The clock of the run goes back or is coarse, or the wall clock is being set or kept by nobody."""
    if facts.clock_monotonic is False:
        remedy = "choose another clock source (/sys/devices/system/clocksource), or another machine"
        yield Objection("clock_back", "refuse", "the monotonic clock went back", remedy)
    if facts.clock_steps_s:
        steps = ", ".join(f"{step:+.3f} s" for step in facts.clock_steps_s)
        remedy = "let NTP settle (chronyc tracking), or have it slew and not step"
        yield Objection("clock_stepped", "warn", f"the wall clock was set while it was looked at: {steps}", remedy)
    if facts.clock_finest_s is not None and facts.clock_finest_s > COARSE_S:
        sentence = f"the clock of the run tells no less than {facts.clock_finest_s * 1e6:.0f} µs apart"
        remedy = "choose a finer clock source (/sys/devices/system/clocksource), or another machine"
        yield Objection("clock_coarse", "warn", sentence, remedy)
    if facts.clock_synchronised is False:
        sentence = "nobody keeps the wall clock right: times cannot be laid beside those of other machines"
        yield Objection("clock_unsynchronised", "warn", sentence, "run chrony or NTP, if times are to be compared")


def seed_used(facts: Facts) -> Iterator[Objection]:
    """The same prompts were sent before: a cache may know them."""
    if facts.seed is not None and facts.earlier_seeds and facts.seed in facts.earlier_seeds:
        sentence = f"seed {facts.seed} was used before, by {facts.earlier_seeds[facts.seed]}: its prompts would repeat"
        yield Objection("seed_used", "refuse", sentence, "give the round another seed")


def flags_differ(facts: Facts) -> Iterator[Objection]:
    """The series is started otherwise than the baseline: what is compared is not one thing."""
    if facts.flags is None or facts.baseline_flags is None:
        return
    names = (facts.flags.keys() | facts.baseline_flags.keys()) - NOT_COMPARED
    differing = [name for name in sorted(names) if facts.flags.get(name) != facts.baseline_flags.get(name)]
    if differing:
        told = ", ".join(_difference(name, facts.flags, facts.baseline_flags) for name in differing)
        remedy = "start both alike but for what is compared, or say in round.toml that this is what is compared"
        yield Objection("flags_differ", "warn", f"flags differ from the baseline's: {told}", remedy)


def _difference(name: str, flags: Mapping[str, str], baseline: Mapping[str, str]) -> str:
    here, there = (_shown(of.get(name)) for of in (flags, baseline))
    return f"--{name} {here} (baseline {there})"


def _shown(value: str | None) -> str:
    return "not given" if value is None else " ".join(value.split()) or "given"


def flags_of(argv: Sequence[str]) -> dict[str, str]:
    """Return the flags of a command line by name, ``_`` and ``-`` alike; one without an argument is empty."""
    flags: dict[str, str] = {}
    name = ""
    for argument in argv:
        if argument.startswith("-") and not argument.lstrip("-")[:1].isdigit() and argument.strip("-"):
            word, _, value = argument.lstrip("-").partition("=")
            name = word.replace("_", "-")
            flags[name] = value
        elif name:
            flags[name] = f"{flags[name]} {argument}".strip()
    return flags


RULES: Final[tuple[Rule, ...]] = (
    gpu_busy,
    gpu_hot,
    above_slots,
    short_context,
    small_pool,
    prefix_cache,
    port_taken,
    disk_full,
    clock_unfit,
    seed_used,
    flags_differ,
)
