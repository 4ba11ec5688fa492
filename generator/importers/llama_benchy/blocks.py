"""A run of llama-benchy from one block of its results, whichever format it came in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from generator.importers.llama_benchy.names import ASKED_INPUT, MAPPING, TOOL
from generator.runs.imported import Run
from generator.store.foreign import number_at, run_of, text_at

CONTEXT: Final = "is_context_prefill_phase"


def run_of_block(block: Mapping[str, Any], header: Mapping[str, Any], file: str, place: str) -> Run:
    """Return the run of a block.

    Args:
        block: its entries, each number ``{mean, std, …}``.
        header: the entries of the whole report.
        file: how error lines call the file.
        place: which block it is.

    Raises:
        InputError: a number cannot be.
    """
    concurrency = number_at(block, "concurrency")
    return run_of(
        {**header, **block, ASKED_INPUT: _asked(block)}, MAPPING, file=file, place=place, tool=TOOL,
        tool_version=text_at(header, "version"), model=text_at(header, "model") or text_at(block, "model"),
        concurrency=concurrency if concurrency is not None and concurrency > 0 else None,
        test=_test(block),
    )  # fmt: skip


def _test(block: Mapping[str, Any]) -> str:
    """Return what was run, after llama-benchy's own table: loads of one concurrency differ in length and depth."""
    prompt, made, depth, slots = (
        int(number_at(block, name) or 0) for name in ("prompt_size", "response_size", "context_size", "concurrency")
    )
    phase = "ctx-" if block.get(CONTEXT) is True else ""
    return f"{phase}pp{prompt}-tg{made}{f'-d{depth}' if depth else ''}-c{slots}"


def _asked(block: Mapping[str, Any]) -> float:
    """Return the tokens of a prompt with what comes before it; the phase that loads the context has nothing else."""
    context = number_at(block, "context_size") or 0.0
    return context if block.get(CONTEXT) is True and context else (number_at(block, "prompt_size") or 0.0) + context
