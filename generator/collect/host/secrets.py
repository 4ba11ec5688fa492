"""What may be kept of a command line and of an environment, and what must not.

Three sieves, one after another: names (of flags and variables), patterns (``store.redact``), and words that look as if
drawn at random, as keys do. Then whoever ran it is struck out: home folder, host and user. When in doubt it is struck.
"""

from __future__ import annotations

import getpass
import math
import platform
import re
import shlex
import socket
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from generator.collect.host.readings import hashed
from generator.store.redact import LOCAL, SECRET_NAME, STRUCK, redact

SECRET_FLAG: Final = re.compile(
    r"-{1,2}(?:hft|(?:[\w-]*[-_])?(?:api[-_]?keys?|keys?|tokens?|secrets?|passwords?|passwd|credentials?"
    r"|authorization|auth|cookies?|user(?:name)?))",
    re.IGNORECASE,
)
"""Flags whose arguments are secrets, all of them up to the next flag: some servers take several keys."""

NO_SECRET_FLAG: Final = re.compile(
    r"-{1,2}(?:[\w-]*[-_])?(?:num|max|min|special|batched|draft|n)[-_][\w-]*", re.IGNORECASE
)
"""Flags that count: ``--max-num-batched-tokens``."""

MODEL_FLAG: Final = re.compile(
    r"-m|-mu|-hf\w*|-a|--(?:[\w-]*[-_])?(?:model|model-path|model-name|tokenizer|alias|mmproj|repo|file|config)"
)
"""Flags that name a model: such names are at times as odd as keys, and they have to stay. Patterns still hold."""

HEADER_FLAG: Final = re.compile(r"-H|--(?:[\w-]*[-_])?headers?")
HARMLESS_HEADERS: Final = frozenset({"connection", "accept", "content-type", "user-agent"})
FLAG: Final = re.compile(r"-{1,2}[A-Za-z][\w.-]*")
LONGEST_SHORT_FLAG: Final = 6
COMMAND: Final = re.compile(r"\s-{1,2}[A-Za-z]")
"""What an argument holds that is a command line itself: ``bash -c "vllm serve …"``."""

ENVIRONMENT: Final = re.compile(
    r"(?:VLLM|GGML|LLAMA|SGLANG|SGL|OMP|KMP|GOMP|NCCL|TORCH|PYTORCH|TORCHINDUCTOR|TRITON|FLASHINFER|CUBLAS|MALLOC)_\w+"
    r"|CUDA_(?:VISIBLE_DEVICES|DEVICE_ORDER|MODULE_LOADING|LAUNCH_BLOCKING|DEVICE_MAX_CONNECTIONS|SCALE_LAUNCH_QUEUES)"
    r"|NVIDIA_(?:VISIBLE_DEVICES|DRIVER_CAPABILITIES|TF32_OVERRIDE)|HIP_VISIBLE_DEVICES|ROCR_VISIBLE_DEVICES"
    r"|(?:MKL|OPENBLAS|NUMEXPR)_NUM_THREADS|HF_HUB_OFFLINE|TRANSFORMERS_OFFLINE|TOKENIZERS_PARALLELISM"
    r"|PYTHONHASHSEED|LD_PRELOAD"
)
"""Variables that change how an engine runs. Nothing of any other is kept, not even that it is there."""

COMMON_NAMES: Final = frozenset(
    {
        "root", "user", "admin", "ubuntu", "debian", "centos", "fedora", "ec2-user", "nobody", "daemon", "app", "test",
        "dev", "bench", "vllm", "llama", "sglang", "ollama", "server", "localhost", "host", "docker", "node", "gpu",
        "linux", "jovyan", "runner", "worker", "main", "model", "models", "data", "home",
    }
)  # fmt: skip
"""Names of users and hosts that name nobody, and that would be missed in other places."""

PIECE: Final = re.compile(r"[A-Za-z0-9+]{16,}=*")
GPU_ID: Final = re.compile(r"\b(GPU|MIG)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.IGNORECASE)
UUID: Final = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.IGNORECASE)
DIGEST: Final = re.compile(r"(?:(?<=snapshots/)|(?<=sha256:))[0-9a-f]{40,64}\b")
LEAST_BITS: Final = 3.0
"""Bits a character (Shannon, over the word itself) below which a word only repeats itself."""

MOST_SWITCHES: Final = 0.2
MOST_RISES: Final = 0.3
LEAST_WORDY: Final = 0.5
RUN: Final = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}|[0-9]{4,}")


@dataclass(frozen=True, slots=True)
class Identity:
    """Who runs this and where; nothing of it may be written down.

    Attributes:
        names: of the user and of the host.
        homes: home folders.
    """

    names: tuple[str, ...]
    homes: tuple[str, ...]

    def strike(self, text: str) -> str:
        """Return a text without them: a home folder becomes ~."""
        for home in sorted(self.homes, key=len, reverse=True):
            text = re.sub(rf"{re.escape(home)}(?![\w.-])", "~", text)
        for name in sorted(self.names, key=len, reverse=True):
            text = re.sub(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])", STRUCK, text, flags=re.IGNORECASE)
        return text


def this_identity() -> Identity:
    """Return who runs this process, as far as the system says."""
    hosts = {platform.node(), socket.gethostname()}
    names = {_user(), *hosts, *(host.partition(".")[0] for host in hosts)}
    return identity(names, [_home()])


