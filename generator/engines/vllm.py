"""vLLM's server: the OpenAI API alone, ready as soon as it listens; its log is told of in ``generator.logs.vllm``."""

from __future__ import annotations

from generator.kinds import Engine, Launching
from generator.logs.happenings import of_vllm
from generator.logs.vllm import EVENTS, FACTS
from generator.text import same

# It listens only once it is ready. `vllm serve` takes the model without a flag as well.
LAUNCHING = Launching(model_follows="serve", version="/version")

vllm = Engine("vllm", same("vLLM"), launching=LAUNCHING, events=EVENTS, facts=FACTS, happenings=of_vllm)
