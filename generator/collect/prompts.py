"""Prompts of a run: made of words from its seed, of the lengths asked, or drawn from the dataset file of the round."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from generator.collect.dataset import Dataset
from generator.collect.load import Job
from generator.collect.openai_api import PATHS, body_of
from generator.collect.round_plan import PlannedRun
from generator.collect.tokenizing import Vocabulary
from generator.declared.round_tables import WorkloadTable
from generator.traffic.rows import Row

Plain = str | float | bool | None
"""What an entry of level.json's summary may be."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What one request asks: its words (and their ids, where they are known), and the lengths asked.

    ``input_tokens`` is None where the words are a dataset's: the server counts them.
    """

    text: str
    ids: tuple[int, ...]
    input_tokens: int | None
    output_tokens: int


def prompts_of(
    run: PlannedRun, workload: WorkloadTable, vocabulary: Vocabulary, dataset: Dataset | None = None
) -> list[Prompt]:
    """Return the prompts of a run, those before the clock first.

    Args:
        run: how many, and of which lengths: those of a dataset go before.
        workload: how lengths lie about those asked.
        vocabulary: the words that prompts are made of.
        dataset: texts or lengths to be used. Runs draw from places of it that do not overlap; with the arrivals of a
            trace every run has the requests that go with them, the first ones, and only the words differ.
    """
    rng = np.random.default_rng(run.seed)
    if dataset is not None:
        return [_as_recorded(row, run, vocabulary, rng) for row in _rows(run, workload, dataset)[0]]
    count = run.in_all
    inputs = draw_lengths(run.input_tokens, count, workload, rng)
    outputs = draw_lengths(run.output_tokens, count, workload, rng)
    return [_prompt(given, made, vocabulary, rng) for given, made in zip(inputs, outputs, strict=True)]


def told_of(
    prompts: Sequence[Prompt], run: PlannedRun, workload: WorkloadTable, dataset: Dataset | None = None
) -> dict[str, Plain]:
    """Return what has to be said of the prompts of a run; of a text itself, nothing.

    ``prompts_repeated`` counts those that this run has twice, or that the dataset was too small to have only once over
    all runs: a cache may know them. ``…_tokens_asked`` are means, None where a length is not known beforehand.
    """
    again = len(prompts) - len({one.text for one in prompts})
    drawn = _rows(run, workload, dataset)[1] if dataset is not None else 0
    told: dict[str, Plain] = {
        "input_tokens_asked": _mean([one.input_tokens for one in prompts]),
        "output_tokens_asked": _mean([one.output_tokens for one in prompts]),
        "prompts_repeated": max(again, drawn),
    }
    return told if dataset is None else told | {"dataset_kind": dataset.kind, "dataset_requests": len(dataset.rows)}


def _mean(lengths: Sequence[int | None]) -> float | None:
    known = [length for length in lengths if length is not None]
    return sum(known) / len(known) if known and len(known) == len(lengths) else None


def _rows(run: PlannedRun, workload: WorkloadTable, dataset: Dataset) -> tuple[list[Row], int]:
    """Return the requests of a run out of a dataset, and how many of their texts another run had before."""
    if workload.arrival != "trace" or run.rate is None:
        rows, again = dataset.draw(run.offset, run.in_all, workload.seed)
    else:
        before = run.cold + run.warm
        rows = dataset.in_order(run.requests, before) + dataset.in_order(0, run.requests)
        again = len(rows) if run.offset else 0
    # Where there are lengths only, the words are new in every run.
    return rows, min(again, sum(row.text is not None for row in rows))


def _as_recorded(row: Row, run: PlannedRun, vocabulary: Vocabulary, rng: np.random.Generator) -> Prompt:
    made = row.output_tokens or run.output_tokens
    if row.text is not None:
        return Prompt(row.text, (), None, made)
    return _prompt(row.input_tokens or run.input_tokens, made, vocabulary, rng)


def draw_lengths(asked: int, count: int, workload: WorkloadTable, rng: np.random.Generator) -> list[int]:
    """Return lengths in tokens about the one asked, none below 1.

    ``uniform`` lies up to the spread above and below; ``lognormal`` has the length asked as its mean: its logarithm
    has the standard deviation s = spread, and the mean ln(asked) − s² ÷ 2.
    """
    spread = workload.length_spread
    match workload.lengths:
        case "uniform":
            drawn = rng.uniform(asked * (1 - min(spread, 1)), asked * (1 + spread), count)
        case "lognormal":
            drawn = rng.lognormal(math.log(asked) - spread**2 / 2, spread, count)
        case _:
            return [asked] * count
    return [max(1, round(length)) for length in drawn]


def _prompt(given: int, made: int, vocabulary: Vocabulary, rng: np.random.Generator) -> Prompt:
    chosen = rng.integers(0, len(vocabulary.words), given)
    text = " ".join(vocabulary.words[word] for word in chosen)
    ids = tuple(vocabulary.ids[word] for word in chosen) if vocabulary.is_exact else ()
    return Prompt(text, ids, given, made)


def jobs_of(prompts: Sequence[Prompt], workload: WorkloadTable, model: str | None) -> list[Job]:
    """Return the requests that ask for some prompts: streamed, greedy, to the full length where asked."""
    return [Job(PATHS[workload.api], json.dumps(_body(one, workload, model)).encode()) for one in prompts]


def _body(prompt: Prompt, workload: WorkloadTable, model: str | None) -> dict[str, Any]:
    # Ids leave the server nothing to tokenize, and no text that it might tokenize otherwise.
    asked = prompt.ids if prompt.ids and workload.api != "chat" else prompt.text
    full = {"ignore_eos": True} if workload.ignore_eos is not False else {}
    counted = {"stream_options": {"include_usage": True}}
    return {**body_of(workload.api, asked, prompt.output_tokens, model), **counted, **full}
