"""What llama.cpp's /slots says: of each slot, whose request it has and how far that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.collect.reference.scheduler import spread_over

if TYPE_CHECKING:
    from generator.collect.reference.scheduler import Engine, Sequence


def slots_of(engine: Engine) -> list[dict[str, Any]]:
    """Return all slots of an engine, in their order."""
    holders = spread_over(engine.running.values(), engine.machine.slots)
    return [_slot(number, holder, engine.machine.context) for number, holder in enumerate(holders)]


def _slot(number: int, holder: Sequence | None, context: int) -> dict[str, Any]:
    slot = {"id": number, "n_ctx": context, "speculative": False}
    if holder is None:
        return {**slot, "is_processing": False}
    left = {"n_decoded": holder.made, "n_remain": holder.output - holder.made}
    prompt = {
        "n_prompt_tokens": holder.prompt + holder.made,  # it grows with the answer
        "n_prompt_tokens_processed": min(holder.prefilled, holder.prompt),
        "n_prompt_tokens_cache": 0,
    }
    return {**slot, "is_processing": True, "id_task": holder.id, **prompt, "next_token": [left]}
