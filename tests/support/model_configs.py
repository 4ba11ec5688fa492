"""config.json of models that are known, as far as their shape goes; written down from their public model cards."""

from __future__ import annotations

from typing import Any, Final

Config = dict[str, Any]

QWEN25_7B: Final[Config] = {
    "model_type": "qwen2", "num_hidden_layers": 28, "hidden_size": 3584, "num_attention_heads": 28,
    "num_key_value_heads": 4, "intermediate_size": 18_944, "vocab_size": 152_064, "tie_word_embeddings": False,
    "torch_dtype": "bfloat16", "use_sliding_window": False, "sliding_window": 131_072, "max_window_layers": 28,
}  # fmt: skip
QWEN3_8B: Final[Config] = {
    "model_type": "qwen3", "num_hidden_layers": 36, "hidden_size": 4096, "num_attention_heads": 32,
    "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 12_288, "vocab_size": 151_936,
    "tie_word_embeddings": False, "torch_dtype": "bfloat16", "use_sliding_window": False, "sliding_window": None,
}  # fmt: skip
LLAMA32_1B: Final[Config] = {
    "model_type": "llama", "num_hidden_layers": 16, "hidden_size": 2048, "num_attention_heads": 32,
    "num_key_value_heads": 8, "head_dim": 64, "intermediate_size": 8192, "vocab_size": 128_256,
    "tie_word_embeddings": True, "torch_dtype": "bfloat16",
}  # fmt: skip
DEEPSEEK_V3: Final[Config] = {
    "model_type": "deepseek_v3", "num_hidden_layers": 61, "hidden_size": 7168, "num_attention_heads": 128,
    "num_key_value_heads": 128, "intermediate_size": 18_432, "moe_intermediate_size": 2048, "n_routed_experts": 256,
    "num_experts_per_tok": 8, "n_shared_experts": 1, "first_k_dense_replace": 3, "moe_layer_freq": 1,
    "kv_lora_rank": 512, "q_lora_rank": 1536, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
    "vocab_size": 129_280, "tie_word_embeddings": False, "torch_dtype": "bfloat16", "num_nextn_predict_layers": 1,
    "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]},
}  # fmt: skip
GEMMA3_27B: Final[Config] = {
    "model_type": "gemma3", "torch_dtype": "bfloat16", "vision_config": {"num_hidden_layers": 27},
    "text_config": {
        "model_type": "gemma3_text", "num_hidden_layers": 62, "hidden_size": 5376, "intermediate_size": 21_504,
        "num_attention_heads": 32, "num_key_value_heads": 16, "head_dim": 128, "sliding_window": 1024,
    },
}  # fmt: skip
QWEN3_NEXT: Final[Config] = {
    "model_type": "qwen3_next", "num_hidden_layers": 48, "hidden_size": 2048, "num_attention_heads": 16,
    "num_key_value_heads": 2, "head_dim": 256, "intermediate_size": 5120, "moe_intermediate_size": 512,
    "num_experts": 512, "num_experts_per_tok": 10, "shared_expert_intermediate_size": 512, "decoder_sparse_step": 1,
    "mlp_only_layers": [], "full_attention_interval": 4, "linear_num_key_heads": 16, "linear_key_head_dim": 128,
    "linear_num_value_heads": 32, "linear_value_head_dim": 128, "linear_conv_kernel_dim": 4, "vocab_size": 151_936,
    "tie_word_embeddings": False, "torch_dtype": "bfloat16",
}  # fmt: skip
GPT_OSS_120B: Final[Config] = {
    "model_type": "gpt_oss", "num_hidden_layers": 36, "hidden_size": 2880, "num_attention_heads": 64,
    "num_key_value_heads": 8, "head_dim": 64, "intermediate_size": 2880, "num_local_experts": 128,
    "num_experts_per_tok": 4, "sliding_window": 128, "vocab_size": 201_088, "torch_dtype": "bfloat16",
    "tie_word_embeddings": False,
    "quantization_config": {
        "quant_method": "mxfp4",
        "modules_to_not_convert": ["model.layers.*.self_attn", "model.layers.*.mlp.router", "lm_head"],
    },
}  # fmt: skip
QWEN3_30B_A3B: Final[Config] = {
    "model_type": "qwen3_moe", "num_hidden_layers": 48, "hidden_size": 2048, "num_attention_heads": 32,
    "num_key_value_heads": 4, "head_dim": 128, "intermediate_size": 6144, "moe_intermediate_size": 768,
    "num_experts": 128, "num_experts_per_tok": 8, "decoder_sparse_step": 1, "mlp_only_layers": [],
    "vocab_size": 151_936, "tie_word_embeddings": False, "torch_dtype": "bfloat16", "use_sliding_window": False,
}  # fmt: skip
MIXTRAL: Final[Config] = {
    "model_type": "mixtral", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32,
    "num_key_value_heads": 8, "intermediate_size": 14_336, "num_local_experts": 8, "num_experts_per_tok": 2,
    "sliding_window": None, "vocab_size": 32_000, "tie_word_embeddings": False, "torch_dtype": "bfloat16",
}  # fmt: skip
NEMOTRON_H_8B: Final[Config] = {
    "model_type": "nemotron_h", "num_hidden_layers": 52, "hidden_size": 4096, "intermediate_size": 21_504,
    "hybrid_override_pattern": "M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-",
    "num_attention_heads": 32, "num_key_value_heads": 8, "attention_head_dim": 128, "mamba_num_heads": 128,
    "mamba_head_dim": 64, "n_groups": 8, "ssm_state_size": 128, "conv_kernel": 4, "vocab_size": 131_072,
    "tie_word_embeddings": False, "torch_dtype": "bfloat16",
}  # fmt: skip
ALL: Final = (
    QWEN25_7B, QWEN3_8B, LLAMA32_1B, DEEPSEEK_V3, GEMMA3_27B, QWEN3_NEXT, GPT_OSS_120B, QWEN3_30B_A3B, MIXTRAL,
    NEMOTRON_H_8B,
)  # fmt: skip
