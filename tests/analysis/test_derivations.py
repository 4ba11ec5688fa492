"""A formula says the same as its function: a reader who computes it from the inputs listed gets the value."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.analysis.graph import NAME, Step
from generator.analysis.stages import analyse
from generator.frame import Analysis, Frame
from generator.kinds import Answer, Picked, Unknown
from generator.model import Round
from generator.runs.gauges import COLUMNS
from generator.runs.requests import SAMPLES
from generator.text import same
from generator.units import from_base, to_base
from generator.values import Address, Value
from tests.support.example_rounds import EXAMPLES
from tests.support.formula import evaluate
from tests.support.memory_round import GRAPH

EVERY_STEP = [(key, step) for key, ways in GRAPH.steps.items() for step in ways]
STEP_IDS = [f"{key}-{basis}-{step.derivation.compute.__name__}" for (key, basis), step in EVERY_STEP]
ROW_BY_ROW = frozenset(name for name, _, _ in COLUMNS) | {"stall_begin", "stall_end"}
"""Samples with a row for each moment, or each stall, which go together."""
AMOUNTS = st.floats(min_value=0.1, max_value=100)
ROUNDING = 1e-13
"""What a difference of nearly equal numbers may be off by, though each is right to 15 digits."""


def unit(address: Address) -> str:
    return GRAPH.metrics[address.metric, address.basis].unit


def analysis_of(example: str) -> Analysis:
    return analyse(EXAMPLES[example](), GRAPH, ())


def frame_of(example: str) -> Frame:
    return analysis_of(example).frame


def is_median_of_trials(value: Value) -> bool:
    at = value.address
    return value.formula == f"median({at.metric})" and at.trial is None and at.scope == "level"


def samples(round_: Round, value: Value) -> dict[str, list[float]]:
    """Return the samples that a formula speaks of, from the requests of the run that it is of."""
    at = value.address
    named = set(NAME.findall(value.formula or "")) & set(SAMPLES)
    return {name: list(round_.requests[at.series or "", at.level or "", at.trial].sample(name)) for name in named}


def derived_values(frame: Frame) -> list[Value]:
    return [value for value in frame.values.values() if value.formula is not None]


def listed_inputs(frame: Frame, value: Value) -> dict[str, list[float]]:
    """Return what is listed under each name of a formula, in base units."""
    columns: dict[str, list[float]] = {}
    for listed in value.inputs:
        number = frame.values[listed.address].value
        assert number is not None
        columns.setdefault(listed.name, []).append(number)
    return {**columns, **sparse_inputs(frame, value)}


def sparse_inputs(frame: Frame, value: Value) -> dict[str, list[float]]:
    """Return the columns that go beside others: a number for each of their rows, NaN where none is listed."""
    levels = list(dict.fromkeys(one.address.level for one in value.inputs if one.address.level is not None))
    known = {(one.name, one.address.level): frame.values[one.address].value for one in value.inputs}
    return {
        name: [math.nan if (number := known.get((name, level))) is None else number for level in levels]
        for name in sparse_names(value)
    }


def sparse_names(value: Value) -> list[str]:
    ways = GRAPH.steps[value.address.metric, value.address.basis]
    return [
        port.name for way in ways if way.derivation.formula == value.formula for port in way.ports if port.is_sparse
    ]


def reported_inputs(frame: Frame, value: Value) -> dict[str, list[tuple[float, str]]]:
    """Return the same as report.json prints it: numbers with their units."""
    columns: dict[str, list[tuple[float, str]]] = {}
    for listed in value.inputs:
        number = frame.values[listed.address].value
        assert number is not None
        printed = from_base(number, unit(listed.address))
        columns.setdefault(listed.name, []).append((printed, unit(listed.address)))
    return columns


@pytest.mark.parametrize("example", EXAMPLES)
def test_formulas_give_the_values(example: str) -> None:
    analysis = analysis_of(example)
    frame = analysis.frame

    for value in derived_values(frame):
        inputs = {**listed_inputs(frame, value), **samples(analysis.round, value)}
        computed = evaluate(value.formula or "", inputs)
        assert computed == pytest.approx(value.value, rel=1e-9, abs=ROUNDING), value


@pytest.mark.parametrize("example", EXAMPLES)
def test_formulas_give_the_values_that_are_reported(example: str) -> None:
    analysis = analysis_of(example)
    frame = analysis.frame

    for value in derived_values(frame):
        printed = reported_inputs(frame, value)
        listed = {name: [to_base(*number) for number in column] for name, column in printed.items()}
        listed |= sparse_inputs(frame, value)
        inputs = {**listed, **samples(analysis.round, value)}
        assert value.value is not None
        reported = to_base(from_base(value.value, unit(value.address)), unit(value.address))
        assert evaluate(value.formula or "", inputs) == pytest.approx(reported, rel=1e-9, abs=ROUNDING), value


def test_every_formula_is_put_to_use() -> None:
    used = {
        (value.address.metric, value.address.basis, value.formula)
        for example in EXAMPLES
        for value in derived_values(frame_of(example))
        if not is_median_of_trials(value)
    }

    assert used == {(*key, step.derivation.formula) for key, step in EVERY_STEP}


@pytest.mark.parametrize("step", [step for _, step in EVERY_STEP], ids=STEP_IDS)
@settings(max_examples=30)
@given(data=st.data())
def test_formula_and_function_agree_on_any_inputs(step: Step, data: st.DataObject) -> None:
    rows = data.draw(st.integers(1, 5))
    inputs = {port.name: data.draw(column(rows if port.is_column else 1)) for port in step.ports}
    moments = data.draw(st.integers(1, 8))
    taken = {name: data.draw(readings(moments) if name in ROW_BY_ROW else sample()) for name in step.samples}
    given_to = {
        port.name: np.array(inputs[port.name]) if port.is_column else inputs[port.name][0] for port in step.ports
    }
    samples_given = {name: np.array(numbers) for name, numbers in taken.items()}
    answer = answer_of(step, {**given_to, **samples_given})
    if isinstance(answer, Unknown):
        return
    picked = answer.rows if isinstance(answer, Picked) else range(rows)
    listed = {
        port.name: [inputs[port.name][row] for row in picked] if port.is_column else inputs[port.name]
        for port in step.ports
    }
    listed.update(taken)
    value = answer.value if isinstance(answer, Picked) else answer

    assert evaluate(step.derivation.formula, listed) == pytest.approx(value, rel=1e-9, abs=1e-12)


def answer_of(step: Step, arguments: Mapping[str, float | np.ndarray]) -> Answer:
    """Return what a function says; where it is not defined, that it is unknown."""
    try:
        return step.derivation.compute(**arguments)
    except ZeroDivisionError:
        return Unknown(same("undefined"))


def column(rows: int) -> st.SearchStrategy[Sequence[float]]:
    """Draw numbers no two of which are so close that their difference is noise."""
    far_apart = st.lists(AMOUNTS, min_size=rows, max_size=rows, unique_by=lambda amount: round(amount, 1))
    return far_apart.filter(lambda drawn: all(abs(amount - 1) > 1e-3 for amount in drawn))


def sample() -> st.SearchStrategy[list[float]]:
    """Draw a sample of requests: some numbers in rising order, also equal ones."""
    amounts = st.one_of(st.integers(1, 5).map(float), AMOUNTS.map(lambda amount: round(amount, 3)))
    return st.lists(amounts, min_size=1, max_size=8).map(sorted)


def readings(moments: int) -> st.SearchStrategy[list[float]]:
    """Draw what was read at some moments, in any order; eighths, so that what is equal is so exactly."""
    return st.lists(st.integers(1, 500).map(lambda eighths: eighths / 8), min_size=moments, max_size=moments)
