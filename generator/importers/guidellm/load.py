"""The load of a GuideLLM benchmark, and what it says of itself beside its numbers."""

from __future__ import annotations

from typing import Any, Final

from generator.store.foreign import limit_at, text_at

TOOL: Final = "GuideLLM"
OPEN: Final = frozenset({"constant", "poisson", "async"})
"""Strategies that send at a rate."""
MODELS: Final = (
    "worker.backend_model", "config.backend.model", "config.spec.backend.model", "backend.model", "args.model",
    "args.backend_kwargs.model", "request_loader.processor", "args.processor", "config.spec.tokenizer",
)  # fmt: skip
"""Where the model stands, the tokenizer last: it is that of the model where nothing else is said."""
HIDDEN: Final = frozenset(
    {"target", "backend_target", "headers", "environment", "output_dir", "output_path", "prompt", "request_args"}
)
"""Entries with hosts, headers and paths of whoever ran it."""


def limits(strategy: Any) -> tuple[float | None, float | None]:  # noqa: ANN401 - any JSON
    """Return the concurrency and the rate that a strategy asks for; None for no cap, and for no rate."""
    kind = text_at(strategy, "type_", "kind")
    cap = limit_at(strategy, "streams", "max_concurrency")
    if kind == "synchronous":
        return 1.0, None
    return cap, limit_at(strategy, "rate") if kind in OPEN else None


def asked(document: Any) -> str | None:  # noqa: ANN401 - any JSON
    """Return the model that a report, or a part of it, names."""
    return text_at(document, *MODELS)


def sampled(document: Any) -> Any:  # noqa: ANN401 - any JSON
    """Return a document without the statistics of nothing: the tool writes them as zeros, beside a count of 0."""
    if not isinstance(document, dict):
        return document
    return {name: sampled(inner) for name, inner in document.items() if not _is_of_nothing(inner)}


def _is_of_nothing(block: Any) -> bool:  # noqa: ANN401 - any JSON
    return isinstance(block, dict) and "mean" in block and block.get("count") == 0
