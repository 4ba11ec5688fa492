"""Who runs this and where, and what may be kept of an environment: of a command line, see ``store.arguments``."""

from __future__ import annotations

import getpass
import platform
import re
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from generator.redaction import LOCAL, STRUCK
from generator.store.arguments import Identity, strike_value
from generator.store.redact import SECRET_NAME

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


def strike_environment(variables: Mapping[str, str], who: Identity) -> dict[str, str]:
    """Return the variables that change how an engine runs; of those that are secrets by name, the name alone."""
    listed = sorted(name for name in variables if ENVIRONMENT.fullmatch(name))
    return {name: _variable(name, variables[name], who) for name in listed}


def _variable(name: str, value: str, who: Identity) -> str:
    local = re.fullmatch(LOCAL, value) is not None
    return STRUCK if SECRET_NAME.search(name) and value and not local else strike_value(value, who)
