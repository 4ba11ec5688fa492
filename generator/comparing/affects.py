"""What each setting is called and what it can change, by its path: the facts of machines, flags, and what was asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from generator.comparing.counting import AFFECTS as OF_FLOORS
from generator.comparing.records import COUNTING, Setting
from generator.machines.fact_kinds import CAPACITY, DECODE, KERNELS, OUTPUT, WORK, as_shown, kind_of
from generator.machines.flags import ENVIRONMENT, FLAG, SETTINGS
from generator.text import Text, same

CACHED: Final = Text(zh="哪些请求省去 prefill：TTFT 与吞吐", en="which requests skip prefill: TTFT and throughput")
PARALLEL: Final = Text(zh="同时处理多少请求：吞吐与排队", en="request concurrency: throughput and queueing")
BATCHES: Final = Text(zh="一步里放多少 prefill，因而是停顿与 TTFT", en="how much prefill a step takes: stalls and TTFT")
ANYTHING: Final = Text(zh="不在已知的参数之列：可能影响一切", en="not among the known flags: may affect anything")
WHATEVER: Final = Text(zh="取决于具体参数", en="depends on the flags")
PROMPT_CACHE: Final = Text(zh="prompt cache", en="prompt cache")
CONTEXT: Final = Text(zh="上下文长度", en="context size")
BATCH_SIZE: Final = Text(zh="批大小", en="batch size")

ALL_FLAGS: Final = "flags"
"""The path of all flags together, where at least one side does not record them."""

STARTED: Final = "series.model"
"""The path of the model that the command of an engine names."""
MODELS: Final = frozenset({STARTED, "model.name"})
"""Settings that say which model it is."""

Meaning = tuple[Text, Text]
"""What a reader calls a flag, and what it can change."""

BY_SETTING: Final[Mapping[str, Text]] = {
    "prefix_caching": CACHED, "cuda_graphs": KERNELS, "kv_dtype": DECODE, "tensor_parallel": KERNELS,
    "memory_share": CAPACITY, "slots": PARALLEL, "context": CAPACITY,
}  # fmt: skip
"""What the settings that mean the same in several engines can change."""

FURTHER: Final[Mapping[str, Meaning]] = {
    **dict.fromkeys(("--cache-ram", "--cache-prompt", "--no-cache-prompt", "--cache-reuse"), (PROMPT_CACHE, CACHED)),
    "--slot-prompt-similarity": (Text(zh="复用槽位的相似度门槛", en="slot reuse threshold"), CACHED),
    "--ctx-size": (CONTEXT, CAPACITY),
    "--kv-unified": (CONTEXT, CAPACITY),
    "--cache-type-v": (Text(zh="KV 精度", en="KV precision"), DECODE),
    **dict.fromkeys(
        (
            "--batch-size",
            "--ubatch-size",
            "--max-num-batched-tokens",
            "--chunked-prefill-size",
            "--enable-chunked-prefill",
        ),
        (BATCH_SIZE, BATCHES),
    ),
    "--flash-attn": (Text(zh="attention 的 kernel", en="attention kernel"), KERNELS),
    "--quantization": (Text(zh="量化", en="quantisation"), OUTPUT),
    "--dtype": (Text(zh="精度", en="precision"), OUTPUT),
}
"""Flags of one engine, by their long names."""


def _spelt() -> Iterator[tuple[str, Meaning]]:
    for setting in SETTINGS:
        for spellings in setting.spellings.values():
            yield from ((one.flag, (setting.title, BY_SETTING[setting.key])) for one in spellings)


FLAGS: Final[Mapping[str, Meaning]] = {**dict(_spelt()), **FURTHER}
"""Long name of a flag, or path of an environment variable -> what it is, and what it can change."""


def meaning_of(path: str) -> Text | None:
    """Return what a reader calls a flag; None of other settings, and of flags that are not known."""
    found = FLAGS.get(path.removeprefix(FLAG))
    return None if found is None else found[0]


def affects_of(path: str) -> Text:
    """Return what a setting can change."""
    if path == ALL_FLAGS:
        return WHATEVER
    if path in MODELS:
        return OUTPUT
    if path.startswith(COUNTING):
        return OF_FLOORS
    if path.startswith((FLAG, ENVIRONMENT)):
        found = FLAGS.get(path.removeprefix(FLAG))
        return ANYTHING if found is None else found[1]
    kind = kind_of(path)
    return WORK if kind is None else kind.affects


def shown_sides(setting: Setting) -> tuple[Text, Text]:
    """Return what a setting is on both sides as a reader is shown it."""
    base, head = (_shown(setting.path, text or "") for text in (setting.base, setting.head))
    return setting.base_said or base, setting.head_said or head


def _shown(path: str, text: str) -> Text:
    kind = kind_of(path)
    return same(text) if kind is None else as_shown(kind, text)
