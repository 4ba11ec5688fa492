"""SGLang's server: its log is told of in ``generator.logs.sglang``."""

from __future__ import annotations

from generator.kinds import Engine, Launching
from generator.logs.sglang import EVENTS, FACTS
from generator.text import same

# It listens before it has warmed itself up, and is not healthy until then.
LAUNCHING = Launching(port=30000, model_flags=("--model-path", "--model"), loading=True, version="/get_server_info")

sglang = Engine("sglang", same("SGLang"), launching=LAUNCHING, events=EVENTS, facts=FACTS)
