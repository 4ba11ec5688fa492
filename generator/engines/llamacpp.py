"""llama.cpp's server: a request that it takes up is put into a slot, and the log says so."""

from __future__ import annotations

import re

from generator.kinds import Engine, Launching
from generator.text import same

# Since September 2024: `slot launch_slot_: id  7 | task 2 | processing task, is_child = 0`; before, and in forks:
# `INFO [   launch_slot_with_task] slot is processing task | tid="…" … id_task=2`, or the same as JSON. A request for
# several answers launches a child for each further one. The slot's other lines of that function say something else.
LAUNCH = re.compile(
    rb"launch_slot_(?:"
    rb": id +\d+ \| task \d+ \| processing task(?!, is_child = 1)"
    rb'|with_task(?:\] |",[^\n]{0,40}"msg":")slot is processing task'
    rb")"
)

# It listens while the model is still loading. What it was built from stands in `build_info` of /props.
LAUNCHING = Launching(port=8080, model_flags=("-m", "--model"), loading=True, version="/props")

llamacpp = Engine("llamacpp", same("llama.cpp"), "launch_slot_", LAUNCH, LAUNCHING)
