"""``architecture.json`` of a series: written as it is collected, from the files of the model that its command names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from generator.architecture.counts import all_params, kv_elements, state_elements, weight_bytes
from generator.architecture.records import Architecture
from generator.errors import InputError
from generator.store.files import write_atomically
from generator.store.model_files import ARCHITECTURE, as_json, describe_model


def keep_architecture(home: Path, models: Sequence[Path]) -> str:
    """Write the architecture of a series' model into its folder, unless it has one; return a line on it.

    Nothing is said where the command names no files. A model that is not known is no reason to stop.
    """
    if not models or (home / ARCHITECTURE).exists():
        return ""
    try:
        model = describe_model(models[0])
    except InputError as error:
        return f"note: its architecture is not known ({error.problem})"
    write_atomically(home / ARCHITECTURE, as_json(model))
    return f"model: {told(model)}"


def told(model: Architecture) -> str:
    """Return the numbers of a model as a line says them."""
    size, state = weight_bytes(model, 1), state_elements(model)
    cached = kv_elements(model.keeping("all")) * model.kv_element_bytes
    parts = [
        f"{model.type}, {model.depth} layers, {all_params(model) / 1e9:.4g} billion parameters",
        f"{cached:,.0f} B of KV a token",
        f"{size / 1e9:.4g} GB of weights a step" if size is not None else "weight bytes unknown",
    ]
    parts += [f"{one.count} layers with a window of {one.window}" for one in model.keeping("window")]
    parts += [f"{state:,} elements of state a sequence"] if state else []
    return ", ".join(parts)
