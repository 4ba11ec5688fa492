"""What the model of a round amounts to, by the files that say how it is built.

    <series>/architecture.json     as ``rounds collect`` and ``rounds describe`` write it; of this series
    architecture.json              of all series that have none of their own
    config.json                    in either place, where no architecture.json is

How many bytes an element of the KV cache has, the flags of the server decide; the model says what it is without one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from generator.architecture.counts import kv_elements, matmul_params, pair_flops, state_elements, token_params
from generator.architecture.counts import weight_bytes as bytes_of_step
from generator.architecture.element_types import CACHE_TYPES
from generator.architecture.records import Architecture, Experts
from generator.declared.round_tables import RoundFile, SeriesTable
from generator.kinds import Metric
from generator.machines.flags import FLAG
from generator.machines.records import Machine
from generator.model import Series
from generator.places import Place
from generator.store.beside import Beside, Sought, sought
from generator.store.model_files import kept_architecture
from generator.text import Text
from generator.values import Address, Source

UNLIKE_LAYERS: Final = Text(
    zh="这个模型的各层不一样，没有一个数能代表全部",
    en="the layers of this model are not alike, so no one number stands for all",
)
UNLIKE_SERIES: Final = Text(
    zh="各系列的 architecture.json 在这一项上不同", en="the architecture.json of the series do not agree on it"
)
NO_BYTES: Final = Text(
    zh="architecture.json 没有说明每步读多少字节：量化方式不明",
    en="architecture.json does not say how many bytes a step reads: how the weights are quantised is not known",
)
OTHER_WEIGHTS: Final = Text(
    zh="引擎加载时另行量化，模型文件的字节数不是它读的字节数",
    en="the engine quantises as it loads, so the bytes of the model's files are not those it reads",
)
CACHE_UNKNOWN: Final = Text(
    zh="KV cache 的类型不在已知之列", en="the type of its KV cache is none of those that are known"
)
UNSAID_EMBEDDING: Final = Text(
    zh="没有说明权重字节是否含输入 embedding（weights_basis）",
    en="whether the weight bytes hold the input embedding is not said (weights_basis)",
)
STATE_F32: Final = 4.0
"""Bytes of an element of a state in llama.cpp."""
KEY_FLAGS: Final = ("--cache-type-k", "--kv-cache-dtype")
VALUE_FLAGS: Final = ("--cache-type-v", "--kv-cache-dtype")
AUTO: Final = frozenset({"auto", "", "true"})
FROM_CONFIG: Final = "config.json"

Found = float | Text
"""A number in base units, or why there is none."""


@dataclass(frozen=True, slots=True)
class _Served:
    """A model as a series serves it."""

    model: Architecture
    file: str
    table: SeriesTable
    machine: Machine
    declares_params: bool

    def flag(self, *names: str) -> str | None:
        """Return the value of the first of several flags that its server was started with; None for none."""
        return next((said for name in names if (said := self.machine.text(FLAG + name)) is not None), None)


def read_architectures(
    folder: Path,
    file: RoundFile,
    series: Sequence[Series],
    machines: Mapping[str, Machine],
    places: Mapping[Place, Metric],
) -> Beside:
    """Return the numbers that follow from the files of the models; nothing where there are none.

    Raises:
        InputError: a file is not as Rounds writes it, leads out of the round, or is of a kind that is not known.
    """
    beside, wanted = Beside(), sought(places, "architecture")
    served = list(_served(folder, file, series, machines))
    for one in served:
        for number in wanted.get("series", ()):
            _note(beside, number, Address("", "series", one.table.id), OF_SERIES[number.name](one), one)
    for number in wanted.get("round", ()):
        found = {OF_ROUND[number.name](one): one for one in served}
        if len(found) == 1:
            answer, one = next(iter(found.items()))
            _note(beside, number, Address("", "round"), answer, one)
        elif found:
            beside.unread[number.at(Address("", "round"))] = UNLIKE_SERIES
    return beside


def _served(
    folder: Path, file: RoundFile, series: Sequence[Series], machines: Mapping[str, Machine]
) -> Iterator[_Served]:
    of_round = kept_architecture(folder, folder)
    for one in series:
        own = kept_architecture(folder / one.id, folder)
        found = own or of_round
        if found is not None:
            name = f"{one.id}/{found[1]}" if own else found[1]
            declares = file.model.matmul_params is not None
            yield _Served(found[0], name, one.table, machines.get(one.id, Machine()), declares)


def _note(beside: Beside, number: Sought, where: Address, answer: Found | None, one: _Served) -> None:
    if isinstance(answer, Text):
        beside.unread[number.at(where)] = answer
    elif answer is not None:
        beside.observations.append(number.found(where, answer, "declared", Source(one.file, number.name)))


def _alike(one: _Served, of: Callable[[Architecture], int | None]) -> Found:
    """Return a number that all layers share, where each has heads of its own and keeps all tokens."""
    layers = one.model.layers
    if len(layers) > 1 or layers[0].keeps != "all" or layers[0].key_elements != layers[0].value_elements:
        return UNLIKE_LAYERS
    found = of(one.model)
    return UNLIKE_LAYERS if found is None else float(found)


def _kv_heads(one: _Served) -> Found:
    return _alike(one, lambda model: model.layers[0].kv_heads)


def _head_dim(one: _Served) -> Found:
    return _alike(one, lambda model: model.layers[0].key_elements // (model.layers[0].kv_heads or 1))


def _windowed(one: _Served, of: Callable[[Architecture], float]) -> float | None:
    """Return a number of the layers with a window; None where there are none, or several windows."""
    windows = {layers.window for layers in one.model.keeping("window")}
    return of(one.model) if len(windows) == 1 else None


def _element_bytes(one: _Served) -> Found:
    """Return the bytes of a KV element; of keys and values of unlike types their mean, by their elements."""
    key, value = (_cache_bytes(one, flags) for flags in (KEY_FLAGS, VALUE_FLAGS))
    if key is None or value is None:
        return CACHE_UNKNOWN
    keys = sum(layers.count * layers.key_elements for layers in one.model.layers)
    values = sum(layers.count * layers.value_elements for layers in one.model.layers)
    return (keys * key + values * value) / (keys + values) if keys + values else key


def _cache_bytes(one: _Served, flags: tuple[str, ...]) -> float | None:
    said = (one.flag(*flags) or "").lower()
    if said not in AUTO:
        return CACHE_TYPES.get(said)
    return 2.0 if one.machine.family == "llamacpp" else one.model.kv_element_bytes


def _state_bytes(one: _Served) -> float | None:
    """Return the bytes of the states of a sequence; 0 where only windows are to be told apart."""
    elements = state_elements(one.model)
    if not elements and not one.model.keeping("window"):
        return None
    told = (one.flag("--mamba-cache-dtype", "--mamba-ssm-dtype") or "").lower()
    usual = STATE_F32 if one.machine.family == "llamacpp" else one.model.kv_element_bytes
    return elements * CACHE_TYPES.get(told, usual)


def _as_in_files(one: _Served, number: float | None) -> Found:
    """Return bytes of weights, where the server reads them as the files have them."""
    if one.model.source == FROM_CONFIG and _quantises(one):
        return OTHER_WEIGHTS
    return NO_BYTES if number is None else number


def _quantises(one: _Served) -> bool:
    """Say whether the server's weights are others than a config.json describes."""
    return one.machine.family == "llamacpp" or one.flag("--quantization") is not None


