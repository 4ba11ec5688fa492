"""What the model's own files say: what a token and a sequence keep, which weights a step reads, what a prompt computes."""

from __future__ import annotations

import math
from typing import Final

from generator.kinds import Metric, Unknown, metric, observed
from generator.places import architecture
from generator.text import Text
from generator.themes import MACHINE
from generator.units import base_unit

THEME: Final = MACHINE

ALL_USED: Final = Text(zh="没有未用到的专家", en="there is no expert that a token leaves out")
FILES: Final = Text(zh="由模型自己的文件得出。", en=" Taken from the model's own files.")


def _of_model(key: str, unit: str, symbol: str, title: Text, meaning: Text, *, name: str | None = None) -> Metric:
    """Declare a number of architecture.json, of a series."""
    told = Text(zh=meaning.zh + FILES.zh, en=meaning.en + FILES.en)
    return observed(
        key, scope="series", unit=unit, symbol=symbol, digits=12, title=title, meaning=told,
        places=[architecture(name or key, base_unit(unit))],
    )  # fmt: skip


kv_elements = _of_model(
    "kv_elements", "1", "n_el",
    Text(zh="每 token 的 KV 元素数", en="KV elements per token"),
    Text(
        zh="一个 token 在保留全部上下文的各层里占的元素数；MLA 每层只有一个 latent 向量。",
        en="Elements of a token over the layers that keep the whole context; with MLA a layer has one latent vector.",
    ),
)  # fmt: skip
kv_element_bytes = _of_model(
    "kv_element_bytes", "B", "b_el",
    Text(zh="KV 元素字节数（该系列）", en="bytes per KV element of the series"),
    Text(
        zh="由服务端的启动参数决定，没有参数就是模型的类型；K 与 V 类型不同时取按元素数加权的平均。",
        en="By the flags of the server, else the type of the model; where K and V differ, their mean by elements.",
    ),
)  # fmt: skip


@kv_element_bytes.otherwise("kv_dtype_bytes")
def kv_element_bytes_declared(kv_dtype_bytes: float) -> float:
    """Take what is declared of the round."""
    return kv_dtype_bytes


kv_window_elements = _of_model(
    "kv_window_elements", "1", "n_el,win",
    Text(zh="滑动窗口层每 token 的 KV 元素数", en="KV elements per token of layers with a window"),
    Text(
        zh="一个 token 在只保留一个窗口的各层里占的元素数。",
        en="Elements of a token over the layers that keep a window only.",
    ),
)  # fmt: skip
attention_window = _of_model(
    "attention_window", "tok", "w_att",
    Text(zh="注意力窗口", en="attention window"),
    Text(zh="带窗口的层最多回看的 token 数。", en="Tokens that layers with a window look back on at most."),
)  # fmt: skip
state_bytes = _of_model(
    "state_bytes", "B", "S_state",
    Text(zh="每条序列的状态字节", en="bytes of the states of a sequence"),
    Text(
        zh="线性注意力与 SSM 层每条序列的状态，与长度无关。",
        en="What layers of linear attention and SSM layers keep of a sequence, whatever its length.",
    ),
)  # fmt: skip
model_weight_bytes = _of_model(
    "model_weight_bytes", "GB", "W_model",
    Text(zh="每步读的权重（按模型文件）", en="weight bytes per step by the model's files"),
    Text(
        zh="一条序列解码一步读的权重；MoE 模型只计它用到的专家，不含输入 embedding。",
        en="What a step of one sequence reads: of a mixture the experts that it uses, without the input embedding.",
    ),
    name="weight_bytes",
)  # fmt: skip
dense_bytes = _of_model(
    "dense_bytes", "GB", "W_dense",
    Text(zh="专家以外的权重", en="weights outside the experts"),
    Text(zh="每步都读的部分：注意力、共享专家、router、输出头。", en="Read in every step: attention, shared experts, router, head."),
)  # fmt: skip
experts = _of_model(
    "experts", "1", "E_n",
    Text(zh="每层专家数", en="experts of a layer"),
    Text(zh="一层里的路由专家数。", en="Routed experts of a layer."),
)  # fmt: skip
experts_used = _of_model(
    "experts_used", "1", "k_experts",
    Text(zh="每 token 的专家数", en="experts of a token"),
    Text(zh="一个 token 在一层里送往的专家数。", en="Experts of a layer that a token is sent to."),
)  # fmt: skip
expert_bytes = _of_model(
    "expert_bytes", "GB", "W_expert",
    Text(zh="每层一个专家的字节", en="bytes of one expert in each layer"),
    Text(zh="各层各取一个专家，字节数之和。", en="One expert of each layer, together."),
)  # fmt: skip
prefill_params = _of_model(
    "prefill_params", "1", "P_tok",
    Text(zh="每个输入 token 经过的参数", en="parameters that a prompt token passes"),
    Text(
        zh="矩阵乘里的参数，不含输出头：只有最后一个 token 要经过它。",
        en="Those in matrix products without the output head, which the last token alone has to pass.",
    ),
)  # fmt: skip
head_params = _of_model(
    "head_params", "1", "P_head",
    Text(zh="输出头的参数", en="parameters of the output head"),
    Text(zh="隐藏维度 × 词表。", en="Hidden size × vocabulary."),
)  # fmt: skip
pair_flops = _of_model(
    "pair_flops", "FLOP", "f_pair",
    Text(zh="一对 query 与 key 的运算", en="operations of a query with a key"),
    Text(
        zh="在保留全部上下文的各层里：2 × 头数 ×（key 维度 + value 维度）之和。",
        en="Over the layers that keep the whole context: 2 × heads × (key + value dimension), added up.",
    ),
)  # fmt: skip
window_pair_flops = _of_model(
    "window_pair_flops", "FLOP", "f_pair,win",
    Text(zh="窗口层一对 query 与 key 的运算", en="operations of a query with a key in layers with a window"),
    Text(
        zh="在只保留一个窗口的各层里：2 × 头数 ×（key 维度 + value 维度）之和。",
        en="Over the layers that keep a window only: 2 × heads × (key + value dimension), added up.",
    ),
)  # fmt: skip


