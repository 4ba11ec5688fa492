"""The roofline floor of a decode step: the bytes it must read, and the least time that takes."""

from __future__ import annotations

from typing import Final

from generator.kinds import WITHOUT_EMBEDDING, metric, observed
from generator.places import architecture, device, record, setting
from generator.text import Text
from generator.themes import FLOORS

THEME: Final = FLOORS

layers = observed(
    "layers",
    scope="round",
    unit="1",
    symbol="n_layer",
    places=[setting("model.layers", "1"), architecture("layers", "1")],
    title=Text(zh="层数", en="layers"),
    meaning=Text(zh="模型的层数。", en="Layers of the model."),
)
kv_heads = observed(
    "kv_heads",
    scope="round",
    unit="1",
    symbol="n_kv",
    places=[setting("model.kv_heads", "1"), architecture("kv_heads", "1")],
    title=Text(zh="KV 头数", en="KV heads"),
    meaning=Text(zh="每层的 KV 头数。", en="Key-value heads of a layer."),
)
head_dim = observed(
    "head_dim",
    scope="round",
    unit="1",
    symbol="d_head",
    places=[setting("model.head_dim", "1"), architecture("head_dim", "1")],
    title=Text(zh="头维度", en="head dimension"),
    meaning=Text(zh="每个头的维度。", en="Dimension of a head."),
)
kv_dtype_bytes = observed(
    "kv_dtype_bytes",
    scope="round",
    unit="B",
    symbol="b_kv",
    places=[setting("model.kv_dtype_bytes", "B")],
    title=Text(zh="KV 元素字节数", en="bytes per KV element"),
    meaning=Text(zh="KV cache 一个元素的字节数。", en="Bytes of one element of the KV cache."),
)
matmul_params = observed(
    "matmul_params",
    scope="round",
    unit="1",
    symbol="P",
    places=[setting("model.matmul_params", "1"), architecture("matmul_params", "1")],
    digits=12,
    title=Text(zh="参与矩阵乘的参数量", en="parameters in matrix products"),
    meaning=Text(
        zh="解码一步要读的参数：含输出头，不含输入 embedding。",
        en="Parameters that a decode step reads: with the output head, without the input embedding.",
    ),
)
memory_bandwidth = observed(
    "memory_bandwidth",
    scope="round",
    unit="GB/s",
    symbol="BW",
    digits=6,
    places=[
        setting("hardware.memory_bandwidth_gb_s", "GB/s"),
        record("calibration.json", "probe.bandwidth_gb_s.high", "GB/s"),
        device("bandwidth by its driver", "GB/s"),
        device("bandwidth by its data sheet", "GB/s"),
    ],
    title=Text(zh="显存带宽", en="memory bandwidth"),
    meaning=Text(
        zh="显存（没有 GPU 时是内存）的带宽：先看声明的，再看实测的，再看驱动给的频率 × 位宽，最后看数据手册。",
        en="Bandwidth of the device memory, without a GPU of the main memory: as declared, else as measured, else by clock and "
        "bus width of the driver, else by the data sheet.",
    ),
)
weight_params = observed(
    "weight_params",
    scope="series",
    unit="1",
    symbol="P_W",
    places=[setting("series.weight_params", "1")],
    digits=12,
    title=Text(zh="权重参数量", en="weight parameters"),
    meaning=Text(zh="该系列每步要读的参数量。", en="Parameters that a step of this series reads."),
)
weight_dtype_bytes = observed(
    "weight_dtype_bytes",
    scope="series",
    unit="B",
    symbol="b_w",
    places=[setting("series.weight_dtype_bytes", "B")],
    title=Text(zh="权重元素字节数", en="bytes per weight"),
    meaning=Text(zh="一个权重的字节数。", en="Bytes of one weight."),
)
embedding_bytes = observed(
    "embedding_bytes",
    scope="series",
    unit="GB",
    symbol="E",
    places=[setting("series.embedding_bytes", "B"), architecture("embedding_bytes", "B")],
    title=Text(zh="输入 embedding 字节数", en="input embedding bytes"),
    meaning=Text(
        zh="权重字节里属于输入 embedding 的部分：解码一步只取其中一行。",
        en="How much of the weight bytes is the input embedding, of which a decode step reads one row.",
    ),
)
weight_bytes_per_step = observed(
    "weight_bytes_per_step",
    scope="series",
    unit="GB",
    symbol="W",
    better="lower",
    digits=4,
    places=[setting("series.weight_bytes", "B")],
    title=Text(zh="每步读的权重", en="weight bytes per step"),
    meaning=Text(zh="解码一步从显存读出的权重字节。", en="Weight bytes that one decode step reads from memory."),
)


