"""``config.json`` of a model, as Hugging Face keeps it, to its architecture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from generator.architecture.config_layers import layers_of
from generator.architecture.config_weights import experts_of, weights_of
from generator.architecture.element_types import MODEL_TYPES
from generator.architecture.families import FAMILIES
from generator.architecture.grouping import grouped
from generator.architecture.keys import Keys
from generator.architecture.records import Architecture, UnknownArchitectureError, sized
from generator.errors import nearest, quote

NESTED: Final = "text_config"
OUTSIDE: Final = ("torch_dtype", "dtype", "quantization_config", "tie_word_embeddings")
"""Keys that stand outside the nested table and are of it as well."""


def from_config(config: Mapping[str, Any]) -> Architecture:
    """Read the architecture off a config.json.

    What it has beside a language model (a vision tower) is left out: a decode step does not read it.

    Raises:
        UnknownArchitectureError: the kind of model is not known, or a key is missing or wrong.
    """
    with sized("config.json"):
        return _read(_of_language(config))


def is_model_config(config: Mapping[str, Any]) -> bool:
    """Say whether a config.json is that of a model: its type is named, in the outer table or the nested one."""
    nested = config.get(NESTED)
    return "model_type" in config or (isinstance(nested, dict) and "model_type" in nested)


def _read(keys: Keys) -> Architecture:
    kind = keys.word("model_type")
    family = FAMILIES.get(kind)
    if family is None:
        problem = f"is {quote(kind)}, whose layers are not known here" if kind else "is missing"
        raise UnknownArchitectureError(f"{keys.place}model_type", f"{problem} ({nearest(kind, FAMILIES)})")
    keys = Keys({**family.defaults, **{key: one for key, one in keys.table.items() if one is not None}}, keys.place)
    element_bytes = _type_bytes(keys)
    layers = layers_of(keys, kind, family)
    experts = experts_of(keys, kind, len(layers), element_bytes)
    return Architecture(
        type=kind,
        source="config.json",
        kv_element_bytes=element_bytes,
        layers=grouped(layers),
        weights=weights_of(keys, kind, family, layers, element_bytes),
        experts=experts,
    )


def _of_language(config: Mapping[str, Any]) -> Keys:
    """Return the keys of the language model: of the nested table, where there is one."""
    outer = Keys(config)
    inner = outer.table_at(NESTED)
    if inner is None:
        return outer
    shared = {key: config[key] for key in OUTSIDE if config.get(key) is not None}
    return Keys({**shared, **{key: one for key, one in inner.table.items() if one is not None}}, inner.place)


def _type_bytes(keys: Keys) -> float:
    key = "torch_dtype" if keys.has("torch_dtype") else "dtype"
    name = keys.word(key)
    if name not in MODEL_TYPES:
        problem = f"is {quote(name)}, a type that is not known here" if name else "is missing"
        raise UnknownArchitectureError(keys.place + key, problem)
    return MODEL_TYPES[name]
