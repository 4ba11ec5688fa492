"""vLLM's server: the access lines of its HTTP front end, one for each request that it answered in any way."""

from __future__ import annotations

import re

from generator.kinds import Engine, Launching
from generator.text import same

# `INFO:     127.0.0.1:57776 - "POST /v1/completions HTTP/1.1" 200 OK`, whatever the status: what was refused has
# reached the server, too. Other paths (health, metrics, tokenize) are no requests of a load.
ACCESS = re.compile(rb'INFO: {1,9}[\w.:\[\]-]{1,60}:\d{1,5} - "POST /v1/(?:chat/)?completions HTTP/[\d.]{1,4}" \d{3}\b')

# It listens only once it is ready. `vllm serve` takes the model without a flag as well.
LAUNCHING = Launching(version="/version")

vllm = Engine("vllm", same("vLLM"), "completions HTTP", ACCESS, LAUNCHING)
