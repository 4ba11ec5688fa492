"""Flags of servers, read off a command, and what they mean: a few settings are the same thing in every engine."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from generator.machines.records import Family, Machine
from generator.text import Text, same

FLAG: Final = "flag."
ENVIRONMENT: Final = "env."
ON: Final = "true"
OFF: Final = "false"

SHORT: Final[Mapping[Family, Mapping[str, str]]] = {
    "llamacpp": {
        "-c": "--ctx-size", "-np": "--parallel", "-ctk": "--cache-type-k", "-ctv": "--cache-type-v",
        "-cram": "--cache-ram", "-sps": "--slot-prompt-similarity", "-kvu": "--kv-unified", "-fa": "--flash-attn",
        "-b": "--batch-size", "-ub": "--ubatch-size", "-t": "--threads", "-tb": "--threads-batch",
        "-ngl": "--gpu-layers", "--n-gpu-layers": "--gpu-layers", "-cb": "--cont-batching",
        "-nocb": "--no-cont-batching", "-sm": "--split-mode", "-ts": "--tensor-split", "-m": "--model",
    },
    "vllm": {
        "-tp": "--tensor-parallel-size", "-pp": "--pipeline-parallel-size", "-dp": "--data-parallel-size",
        "-q": "--quantization", "-O": "--compilation-config",
    },
    "sglang": {
        "--tp": "--tensor-parallel-size", "--tp-size": "--tensor-parallel-size", "--dp": "--data-parallel-size",
        "--dp-size": "--data-parallel-size", "--model": "--model-path",
    },
}  # fmt: skip
"""Short and second names of flags."""

NOT_COMPARED: Final = frozenset(
    {
        "--port", "--host", "--model", "--model-path", "--served-model-name", "--alias", "--api-key",
        "--tokenizer", "--tokenizer-path", "--download-dir", "--metrics", "--enable-metrics", "--log-file", "-m",
    }
)  # fmt: skip
"""Where a server listens, what the model is called, what is logged: nothing that makes it faster or slower."""

_VALUE: Final = re.compile(r"(?!-)|-\.?\d")


@dataclass(frozen=True, slots=True)
class Spelling:
    """How an engine spells a setting.

    Attributes:
        flag: the flag; its value is the setting's.
        says: the setting where the flag stands, whatever its value; None takes the value.
        when: the value that the flag must have to speak of the setting.
    """

    flag: str
    says: str | None = None
    when: str | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting with one meaning in several engines.

    Attributes:
        key: its name.
        title: what a reader calls it.
        spellings: how each engine spells it; the first that stands there counts.
        defaults: what it is where no flag speaks of it, for engines of which that is known.
        helps: the setting that flatters a series which has it alone; None where neither does.
        is_heavy: whether a difference makes two series no longer comparable.
        fact: what an engine says of itself and means the same.
    """

    key: str
    title: Text
    spellings: Mapping[Family, tuple[Spelling, ...]]
    defaults: Mapping[Family, str]
    helps: str | None = None
    is_heavy: bool = True
    fact: str | None = None


SETTINGS: Final = (
    Setting(
        "prefix_caching",
        same("prompt cache"),
        {
            "vllm": (Spelling("--no-enable-prefix-caching", OFF), Spelling("--enable-prefix-caching", ON)),
            "llamacpp": (
                Spelling("--no-cache-prompt", OFF),
                Spelling("--cache-ram", OFF, when="0"),
                Spelling("--cache-prompt", ON),
            ),
            "sglang": (Spelling("--disable-radix-cache", OFF),),
        },
        {"vllm": ON, "llamacpp": ON, "sglang": ON},
        helps=ON,
    ),
    Setting(
        "cuda_graphs",
        same("CUDA graphs"),
        {
            "vllm": (Spelling("--enforce-eager", OFF),),
            "llamacpp": (Spelling(f"{ENVIRONMENT}GGML_CUDA_DISABLE_GRAPHS", OFF),),
            "sglang": (Spelling("--disable-cuda-graph", OFF),),
        },
        {"vllm": ON, "llamacpp": ON, "sglang": ON},
        helps=ON,
    ),
    Setting(
        "kv_dtype",
        Text(zh="KV 精度", en="KV precision"),
        {
            "vllm": (Spelling("--kv-cache-dtype"),),
            "llamacpp": (Spelling("--cache-type-k"),),
            "sglang": (Spelling("--kv-cache-dtype"),),
        },
        {"vllm": "auto", "llamacpp": "f16", "sglang": "auto"},
    ),
    Setting(
        "tensor_parallel",
        Text(zh="tensor parallel", en="tensor parallel"),
        {"vllm": (Spelling("--tensor-parallel-size"),), "sglang": (Spelling("--tensor-parallel-size"),)},
        {"vllm": "1", "sglang": "1"},
    ),
    Setting(
        "memory_share",
        Text(zh="显存份额", en="share of GPU memory"),
        {"vllm": (Spelling("--gpu-memory-utilization"),), "sglang": (Spelling("--mem-fraction-static"),)},
        {},
        is_heavy=False,
    ),
    Setting(
        "slots",
        Text(zh="并行槽位", en="parallel slots"),
        {
            "vllm": (Spelling("--max-num-seqs"),),
            "llamacpp": (Spelling("--parallel"),),
            "sglang": (Spelling("--max-running-requests"),),
        },
        {},
        is_heavy=False,
        fact="engine.slots",
    ),
    Setting(
        "context",
        Text(zh="每请求上下文", en="context of a request"),
        {"vllm": (Spelling("--max-model-len"),), "sglang": (Spelling("--context-length"),)},
        {},
        is_heavy=False,
        fact="engine.slot_context",
    ),
)
"""Settings that mean the same in several engines. llama.cpp divides its context: see ``context_of``."""