@weight_bytes_per_step.otherwise("weight_params × weight_dtype_bytes")
def weight_bytes_from_params(weight_params: float, weight_dtype_bytes: float) -> float:
    """Return parameters × bytes each."""
    return weight_params * weight_dtype_bytes


@weight_bytes_per_step.otherwise("matmul_params × weight_dtype_bytes")
def weight_bytes_from_model(matmul_params: float, weight_dtype_bytes: float) -> float:
    """Return the model's matrix-product parameters × bytes each."""
    return matmul_params * weight_dtype_bytes


@weight_bytes_per_step.otherwise("model_weight_bytes")
def weight_bytes_by_files(model_weight_bytes: float) -> float:
    """Take the bytes of the model's own files, where nothing is declared."""
    return model_weight_bytes


@metric(
    "weight_bytes_per_step − embedding_bytes",
    scope="series",
    unit="GB",
    symbol="W′",
    better="lower",
    digits=4,
    title=Text(zh="每步读的权重（不含输入 embedding）", en="weight bytes per step, without the input embedding"),
    meaning=Text(
        zh="两边按同一口径：只算真正流过总线的权重。",
        en="The same count for all series: what is really streamed.",
    ),
    why=Text(
        zh="解码一步只查 embedding 的一行；把整张表算进去会抬高 MBU，只给一边去掉则偏向另一边。",
        en="A step looks up one row of the embedding; counting the whole table inflates the MBU, and leaving it "
        "out for one engine alone favours the other.",
    ),
)
def weight_bytes_per_step__without_embedding(weight_bytes_per_step: float, embedding_bytes: float) -> float:
    """Take the embedding out of the weight bytes."""
    return weight_bytes_per_step - embedding_bytes


@metric(
    "2 × layers × kv_heads × head_dim × kv_dtype_bytes",
    scope="series",
    unit="KiB",
    symbol="kv",
    better="lower",
    digits=4,
    title=Text(zh="每 token 的 KV 字节", en="KV bytes per token"),
    meaning=Text(
        zh="一个 token 的 K 与 V 在全部层里占的字节。",
        en="Bytes of a token's keys and values over all layers.",
    ),
)
def kv_bytes_per_token(layers: float, kv_heads: float, head_dim: float, kv_dtype_bytes: float) -> float:
    """Return keys and values (2) over layers, heads and dimensions."""
    return 2 * layers * kv_heads * head_dim * kv_dtype_bytes


@kv_bytes_per_token.otherwise("model_kv_bytes_per_token")
def kv_bytes_by_files(model_kv_bytes_per_token: float) -> float:
    """Take those of the model's own files, where no one shape stands for all layers."""
    return model_kv_bytes_per_token


@metric(
    "asked_input_tokens + asked_output_tokens ÷ 2",
    scope="level",
    unit="tok",
    symbol="L",
    digits=6,
    title=Text(zh="平均上下文", en="mean context"),
    meaning=Text(
        zh="解码过程中一条请求的平均上下文长度：输入加一半输出。",
        en="Context of a request averaged over its decode: the input and half the output.",
    ),
)
def mean_context(asked_input_tokens: float, asked_output_tokens: float) -> float:
    """Return the context in the middle of the decode, in tokens."""
    return asked_input_tokens + asked_output_tokens / 2


@metric(
    "decoded_together × kv_bytes_of_sequence",
    scope="level",
    unit="GB",
    symbol="KV",
    better="lower",
    title=Text(zh="每步读的 KV", en="KV bytes per step"),
    meaning=Text(
        zh="解码一步要读的全部 KV：一起解码的请求各一份。",
        en="Keys and values that one decode step reads: those of the requests decoded together.",
    ),
)
def kv_bytes_per_step(decoded_together: float, kv_bytes_of_sequence: float) -> float:
    """Return the KV bytes of all requests decoded together."""
    return decoded_together * kv_bytes_of_sequence


@metric(
    "weight_bytes_read + kv_bytes_per_step",
    scope="level",
    unit="GB",
    symbol="B",
    better="lower",
    digits=4,
    follows=(WITHOUT_EMBEDDING,),
    title=Text(zh="每步读的字节", en="bytes per step"),
    meaning=Text(
        zh="解码一步必须读的字节：权重一遍，加上一起解码的请求的 KV。",
        en="What a decode step must read: the weights once, and the KV of all requests decoded together.",
    ),
)
def bytes_per_step(weight_bytes_read: float, kv_bytes_per_step: float) -> float:
    """Return weights + KV."""
    return weight_bytes_read + kv_bytes_per_step


