"""llama.cpp's server: a request that it takes up is put into a slot, and the log says so."""

from __future__ import annotations

from generator.kinds import Engine, Launching
from generator.logs.happenings import of_llamacpp
from generator.logs.llamacpp import EVENTS
from generator.logs.llamacpp_facts import FACTS
from generator.text import same

# It listens while the model is still loading. What it was built from stands in `build_info` of /props.
LAUNCHING = Launching(port=8080, model_flags=("-m", "--model"), loading=True, version="/props")

llamacpp = Engine(
    "llamacpp", same("llama.cpp"), launching=LAUNCHING, events=EVENTS, facts=FACTS, happenings=of_llamacpp
)