def identity(names: Sequence[str] | set[str], homes: Sequence[str]) -> Identity:
    """Return an identity of names and folders, without those that tell nothing."""
    telling = sorted({name for name in names if name and name.lower() not in COMMON_NAMES})
    return Identity(tuple(telling), tuple(home.rstrip("/") for home in homes if len(home.rstrip("/")) > 1))


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container whose user has no name
        return ""


def _home() -> str:
    try:
        return str(Path.home())
    except RuntimeError:
        return ""


def strike_text(text: str, who: Identity) -> str:
    """Return a text without what patterns know, and without who ran it. Words that look random stay."""
    return who.strike(redact(who.strike(text)))


def strike_value(text: str, who: Identity, *, random: bool = True) -> str:
    """Return an argument or the value of a variable without what must not be kept.

    A GPU that is named by its UUID becomes the digits that the fingerprint has for it.

    Args:
        text: the value.
        who: who ran it.
        random: whether words that look random are struck out as well.
    """
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(f"{found[1]}-{hashed(found[0])}" if found.re is GPU_ID else found[0])
        return f"\0{len(kept) - 1}\0"

    text = DIGEST.sub(keep, GPU_ID.sub(keep, text.replace("\0", "")))
    text = UUID.sub(STRUCK, strike_text(text, who))
    if random:
        text = PIECE.sub(lambda piece: STRUCK if looks_random(piece[0]) else piece[0], text)
    return re.sub("\0([0-9]+)\0", lambda place: kept[int(place[1])], text)


def looks_random(word: str) -> bool:
    """Say whether a word of letters and digits looks drawn at random.

    Names of models and files are made of runs: words, numbers, abbreviations. In a key letters, digits and cases
    alternate. Words of fewer than 16 characters say too little.
    """
    if _bits(word) < LEAST_BITS or word.isdigit():
        return False
    switches = sum(a.isdigit() != b.isdigit() for a, b in pairwise(word)) / len(word)
    rises = sum(a.islower() and b.isupper() for a, b in pairwise(word)) / len(word)
    wordy = sum(len(run) for run in RUN.findall(word)) / len(word)
    return switches > MOST_SWITCHES or switches + rises > MOST_RISES or wordy < LEAST_WORDY


def _bits(word: str) -> float:
    """Return the Shannon entropy of a word in bits a character."""
    shares = [count / len(word) for count in Counter(word).values()]
    return -sum(share * math.log2(share) for share in shares)


def strike_arguments(argv: Sequence[str], who: Identity) -> list[str]:
    """Return a command line without secrets: ``--api-key X`` and ``--api-key=X`` keep the flag alone."""
    struck: list[str] = []
    flag, awaited = "", False
    for argument in argv:
        name, equals, value = argument.partition("=")
        if _is_flag(name) and not (awaited and _secret(flag) and _may_be_key(argument)):
            flag, awaited = name, not equals
            shown = strike_value(name, who)
            struck.append(f"{shown}={_argument(name, value, who)}" if equals else shown)
        else:
            awaited = False
            struck.append(_argument(flag, argument, who))
            flag = flag if _secret(flag) else _meaning_of_next(argument)
    return struck


def _meaning_of_next(argument: str) -> str:
    """Return what a word without a flag means after another: ``vllm serve`` is followed by a model."""
    return "--model" if argument == "serve" else ""


def _is_flag(name: str) -> bool:
    return FLAG.fullmatch(name) is not None


def _may_be_key(argument: str) -> bool:
    """Say whether what follows a secret flag is its value, although it begins with a dash."""
    return not argument.startswith("--") and len(argument) > LONGEST_SHORT_FLAG


def _secret(flag: str) -> bool:
    return SECRET_FLAG.fullmatch(flag) is not None and NO_SECRET_FLAG.fullmatch(flag) is None


def _argument(flag: str, value: str, who: Identity) -> str:
    if _secret(flag) or (SECRET_NAME.search(flag) and not re.fullmatch(LOCAL, value)):  # a host, or an address
        return STRUCK
    if HEADER_FLAG.fullmatch(flag):
        return _header(value, who)
    if COMMAND.search(value):
        return _command(value, who)
    return strike_value(value, who, random=MODEL_FLAG.fullmatch(flag) is None)


def _header(value: str, who: Identity) -> str:
    """Return the name of a header, and what it says where that is harmless."""
    name, mark, _ = value.partition(":" if ":" in value else "=")
    return strike_value(value if name.strip().lower() in HARMLESS_HEADERS else f"{name}{mark}{STRUCK}", who)


def _command(line: str, who: Identity) -> str:
    """Return a command line that stands in one argument. One that no shell would read is left out whole."""
    try:
        return shlex.join(strike_arguments(shlex.split(line), who))
    except ValueError:
        return STRUCK


def strike_environment(variables: Mapping[str, str], who: Identity) -> dict[str, str]:
    """Return the variables that change how an engine runs; of those that are secrets by name, the name alone."""
    listed = sorted(name for name in variables if ENVIRONMENT.fullmatch(name))
    return {name: _variable(name, variables[name], who) for name in listed}


def _variable(name: str, value: str, who: Identity) -> str:
    local = re.fullmatch(LOCAL, value) is not None
    return STRUCK if SECRET_NAME.search(name) and value and not local else strike_value(value, who)
