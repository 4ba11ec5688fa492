from __future__ import annotations

import gzip
import json
from typing import Any

from generator.comparing.settings import settings_of
from generator.render.files.glance import glance
from generator.render.wording.numbers import Printer
from tests.support.example_rounds import published
from tests.support.telling import analysed, catalogue

Json = dict[str, Any]


def script(name: str) -> str:
    return glance(Printer(analysed(published(name)), catalogue().graph, "en"))


def data(name: str) -> Json:
    text = script(name)
    loaded: Json = json.loads(text.removeprefix("Rounds.glance(").removesuffix(");\n"))
    return loaded


def test_it_is_a_classic_script_of_a_few_kilobytes() -> None:
    assert script("round-2").startswith('Rounds.glance({"id":"round-2",')
    assert len(gzip.compress(script("round-2").encode())) < 15_000


def test_a_level_has_each_number_as_it_is_and_as_it_is_printed() -> None:
    vllm, _ = data("round-2")["series"]
    first = vllm["levels"][0]
    assert (first["name"], first["load"], first["spoilt"]) == ("C=1", "concurrency 1.0 1.0", False)
    assert first["values"]["output_throughput"] == [61.9, "61.9"]
    assert first["values"]["itl_p50"] == [15.83, "15.83"]  # in ms, as it is printed
    assert first["asked"]["asked_input_tokens"] == 1024


def test_a_level_that_failed_its_checks_says_so() -> None:
    _, llama = data("round-2")["series"]
    assert [one["id"] for one in llama["levels"] if one["spoilt"]] == ["c32"]


def test_laid_side_by_side_settings_stand_as_the_comparison_has_them() -> None:
    base, head = published("round-1"), published("round-2")
    one, other = ({each["id"]: each for each in data(name)["series"]} for name in ("round-1", "round-2"))
    for series in one:
        if not (one[series]["flags"] and other[series]["flags"]):
            continue
        for setting in settings_of(base, head, series):
            if setting.group is None or None in (setting.base, setting.head):
                continue
            sides = [_plain(side[series]["settings"].get(setting.path)) for side in (one, other)]
            assert (sides[0] == sides[1]) == (setting.status == "equal"), setting.path


def _plain(said: object) -> object:
    return said["plain"] if isinstance(said, dict) and "plain" in said else said


def test_what_was_asked_is_marked_as_work() -> None:
    titles = data("round-2")["titles"]
    assert {path for path, one in titles.items() if one.get("work")} == {
        "model.name", "engine.name", "workload.input_tokens", "workload.output_tokens", "workload.ignore_eos",
    }  # fmt: skip
    assert titles["flag.--parallel"]["flag"] == "--parallel"