def _embedding_bytes(one: _Served) -> Found:
    """Return how much of the weight bytes the input table is: of those declared, or of those that follow from here."""
    table = one.table
    is_declared = table.weight_bytes is not None or table.weight_params is not None
    if not is_declared and not (one.declares_params and table.weight_dtype_bytes is not None):
        return 0.0
    if table.weights_basis in ("all_params", "file_size"):
        return _as_in_files(one, one.model.weights.embedding_bytes)
    return UNSAID_EMBEDDING if table.weights_basis is None else 0.0


def _of_mixture(one: _Served, of: Callable[[Architecture], float | None]) -> Found | None:
    """Return bytes that are told of models with experts alone."""
    return None if one.model.experts is None else _as_in_files(one, of(one.model))


def _counted(one: _Served, of: Callable[[Experts], int]) -> float | None:
    return None if one.model.experts is None else float(of(one.model.experts))


OF_ROUND: Final[Mapping[str, Callable[[_Served], Found | None]]] = {
    "layers": lambda one: float(one.model.depth),
    "kv_heads": _kv_heads,
    "head_dim": _head_dim,
    "matmul_params": lambda one: float(matmul_params(one.model)),
}
OF_SERIES: Final[Mapping[str, Callable[[_Served], Found | None]]] = {
    "kv_elements": lambda one: float(kv_elements(one.model.keeping("all"))),
    "kv_element_bytes": _element_bytes,
    "kv_window_elements": lambda one: _windowed(one, lambda model: kv_elements(model.keeping("window"))),
    "attention_window": lambda one: _windowed(one, lambda model: model.keeping("window")[0].window or 0),
    "state_bytes": _state_bytes,
    "weight_bytes": lambda one: _as_in_files(one, bytes_of_step(one.model, 1)),
    "dense_bytes": lambda one: _of_mixture(one, lambda model: model.weights.step_bytes),
    "embedding_bytes": _embedding_bytes,
    "experts": lambda one: _counted(one, lambda experts: experts.count),
    "experts_used": lambda one: _counted(one, lambda experts: experts.used),
    "expert_bytes": lambda one: _of_mixture(one, _bytes_over_layers),
    "prefill_params": lambda one: float(token_params(one.model)),
    "head_params": lambda one: float(one.model.weights.head_params),
    "pair_flops": lambda one: float(pair_flops(one.model.keeping("all"))),
    "window_pair_flops": lambda one: _windowed(one, lambda model: pair_flops(model.keeping("window"))),
}
"""How each number is taken from a model as it is served, by the name of its place."""


def _bytes_over_layers(model: Architecture) -> float | None:
    """Return the bytes of one expert in each layer that has them, together."""
    experts = model.experts
    return experts.layers * experts.bytes if experts is not None and experts.bytes is not None else None
