from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from generator.declared.round_tables import ModelTable, SeriesTable
from generator.model import Round
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said

CHECK = "other_model"


def asking(
    models: Mapping[str, str | None], *, declared: str = "Qwen2.5-7B-Instruct", served: str | None = None
) -> Round:
    """Return a series whose runs name a model each, by level."""
    round_ = memory_round({"s": {level: {"concurrency": float(level.removeprefix("c"))} for level in models}})
    [series] = round_.series
    return replace(
        round_,
        file=round_.file.model_copy(update={"model": ModelTable(name=declared)}),
        series=(replace(series, table=SeriesTable(id="s", served_model=served)),),
        described={("s", level, None): {"model": model} if model else {} for level, model in models.items()},
    )


@pytest.mark.parametrize(
    "asked",
    [
        "Qwen2.5-7B-Instruct",
        "Qwen/Qwen2.5-7B-Instruct",
        "/models/qwen2.5-7b-instruct/",
        "qwen2.5-7b-instruct-q4_k_m.gguf",
        r"C:\models\Qwen2.5-7B-Instruct.IQ4_XS.gguf",
        "RedHatAI/Qwen2.5-7B-Instruct-FP8-dynamic",
        "Qwen/Qwen2.5-7B-Instruct-AWQ",
    ],
)
def test_owner_folder_case_and_format_of_the_weights_make_no_other_model(asked: str) -> None:
    [finding] = found_by(CHECK, asking({"c1": asked}))
    assert (finding.status, finding.series) == ("pass", None)


@pytest.mark.parametrize("asked", ["Qwen2.5-7B", "Qwen2.5-14B-Instruct", "q4_k_m"])
def test_another_model_is_warned_of(asked: str) -> None:
    round_ = asking({"c1": asked, "c8": "Qwen2.5-7B-Instruct", "c16": asked})
    findings = found_by(CHECK, round_)

    # Among the levels, and against round.toml.
    assert [(f.status, f.series, f.levels) for f in findings] == [
        ("warn", "s", ("c1", "c16", "c8")), ("warn", "s", ("c1", "c16")),
    ]  # fmt: skip
    text = said(findings[1], round_)
    assert f"The runs of s at C=1 and C=16 asked for {asked}, and round.toml names Qwen2.5-7B-Instruct." in text
    assert "served_model" in text


def test_levels_of_one_other_model_are_one_fault() -> None:
    [finding] = found_by(CHECK, asking({"c1": "acme/A", "c8": "A"}))
    assert (finding.status, finding.levels) == ("warn", ("c1", "c8"))


def test_levels_that_differ_are_told_one_by_one() -> None:
    round_ = asking({"c1": "A", "c8": "B"}, declared="A")
    text = said(found_by(CHECK, round_)[0], round_)
    assert "did not ask for the same model: A at C=1 and B at C=8." in text


def test_the_name_that_the_server_uses_is_no_other_model() -> None:
    [finding] = found_by(CHECK, asking({"c1": "llm"}, served="llm"))
    assert finding.status == "pass"


def test_runs_that_name_no_model_cannot_be_checked() -> None:
    [finding] = found_by(CHECK, asking({"c1": None}))
    assert (finding.status, finding.series) == ("unknown", None)


def test_a_long_name_is_cut() -> None:
    round_ = asking({"c1": "m" * 500})
    [finding] = found_by(CHECK, round_)
    assert "m" * 60 + "…" in said(finding, round_)
    assert "m" * 61 not in said(finding, round_)
