"""Who runs this is known, and what of an environment is kept, and what is not."""

from __future__ import annotations

import pytest

from generator.collect.host.secrets import identity, strike_environment, this_identity
from generator.redaction import hashed
from generator.store.arguments import NOBODY

JO = identity(["jo", "gpu7"], ["/home/jo", "/srv/people/jo"])
GPU = "GPU-8f6a2c1d-0b3e-4f5a-9c7d-112233445566"
RANDOM = "Zx81kQ0pW7vLm3Tn9RbY2sHd"


def test_of_an_environment_only_what_changes_an_engine_is_kept() -> None:
    variables = {
        "CUDA_VISIBLE_DEVICES": f"0,{GPU}",
        "VLLM_ATTENTION_BACKEND": "FLASHINFER",
        "VLLM_API_KEY": "geheim",
        "VLLM_HOST_IP": "10.1.2.3",
        "LLAMA_ARG_HF_TOKEN": "geheim",
        "LLAMA_CACHE": "/home/jo/.cache/llama",
        "GGML_SECRETLY": RANDOM,
        "OMP_NUM_THREADS": "8",
        "HF_HUB_OFFLINE": "1",
        "HF_TOKEN": "hf_geheim",
        "AWS_SECRET_ACCESS_KEY": "geheim",
        "USER": "jo",
        "HOSTNAME": "gpu7",
        "PATH": "/home/jo/bin",
        "SSH_CONNECTION": "10.0.0.1",
        "VLLM_EMPTY_TOKEN": "",
    }
    assert strike_environment(variables, JO) == {
        "CUDA_VISIBLE_DEVICES": f"0,GPU-{hashed(GPU)}",
        "GGML_SECRETLY": "***",
        "HF_HUB_OFFLINE": "1",
        "LLAMA_ARG_HF_TOKEN": "***",
        "LLAMA_CACHE": "~/.cache/llama",
        "OMP_NUM_THREADS": "8",
        "VLLM_API_KEY": "***",
        "VLLM_ATTENTION_BACKEND": "FLASHINFER",
        "VLLM_EMPTY_TOKEN": "",
        "VLLM_HOST_IP": "***",
    }


@pytest.mark.parametrize("name", ["root", "ubuntu", "vllm", "localhost", ""])
def test_common_names_name_nobody(name: str) -> None:
    assert identity([name], ["/"]) == NOBODY


def test_this_process_has_an_identity_without_common_names() -> None:
    found = this_identity()
    assert "" not in found.names
    assert "root" not in found.names
