from __future__ import annotations

from generator.deciding.records import Certainty
from generator.render.files.summary import Summary, SummedReport, SummedSeries
from generator.render.views.home import NEWEST, home
from generator.text import Text, same


def summary(
    round_id: str, *, model: str = "small", gpu: str | None = "H", day: str | None = "2026-01-01",
    engine: str = "vLLM", reports: tuple[str, ...] = ("comparison",), certainty: Certainty | None = "firm",
) -> Summary:  # fmt: skip
    return Summary(
        id=round_id, title=same(round_id), data_sha256="", model=model, gpu=None if gpu is None else same(gpu),
        day=day, when=None, is_simulated=False, series=(SummedSeries("a", "a", engine, 0),), verdict=same("v"),
        further=same(""), certainty=certainty, gravest=None, findings={},
        reports=tuple(SummedReport(one, "index.html", Text(zh="报告", en=one)) for one in reports),
    )  # fmt: skip


def test_the_newest_are_told_in_full_and_the_others_by_model_and_gpu() -> None:
    newest = [summary(f"new-{at}") for at in range(NEWEST)]
    older = [summary("d", model="large"), summary("c"), summary("b", gpu=None), summary("a", model="large")]
    found = home([*newest, *older], {"c": "b"}, "en")
    assert [row.found.id for row in found.newest] == [one.id for one in newest]
    assert [(one.model, one.gpu, [row.found.id for row in one.rows]) for one in found.earlier] == [
        ("large", "H", ["d", "a"]), ("small", "H", ["c"]), ("small", "GPU not stated", ["b"]),
    ]  # fmt: skip
    assert [row.against for row in found.rows if row.found.id == "c"] == ["b"]


def test_a_few_rounds_are_all_new() -> None:
    assert home([summary("a")], {}, "en").earlier == ()


def test_rounds_can_be_chosen_by_what_tells_them_apart() -> None:
    rounds = [
        summary("a", engine="vLLM", gpu="H"),
        summary("b", engine="SGLang", gpu="L", reports=("comparison", "cliff")),
    ]
    choices = {one.name: dict(one.options) for one in home(rounds, {}, "zh").choices}
    assert choices == {
        "gpu": {"H": "H", "L": "L"}, "engine": {"SGLang": "SGLang", "vLLM": "vLLM"}, "report": {"cliff": "报告"},
    }  # fmt: skip


def test_rounds_of_no_known_day_are_known_not_to_be_found_by_one() -> None:
    assert not home([summary("a")], {}, "en").has_undated
    assert home([summary("a", day=None)], {}, "en").has_undated
    assert not home([summary("a", day=None)], {}, "en").has_days


def test_the_certainty_is_a_word_with_a_look() -> None:
    rows = home([summary("a"), summary("b", certainty=None), summary("c", certainty="open")], {}, "en").rows
    assert [(row.certainty("en"), row.looks) for row in rows] == [
        ("certainty: firm", "pass"), ("nothing ranked", "empty"), ("certainty: open", "unknown"),
    ]  # fmt: skip
