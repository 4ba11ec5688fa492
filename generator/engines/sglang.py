"""SGLang's server: the access lines of its HTTP front end, which bear its own time in front."""

from __future__ import annotations

import re

from generator.kinds import Engine, Launching
from generator.text import same

# `[2026-01-05 10:00:00] INFO:     127.0.0.1:57776 - "POST /v1/completions HTTP/1.1" 200 OK`, with milliseconds and
# ranks in the brackets at times. /generate does not count: the server warms itself up through it.
ACCESS = re.compile(
    rb"\[20\d\d-\d\d-\d\d \d\d:\d\d:\d\d[^\]\n]{0,40}\] INFO: {1,9}"
    rb'[\w.:\[\]-]{1,60}:\d{1,5} - "POST /v1/(?:chat/)?completions HTTP/[\d.]{1,4}" \d{3}\b'
)

# It listens before it has warmed itself up, and is not healthy until then.
LAUNCHING = Launching(port=30000, model_flags=("--model-path", "--model"), loading=True, version="/get_server_info")

sglang = Engine("sglang", same("SGLang"), "completions HTTP", ACCESS, LAUNCHING)
