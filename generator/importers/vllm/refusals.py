"""What is said of a file that is no result of `vllm bench serve`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from generator.errors import InputError
from generator.store import looks
from generator.store.looks import look_of_text

CLIENT: Final = "`vllm bench serve`"
NO_RESULT: Final = f"holds no result of {CLIENT}"
REMEDY: Final = "import the file that `vllm bench serve --save-result` writes, or its printed table"

SGLANG: Final = frozenset({"total_output_tokens_retokenized", "mean_e2e_latency_ms", "sharegpt_output_len"})
"""Entries of the one client whose results have the same names for duration and completed requests."""


def no_result(file: str, place: str, names: Iterable[str], missing: Iterable[str]) -> InputError:
    """Return what to say of a JSON object that is no result: what is missing, and what it looks like.

    Args:
        file: how error lines call the file.
        place: which object of it.
        names: the names of the object's entries.
        missing: what a result would have to have.
    """
    return looks.no_result(file, place, CLIENT, names, missing, REMEDY)


def of_sglang(file: str, place: str) -> InputError:
    """Return what to say of a result of the client that names several things as vLLM's does."""
    problem = f"{NO_RESULT}: it is a result of SGLang's bench_serving, which means other things by some of the names"
    return InputError(file, place, problem, "import its JSON Lines as they are, or with --format sglang")


def no_table(file: str, head: bytes) -> InputError:
    """Return what to say of a file that is neither JSON nor holds a printed table; ``head`` is how it begins."""
    if not head.strip():
        return InputError(file, "", "is empty", REMEDY)
    if b"\0" in head:
        return InputError(file, "", f"{NO_RESULT}: it is neither text nor JSON", REMEDY)
    look = look_of_text(head)
    problem = f"{NO_RESULT}: {f'it looks like {look}' if look else 'it is neither JSON nor has a printed table'}"
    return InputError(file, "", problem, REMEDY)
