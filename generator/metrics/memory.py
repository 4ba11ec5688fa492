"""Device memory: what the weights and the KV pool take, and what is left over."""

from __future__ import annotations

from typing import Final

from generator.kinds import metric, observed
from generator.places import fact, setting
from generator.text import Text
from generator.themes import MEMORY

THEME: Final = MEMORY

memory_capacity = observed(
    "memory_capacity",
    scope="round",
    unit="GiB",
    symbol="M",
    places=[setting("hardware.memory_gib", "GiB")],
    title=Text(zh="显存容量", en="device memory"),
    meaning=Text(zh="设备的显存容量。", en="Memory of the device."),
)
kv_pool_tokens = observed(
    "kv_pool_tokens",
    scope="series",
    unit="tok",
    symbol="n_pool",
    better="higher",
    digits=9,
    places=[setting("series.kv_pool_tokens", "tok")],
    title=Text(zh="KV 池容量", en="KV pool"),
    meaning=Text(zh="KV 池能装下的 token 数。", en="Tokens that the KV pool holds."),
)
slots = observed(
    "slots",
    scope="series",
    unit="1",
    symbol="N_slot",
    places=[setting("series.slots", "1")],
    title=Text(zh="槽位数", en="slots"),
    meaning=Text(zh="引擎同时服务的请求数上限。", en="Requests that the engine serves at once."),
)


@kv_pool_tokens.otherwise("log_kv_pool_tokens_of_series")
def kv_pool_tokens_in_log(log_kv_pool_tokens_of_series: float) -> float:
    """Take the tokens that the server printed as it started."""
    return log_kv_pool_tokens_of_series


@kv_pool_tokens.otherwise("engine_pool_blocks_of_series × engine_block_tokens_of_series")
def kv_pool_tokens_in_blocks(engine_pool_blocks_of_series: float, engine_block_tokens_of_series: float) -> float:
    """Return the blocks that the engine gave × tokens of each."""
    return engine_pool_blocks_of_series * engine_block_tokens_of_series


weights_loaded = observed(
    "weights_loaded",
    scope="series",
    unit="GiB",
    symbol="M_w",
    better="lower",
    places=[fact("memory.weights_gib", "GiB")],
    title=Text(zh="载入的权重", en="weights as loaded"),
    meaning=Text(zh="权重在显存里占的大小。", en="What the weights take in device memory."),
)


@weights_loaded.otherwise("weight_bytes_per_step")
def weights_loaded_from_bytes(weight_bytes_per_step: float) -> float:
    """Take the bytes a step reads where nothing says what was loaded."""
    return weight_bytes_per_step


kv_pool_bytes = observed(
    "kv_pool_bytes",
    scope="series",
    unit="GiB",
    symbol="M_kv",
    places=[fact("memory.kv_pool_gib", "GiB")],
    title=Text(zh="KV 池", en="KV pool bytes"),
    meaning=Text(zh="KV 池在显存里占的大小。", en="What the KV pool takes in device memory."),
)


@kv_pool_bytes.otherwise("log_kv_pool_bytes_of_series")
def kv_pool_bytes_in_log(log_kv_pool_bytes_of_series: float) -> float:
    """Take the size that the server printed as it started."""
    return log_kv_pool_bytes_of_series


@kv_pool_bytes.otherwise("kv_pool_tokens × kv_bytes_per_token")
def kv_pool_bytes_from_tokens(kv_pool_tokens: float, kv_bytes_per_token: float) -> float:
    """Return tokens × bytes each."""
    return kv_pool_tokens * kv_bytes_per_token


@metric(
    "kv_pool_bytes ÷ kv_pool_tokens",
    scope="series",
    unit="KiB",
    symbol="kv_pool",
    better="lower",
    digits=4,
    title=Text(zh="KV 池每 token 的字节", en="bytes per token of the KV pool"),
    meaning=Text(
        zh="KV 池的大小 ÷ 它能装下的 token 数；应当等于按模型形状算出的每 token KV 字节。",
        en="Bytes of the KV pool ÷ tokens that it holds; it should match the KV bytes per token of the model's shape.",
    ),
)
def kv_pool_bytes_per_token(kv_pool_bytes: float, kv_pool_tokens: float) -> float:
    """Return bytes ÷ tokens."""
    return kv_pool_bytes / kv_pool_tokens


device_memory_used = observed(
    "device_memory_used",
    scope="series",
    unit="GiB",
    symbol="M_used",
    better="lower",
    digits=4,
    places=[fact("memory.device_used_mib", "MiB")],
    title=Text(zh="已用显存", en="device memory used"),
    meaning=Text(zh="设备报告的已用显存。", en="Memory in use as the device reports it."),
)


@metric(
    "(device_memory_used − weights_loaded − kv_pool_bytes) ÷ device_memory_used",
    scope="series",
    unit="ratio",
    symbol="ρ",
    style="percent",
    title=Text(zh="显存余量", en="memory residual"),
    meaning=Text(
        zh="已用显存里权重与 KV 池没有说明的部分：CUDA context、计算缓冲区等。",
        en="Share of the memory used that weights and KV pool leave unexplained: CUDA context, compute buffers.",
    ),
)
def device_memory_residual(device_memory_used: float, weights_loaded: float, kv_pool_bytes: float) -> float:
    """Return the unexplained share of the memory in use."""
    return (device_memory_used - weights_loaded - kv_pool_bytes) / device_memory_used


@metric(
    "compared_kv_pool_tokens ÷ baseline_kv_pool_tokens",
    scope="pair",
    unit="ratio",
    symbol="n_pool ratio",
    style="times",
    better="higher",
    title=Text(zh="KV 池容量之比", en="KV pool ratio"),
    meaning=Text(zh="两个引擎能同时装下的上下文之比。", en="How much more context the compared series holds at once."),
)
def kv_pool_ratio(compared_kv_pool_tokens: float, baseline_kv_pool_tokens: float) -> float:
    """Return compared ÷ baseline."""
    return compared_kv_pool_tokens / baseline_kv_pool_tokens


@metric(
    "concurrency × (asked_input_tokens + asked_output_tokens) ÷ kv_pool_tokens",
    scope="level",
    unit="ratio",
    symbol="κ",
    style="percent",
    title=Text(zh="KV 池用到的比例", en="share of the KV pool in use"),
    meaning=Text(
        zh="全部在途请求都到最大长度时占 KV 池的比例。",
        en="What the requests in flight take of the pool when all are at full length.",
    ),
)
def kv_pool_share(
    concurrency: float, asked_input_tokens: float, asked_output_tokens: float, kv_pool_tokens: float
) -> float:
    """Return the tokens of all requests in flight at full length ÷ the pool's tokens."""
    return concurrency * (asked_input_tokens + asked_output_tokens) / kv_pool_tokens


@metric(
    "baseline_weights_loaded − compared_weights_loaded",
    scope="pair",
    unit="GiB",
    symbol="ΔM_w",
    better="higher",
    title=Text(zh="权重省下的显存", en="memory saved on weights"),
    meaning=Text(zh="基线载入的权重减去被比较的系列。", en="Weights as loaded, baseline less compared."),
)
def weights_saved(baseline_weights_loaded: float, compared_weights_loaded: float) -> float:
    """Return how much less the weights of the compared series take, in bytes."""
    return baseline_weights_loaded - compared_weights_loaded
