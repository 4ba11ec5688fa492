"""What must not be published, struck out of entries and commands: their names tell what their texts do not."""

from __future__ import annotations

import re
from typing import Final

from generator.redaction import LOCAL, SECRET_WORDS, STRUCK, redact

SECRET_NAME: Final = re.compile(
    rf"(?:^|[_\-. ])(?:{SECRET_WORDS}|(?:access|auth|hf|bearer)?[_-]?token"
    r"|authorization|cookie|host|hostname|user|username|login|owner|e-?mail|ip(?:[_-]?addr(?:ess)?)?)$",
    re.IGNORECASE,
)
"""Names of entries whose text is a secret, a host or a person, whatever it looks like."""

_PLACE_NAME: Final = re.compile(
    r"(?:^|[_\-. ])(?:server|node|machine|endpoint|(?:base[_-]?)?ur[il]|addr(?:ess)?)$", re.IGNORECASE
)
"""Names of entries whose text may begin with a bare host."""

_BARE_HOST: Final = re.compile(
    rf"(?!{LOCAL}(?:[:/]|$))(?!(?:vllm|sglang|llama|ollama|tgi|trt|tensorrt|triton|lmdeploy)\b)[\w.-]+(?=$|/|:(?!//))",
    re.IGNORECASE,
)


def redact_entry(name: str, text: str) -> str:
    """Return the text of a named entry; where the name says that it is a secret, nothing of it."""
    if text and SECRET_NAME.search(name):
        return STRUCK
    return redact_place(name, redact(text))


def redact_place(name: str, text: str) -> str:
    """Return the text of a named entry without the bare host that it begins with, where the name is that of a place."""
    return _BARE_HOST.sub(STRUCK, text, count=1) if _PLACE_NAME.search(name) and _begins_bare(text) else text


def _begins_bare(text: str) -> bool:
    return _BARE_HOST.match(text) is not None