@metric(
    "(weight_bytes_read + decoded_together × kv_bytes_of_sequence) ÷ memory_bandwidth",
    scope="level",
    unit="ms",
    symbol="t_floor",
    better="lower",
    digits=4,
    follows=(WITHOUT_EMBEDDING,),
    title=Text(zh="解码步长下限", en="decode step floor"),
    meaning=Text(
        zh="硬件允许的最短解码步长（roofline）。",
        en="Least time of one decode step that the hardware allows (roofline).",
    ),
)
def decode_floor(
    weight_bytes_read: float, decoded_together: float, kv_bytes_of_sequence: float, memory_bandwidth: float
) -> float:
    """Return bytes ÷ bandwidth (roofline, Williams et al. 2009). Bytes and B/s in, seconds out."""
    return (weight_bytes_read + decoded_together * kv_bytes_of_sequence) / memory_bandwidth


@metric(
    "decode_floor ÷ itl_p50",
    scope="level",
    unit="ratio",
    symbol="η",
    better="higher",
    style="percent",
    follows=(WITHOUT_EMBEDDING,),
    title=Text(zh="下限 ÷ 步长", en="floor ÷ step"),
    meaning=Text(zh="下限 ÷ 实测步长；1 表示贴着硬件极限。", en="Floor ÷ measured step; 1 is the hardware's limit."),
)
def floor_ratio(decode_floor: float, itl_p50: float) -> float:
    """Return floor ÷ measured step."""
    return decode_floor / itl_p50


@metric(
    "itl_p50 − decode_floor",
    scope="level",
    unit="ms",
    symbol="Δ_floor",
    better="lower",
    follows=(WITHOUT_EMBEDDING,),
    title=Text(zh="高出下限", en="above the floor"),
    meaning=Text(zh="实测步长比下限多出的时间。", en="What the measured step takes beyond its floor."),
)
def floor_gap(itl_p50: float, decode_floor: float) -> float:
    """Return measured step − floor, in seconds."""
    return itl_p50 - decode_floor


@metric(
    "bytes_per_step ÷ itl_p50 ÷ memory_bandwidth",
    scope="level",
    unit="ratio",
    symbol="MBU",
    better="higher",
    style="percent",
    follows=(WITHOUT_EMBEDDING,),
    title=Text(zh="带宽利用率 MBU", en="memory bandwidth utilisation (MBU)"),
    meaning=Text(zh="每步字节 ÷ 步长 ÷ 峰值带宽。", en="Bytes per step ÷ step ÷ peak bandwidth."),
)
def mbu(bytes_per_step: float, itl_p50: float, memory_bandwidth: float) -> float:
    """Return achieved ÷ peak bandwidth."""
    return bytes_per_step / itl_p50 / memory_bandwidth


@metric(
    "bytes_per_step ÷ itl_p50",
    scope="level",
    unit="GB/s",
    symbol="BW_eff",
    better="higher",
    digits=4,
    follows=(WITHOUT_EMBEDDING,),
    title=Text(zh="实际带宽", en="achieved bandwidth"),
    meaning=Text(zh="由每步字节与步长反推的带宽。", en="Bandwidth that the bytes and the time of a step amount to."),
)
def achieved_bandwidth(bytes_per_step: float, itl_p50: float) -> float:
    """Return bytes ÷ step. Bytes and seconds in, B/s out."""
    return bytes_per_step / itl_p50


@metric(
    "decode_floor ÷ (decoded_together ÷ output_throughput)",
    scope="level",
    unit="ratio",
    symbol="η_X",
    better="higher",
    style="percent",
    follows=(WITHOUT_EMBEDDING,),
    title=Text(zh="下限 ÷ 步长（计入停顿与首个 token 的等待）", en="floor ÷ step, with stalls and first-token waits"),
    meaning=Text(
        zh="下限 ÷ 每步摊到的总耗时（一起解码的请求数 ÷ 输出吞吐），停顿与等首个 token 的时间都算在内。",
        en="Floor ÷ wall clock per step (requests decoded together ÷ output throughput), with stalls and waits for first tokens.",
    ),
)
def throughput_floor_ratio(decode_floor: float, decoded_together: float, output_throughput: float) -> float:
    """Return floor ÷ effective step."""
    return decode_floor / (decoded_together / output_throughput)