SIXTEEN_BITS: Final = frozenset({"auto", "f16", "fp16", "bf16", "float16", "bfloat16", "half"})
"""Precisions of the KV that read the same bytes; ``auto`` is that of the model, which is one of them."""


def flags_of(argv: Sequence[str], family: Family | None) -> dict[str, str]:
    """Return the flags of a command by their long names; one without a value is ``true``. Other words are left out."""
    found: dict[str, str] = {}
    for word, following in zip(argv, [*argv, "-"][1:], strict=True):
        if not word.startswith("-") or _VALUE.match(word):
            continue
        name, equals, value = word.partition("=")
        taken = value if equals else following if following and _VALUE.match(following) else ON
        found[_long(name, family)] = taken
    return found


def _long(name: str, family: Family | None) -> str:
    plain = name.replace("_", "-") if name.startswith("--") else name
    return SHORT[family].get(plain, plain) if family is not None else plain


def family_of(kind: str | None, engine: str | None) -> Family | None:
    """Return whose flags a series has, by its kind or by the name of its engine."""
    name = f"{kind or ''} {engine or ''}".lower()
    families: tuple[tuple[str, Family], ...] = (("llama", "llamacpp"), ("vllm", "vllm"), ("sglang", "sglang"))
    return next((family for word, family in families if word in name), None)


@dataclass(frozen=True, slots=True)
class Set:
    """What a setting is for a series; ``is_default`` where no flag says so."""

    text: str
    is_default: bool = False


def setting_of(machine: Machine, setting: Setting) -> Set | None:
    """Return what a setting is for a series; None where it cannot be known, as where its flags are not."""
    if machine.family is None or not machine.has_flags:
        return None
    if setting.key == "context" and machine.family == "llamacpp":
        context = context_of(machine)
        return Set(f"{context:g}") if context is not None else None
    for spelling in setting.spellings.get(machine.family, ()):
        found = machine.text(spelling.flag if spelling.flag.startswith(ENVIRONMENT) else FLAG + spelling.flag)
        if found is not None and spelling.when in (None, found):
            return Set(spelling.says or found)
    default = setting.defaults.get(machine.family)
    return Set(default, is_default=True) if default is not None else None


def context_of(machine: Machine) -> float | None:
    """Return the tokens that one request may take up by the flags; None where they do not say.

    llama.cpp cuts its context into as many parts as there are slots, unless one pool serves all.
    """
    if machine.family != "llamacpp":
        flag = {"vllm": "--max-model-len", "sglang": "--context-length"}.get(machine.family or "")
        return number_of(machine.text(f"{FLAG}{flag}"))
    whole, parts = (number_of(machine.text(FLAG + flag)) for flag in ("--ctx-size", "--parallel"))
    if not whole or not parts or machine.text(f"{FLAG}--kv-unified") == ON:
        return None
    return whole / parts


def number_of(text: str | None) -> float | None:
    """Return a whole number that a text is, with the k that some write for thousands; None where it is none."""
    found = re.fullmatch(r"(\d{1,12})([kK]?)", text or "")
    return float(found[1]) * (1000.0 if found[2] else 1.0) if found else None


def alike(setting: Setting, one: str, other: str) -> bool:
    """Say whether two texts of a setting are the same thing."""
    if setting.key == "kv_dtype" and {one, other} <= SIXTEEN_BITS:
        return True
    return one.lower() == other.lower()


def compared_flags(machine: Machine) -> dict[str, str]:
    """Return flags and environment of a series by path, without those that say nothing of speed."""
    return {
        path: fact.text
        for path, fact in machine.facts.items()
        if path.startswith(ENVIRONMENT) or (path.startswith(FLAG) and path.removeprefix(FLAG) not in NOT_COMPARED)
    }