@metric(
    "kv_elements × kv_element_bytes",
    scope="series",
    unit="KiB",
    symbol="kv_model",
    better="lower",
    digits=4,
    title=Text(zh="每 token 的 KV 字节（按模型文件）", en="KV bytes per token by the model's files"),
    meaning=Text(
        zh="上下文很长时，每多一个 token 多占的字节：窗口层与状态层到那时不再增长。",
        en="What one more token takes of a long context: layers with a window or a state grow no more by then.",
    ),
)
def model_kv_bytes_per_token(kv_elements: float, kv_element_bytes: float) -> float:
    """Return elements × bytes each, of layers that keep all tokens."""
    return kv_elements * kv_element_bytes


@metric(
    "(kv_elements × mean_context + kv_window_elements × min(mean_context, attention_window)) × kv_element_bytes"
    " + state_bytes",
    scope="level",
    unit="MiB",
    symbol="KV_seq",
    better="lower",
    title=Text(zh="每步读的一条序列的 KV", en="KV bytes of one sequence per step"),
    meaning=Text(
        zh="解码一步为一条请求读的 K、V 与状态，在平均上下文下；窗口层最多读一个窗口。",
        en="Keys, values and states that a step reads for one request at its mean context; layers with a window read that "
        "at most.",
    ),
)
def kv_bytes_of_sequence(
    kv_elements: float,
    mean_context: float,
    kv_window_elements: float,
    attention_window: float,
    kv_element_bytes: float,
    state_bytes: float,
) -> float:
    """Return the bytes of layers with all tokens, of those with a window, and of states."""
    kept = kv_elements * mean_context + kv_window_elements * min(mean_context, attention_window)
    return kept * kv_element_bytes + state_bytes


@kv_bytes_of_sequence.otherwise("mean_context × kv_bytes_per_token + state_bytes")
def kv_bytes_with_states(mean_context: float, kv_bytes_per_token: float, state_bytes: float) -> float:
    """Return context × bytes of a token, and the states, where no layer has a window."""
    return mean_context * kv_bytes_per_token + state_bytes


@kv_bytes_of_sequence.otherwise("mean_context × kv_bytes_per_token")
def kv_bytes_of_context(mean_context: float, kv_bytes_per_token: float) -> float:
    """Return context × bytes of a token, where all layers keep all tokens."""
    return mean_context * kv_bytes_per_token


@metric(
    "experts × (1 − exp(decoded_together × ln(1 − experts_used ÷ experts)))",
    scope="level",
    unit="1",
    symbol="E_B",
    digits=4,
    title=Text(zh="每层读到的专家数", en="experts read in a layer"),
    meaning=Text(
        zh="各 token 独立、均匀地选专家时，一步里至少被选中一次的专家数的期望；真实的路由有偏，会更少。",
        en="Distinct experts that a step is expected to need where every token chooses evenly and for itself; real routing is "
        "uneven, and needs fewer.",
    ),
)
def experts_read(experts: float, decoded_together: float, experts_used: float) -> float | Unknown:
    """Return E × (1 − (1 − k ÷ E)^B)."""
    if experts_used >= experts:
        return Unknown(ALL_USED)
    return experts * (1 - math.exp(decoded_together * math.log(1 - experts_used / experts)))


@metric(
    "dense_bytes + experts_read × expert_bytes",
    scope="level",
    unit="GB",
    symbol="W_B",
    better="lower",
    digits=4,
    follows=("without_embedding",),
    title=Text(zh="该档每步读的权重", en="weight bytes per step at the level"),
    meaning=Text(
        zh="MoE 模型，一起解码的请求越多，一步要读的专家越多；其余模型与档位无关。",
        en="Of a mixture of experts a step reads more of them the more requests are decoded together; of other models it is the same "
        "at every level.",
    ),
)
def weight_bytes_read(dense_bytes: float, experts_read: float, expert_bytes: float) -> float:
    """Return what is always read, and the experts that are expected."""
    return dense_bytes + experts_read * expert_bytes


@weight_bytes_read.otherwise("weight_bytes_per_step")
def weight_bytes_of_any_level(weight_bytes_per_step: float) -> float:
    """Take the bytes of a step, where they do not depend on the level."""
    return weight_bytes_per_step
