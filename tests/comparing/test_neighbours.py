from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from generator.comparing.neighbours import REACH, are_related, families, neighbours
from generator.declared.round_tables import ModelTable, SeriesTable
from generator.frame import Analysis
from tests.comparing.two_rounds import throughputs


def serving(round_id: str, model: str, *engines: str) -> Analysis:
    """Return a round of a model with a series for each engine."""
    analysis = throughputs(100.0)
    (series,) = analysis.round.series
    tables = [SeriesTable(id=f"s{at}", engine=engine) for at, engine in enumerate(engines)]
    file = analysis.round.file.model_copy(update={"model": ModelTable(name=model)})
    changed = tuple(replace(series, table=table) for table in tables)
    return replace(analysis, round=replace(analysis.round, id=round_id, file=file, series=changed))


def pairs(rounds: Sequence[Analysis]) -> list[tuple[str, str]]:
    return [(one.base.round.id, one.head.round.id) for one in neighbours(rounds)]


def test_a_round_is_held_against_the_nearest_one_of_its_model_and_an_engine_of_its_own() -> None:
    rounds = [
        serving("1", "small", "vLLM"),
        serving("2", "large", "vLLM"),
        serving("3", "small", "SGLang"),
        serving("4", "small", "vllm", "llama.cpp"),  # the same engine, written otherwise
        serving("5", "small", "llamacpp"),
        serving("6", "large", "vLLM"),
    ]
    assert pairs(rounds) == [("1", "4"), ("4", "5"), ("2", "6")]


def test_the_rounds_before_a_pair_are_what_noise_is_learnt_from() -> None:
    rounds = [serving(str(at), "small", "vLLM") for at in range(REACH + 5)]
    found = list(neighbours(rounds))
    assert [one.round.id for one in found[2].earlier] == ["0", "1"]
    assert len(found) == REACH + 4
    assert max(len(one.earlier) for one in found) == REACH


def test_rounds_are_related_by_model_and_engine() -> None:
    assert are_related(serving("1", "small", "vLLM", "SGLang"), serving("2", "small", "sglang"))
    assert not are_related(serving("1", "small", "vLLM"), serving("2", "large", "vLLM"))
    assert not are_related(serving("1", "small", "vLLM"), serving("2", "small", "SGLang"))


def test_a_family_are_the_rounds_of_a_model() -> None:
    found = families([serving("1", "small", "a"), serving("2", "large", "a"), serving("3", "small", "b")])
    assert {model: [one.round.id for one in members] for model, members in found.items()} == {
        "small": ["1", "3"], "large": ["2"],
    }  # fmt: skip
