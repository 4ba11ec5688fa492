"""fingerprint.json: on what a series ran, without who ran it, where, and with which key.

What comes in is struck entry by entry where its place tells more (arguments, variables), and once more as a whole: no
text leaves here without having passed ``strike_text``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psutil

from generator.collect.host.gpu_facts import gpu_facts
from generator.collect.host.machine import ROOT, machine_facts
from generator.collect.host.model_files import WHOLE_UP_TO, model_facts
from generator.collect.host.nvml import NvmlGpus
from generator.collect.host.secrets import strike_environment
from generator.collect.host.smi import SmiGpus
from generator.collect.host.software import Said, engine_facts, python_facts
from generator.store.arguments import Identity, strike_arguments, strike_text

SCHEMA: Final = 1
DEEPEST: Final = 12


@dataclass(frozen=True, slots=True)
class Subject:
    """The series that is described.

    Attributes:
        argv: how its server was started; empty where it was running already.
        environment: the variables that it was started with.
        said: what the engine said of itself.
        model_paths: files and folders of the model.
        whole_up_to: bytes up to which a file of the model is hashed whole.
    """

    argv: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    said: Said = field(default_factory=Said)
    model_paths: Sequence[Path] = ()
    whole_up_to: int = WHOLE_UP_TO


def fingerprint(subject: Subject, gpus: NvmlGpus, who: Identity, root: Path = ROOT) -> dict[str, object]:
    """Return what fingerprint.json holds.

    Args:
        subject: the series.
        gpus: the GPUs as NVML shows them; where it cannot be used, nvidia-smi is asked.
        who: whose names and folders are struck out.
        root: where the files of the system lie.
    """
    facts = {
        "schema": SCHEMA,
        "gpu": _gpu(gpus),
        "machine": machine_facts(root),
        "python": python_facts(),
        "engine": engine_facts(subject.said),
        "model_files": model_facts(subject.model_paths, subject.whole_up_to),
        "argv": strike_arguments(subject.argv, who),
        "environment": strike_environment(subject.environment, who),
    }
    return {name: clean(value, who) for name, value in facts.items()}


def _gpu(gpus: NvmlGpus) -> dict[str, object]:
    found = gpu_facts(gpus, psutil.virtual_memory().total)
    if gpus.reason and (rows := SmiGpus().facts()):
        return {**found, "source": "nvidia-smi", "gpus": rows}
    return found


def clean(value: object, who: Identity, depth: int = 0) -> object:
    """Return a value of JSON with every text struck, keys included. What is no value of JSON becomes its text."""
    if depth > DEEPEST:
        return None
    if isinstance(value, dict):
        return {strike_text(str(name), who): clean(one, who, depth + 1) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [clean(one, who, depth + 1) for one in value]
    return value if value is None or isinstance(value, bool | int | float) else strike_text(str(value), who)
