"""The layers of a model by its config.json, one after another: what each keeps of a sequence."""

from __future__ import annotations

from typing import Final

from generator.architecture.families import Family
from generator.architecture.grouping import NO_ATTENTION, attending, latent, recurrent
from generator.architecture.keys import Keys
from generator.architecture.records import Layers, UnknownArchitectureError
from generator.errors import quote

FULL: Final = frozenset({"full_attention", "attention"})
SLIDING: Final = "sliding_attention"
LINEAR: Final = "linear_attention"
EVERY: Final = 4
"""Every which layer of Qwen3-Next attends to all tokens, unless ``full_attention_interval`` says otherwise."""
MAMBA, ATTENTION, PLAIN = "M", "*", "-"


def layers_of(keys: Keys, kind: str, family: Family) -> list[Layers]:
    """Return each layer of the model.

    Raises:
        UnknownArchitectureError: a key is missing or wrong.
    """
    if kind == "nemotron_h":
        return _of_pattern(keys)
    depth = keys.layers("num_hidden_layers")
    if keys.has("kv_lora_rank"):
        return [_latent(keys)] * depth
    kinds = keys.words("layer_types", depth) or _by_rule(keys, kind, family, depth)
    made = {one: _layer(one, keys) for one in dict.fromkeys(kinds)}
    return [made[one] for one in kinds]


def head_dim(keys: Keys) -> int:
    """Return the dimension of a head: as given, else the hidden size spread over the heads."""
    if keys.has("head_dim"):
        return keys.whole("head_dim")
    hidden, heads = keys.whole("hidden_size"), keys.whole("num_attention_heads")
    if hidden % heads:
        raise UnknownArchitectureError(f"{keys.place}head_dim", f"is missing, and {hidden} is no multiple of {heads}")
    return hidden // heads


def kv_heads(keys: Keys) -> int:
    """Return the key-value heads: as many as heads where no key says so."""
    return keys.whole("num_key_value_heads", default=keys.whole("num_attention_heads"))


def key_width(keys: Keys) -> int:
    """Return the width of all keys of a linear layer."""
    return keys.whole("linear_num_key_heads") * keys.whole("linear_key_head_dim")


def value_width(keys: Keys) -> int:
    """Return the width of all its values."""
    return keys.whole("linear_num_value_heads") * keys.whole("linear_value_head_dim")


def _layer(kind: str, keys: Keys) -> Layers:
    if kind in FULL:
        return attending(keys.whole("num_attention_heads"), kv_heads(keys), head_dim(keys))
    if kind == SLIDING:
        window = keys.whole("sliding_window")
        return attending(keys.whole("num_attention_heads"), kv_heads(keys), head_dim(keys), window=window)
    if kind == LINEAR:
        return _linear(keys)
    raise UnknownArchitectureError(f"{keys.place}layer_types", f"has {quote(kind)}, a layer that is not known here")


def _by_rule(keys: Keys, kind: str, family: Family, depth: int) -> list[str]:
    """Return the kind of each layer where no list gives it."""
    if kind == "qwen3_next":
        every = keys.whole("full_attention_interval", default=EVERY)
        return ["full_attention" if (at + 1) % every == 0 else LINEAR for at in range(depth)]
    if not keys.has("sliding_window") or family.windows == "none":
        return ["full_attention"] * depth
    return [SLIDING if _slides(keys, family, at) else "full_attention" for at in range(depth)]


def _slides(keys: Keys, family: Family, at: int) -> bool:
    match family.windows:
        case "late":
            return keys.flag("use_sliding_window", False) and at >= keys.count("max_window_layers")
        case "even":
            return at % 2 == 0
        case "pattern":
            return (at + 1) % keys.whole("sliding_window_pattern", "_sliding_window_pattern") != 0
        case _:
            return family.windows == "all"


def _latent(keys: Keys) -> Layers:
    rope, plain = keys.whole("qk_rope_head_dim"), keys.whole("qk_nope_head_dim")
    heads, value_dim = keys.whole("num_attention_heads"), keys.whole("v_head_dim")
    return latent(keys.whole("kv_lora_rank"), rope, heads, plain + rope, value_dim)


def _linear(keys: Keys) -> Layers:
    """Return a gated delta net: a convolution over queries, keys and values, a matrix for each head of the values."""
    state = value_width(keys) * keys.whole("linear_key_head_dim")
    return recurrent(keys.whole("linear_conv_kernel_dim"), 2 * key_width(keys) + value_width(keys), state)


def pattern_of(keys: Keys) -> str:
    """Return the layers of Nemotron-H: a letter each.

    Raises:
        UnknownArchitectureError: there is no such pattern, or it has other letters or another length.
    """
    pattern = keys.word("hybrid_override_pattern")
    place = f"{keys.place}hybrid_override_pattern"
    if len(pattern) != keys.layers("num_hidden_layers"):
        raise UnknownArchitectureError(place, f"is {len(pattern)} long, not one letter for each layer")
    odd = set(pattern) - {MAMBA, ATTENTION, PLAIN}
    if odd:
        raise UnknownArchitectureError(place, f"has {quote(min(odd))}, a layer that is not known here")
    return pattern


def _of_pattern(keys: Keys) -> list[Layers]:
    made = {letter: _of_letter(letter, keys) for letter in dict.fromkeys(pattern_of(keys))}
    return [made[letter] for letter in pattern_of(keys)]


def _of_letter(letter: str, keys: Keys) -> Layers:
    if letter == ATTENTION:
        return attending(keys.whole("num_attention_heads"), kv_heads(keys), _nemotron_head(keys))
    if letter == PLAIN:
        return NO_ATTENTION
    return recurrent(keys.whole("conv_kernel"), inner_width(keys) + grouped_width(keys), _state(keys))


def _nemotron_head(keys: Keys) -> int:
    return keys.whole("head_dim", "attention_head_dim")


def inner_width(keys: Keys) -> int:
    """Return the inner width of a Mamba-2 layer."""
    return keys.whole("mamba_num_heads") * keys.whole("mamba_head_dim")


def grouped_width(keys: Keys) -> int:
    """Return the width of its two projections onto the state."""
    return 2 * keys.whole("n_groups") * keys.whole("ssm_state_size")


def _state(keys: Keys) -> int:
    return inner_width(keys) * keys.whole("ssm_state_size")
