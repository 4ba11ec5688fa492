"""The two published rounds held against each other: what must be concluded, and what must not."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from generator.render.site import build_site
from tests.support.hostile import hostile_round
from tests.support.rounds import write_round
from tests.support.sites import Page, broken_links, build, page_at, script_data, text_of

FORTH, BACK = "round-1...round-2", "round-2...round-1"
LLAMA, VLLM = "llamacpp-q4_k_m", "vllm-bf16"
MIRRORED: Final = {"better": "worse", "worse": "better", "only_base": "only_head", "only_head": "only_base",
                   "leans_better": "leans_worse", "leans_worse": "leans_better"}  # fmt: skip
Json = dict[str, Any]


def diff_of(site: Path, pair: str = FORTH) -> Json:
    loaded: Json = json.loads((site / "data" / "diff" / pair / "diff.json").read_text(encoding="utf-8"))
    return loaded


def rows_of(site: Path, pair: str = FORTH) -> dict[tuple[str, str, str], Json]:
    return {(row["series"], row["level"], row["metric"]): row for row in diff_of(site, pair)["rows"]}


@pytest.fixture
def page(site: Path) -> Page:
    return page_at(site / "en" / "diff" / FORTH / "index.html")


def test_the_step_of_llama_cpp_is_confounded_and_no_regression(site: Path, page: Page) -> None:
    row = rows_of(site)[LLAMA, "c32", "itl_p50"]
    assert (row["base"]["value"], row["head"]["value"]) == (21.02, 61.36)
    assert row["change"] == pytest.approx(1.919125, rel=1e-6)  # 61.36 ÷ 21.02 − 1
    assert (row["verdict"], row["grade"], row["suggests"]) == ("confounded", "D", None)
    assert {"flag.--cache-ram", "flag.--parallel", "flag.--ctx-size", "gpu.driver"} <= set(row["changed"])
    told = page.text.partition("Of all rows below")[2].partition("21.02")[0]  # it is of all of them, and said once
    for cause in ("prompt cache (--cache-ram)", "parallel slots (--parallel)", "context size (--ctx-size)", "driver"):
        assert cause in told.partition("confounded by ")[2]
    assert "host" in told.partition("not recorded, may also have changed: ")[2]


def test_the_steps_of_vllm_are_within_noise(site: Path) -> None:
    rows = rows_of(site)
    assert [rows[VLLM, level, "itl_p50"]["state"] for level in ("c1", "c8", "c32")] == ["noise"] * 3


def test_failures_have_their_exact_chance_and_no_conclusion(site: Path) -> None:
    row = rows_of(site)[LLAMA, "c32", "failed"]
    assert (row["base"], row["head"]) == (
        {"value": 8, "trials": 1, "n": 320}, {"value": 1, "trials": 1, "n": 320},
    )  # fmt: skip
    assert (round(row["p"], 4), row["method"], row["verdict"]) == (0.0377, "exact", "inconclusive")


def test_the_crossover_moved_without_a_direction(site: Path, page: Page) -> None:
    (found,) = [one for one in diff_of(site)["conclusions"] if one["metric"] == "crossover_concurrency"]
    assert found["base"] == {"value": None, "stated": {"op": "about", "value": "20", "unit": None}}
    assert found["head"]["value"] == pytest.approx(8.2507, rel=1e-4)
    (row,) = [text_of(one) for one in page.all("tr") if "throughput crossover" in text_of(one)]
    assert "≈ 20" in row
    assert "8.25" in row
    assert not any(word in row for word in ("better", "worse"))


def test_the_flaws_of_the_first_round_have_their_fate(site: Path) -> None:
    fates = {(one["check"], one["series"]): one["fate"] for one in diff_of(site)["findings"]}
    assert fates["failed_requests", LLAMA] == "improved"  # 8 of 320, then 1
    assert fates["prompt_cache", LLAMA] == "unchecked"  # switched off by its flags, and no counter says so
    assert fates["same_machine", None] == "partly"  # two hosts there, and here none is on record
    assert fates["same_time", None] == "unchecked"


def test_the_slots_are_read_where_each_round_has_them(site: Path) -> None:
    (slots,) = [one for one in diff_of(site)["settings"] if one["path"] == "flag.--parallel"]
    assert (slots["base"], slots["head"], slots["status"]) == ("32", "64", "different")  # declared, then a flag


def test_what_no_round_says_of_the_load_is_no_setting(site: Path) -> None:
    paths = {one["path"] for one in diff_of(site)["settings"]}
    assert {"workload.input_tokens", "workload.ignore_eos"} <= paths
    assert {"workload.arrival", "workload.burstiness", "workload.lengths"}.isdisjoint(paths)


def test_nothing_is_called_better_or_worse(site: Path) -> None:
    found = diff_of(site)
    assert {"better", "worse"}.isdisjoint(row["verdict"] for row in found["rows"])
    assert (found["comparable"], found["primary"]["verdict"]) == ("partial", "confounded")


def test_swapping_mirrors_every_row(site: Path) -> None:
    forth, back = rows_of(site), rows_of(site, BACK)
    assert len(forth) == len(back) > 60
    for key, row in forth.items():
        other = back[key]
        assert other["state"] == MIRRORED.get(row["state"], row["state"])
        assert (other["base"], other["head"], other["p"], other["p_adjusted"]) == (
            row["head"], row["base"], row["p"], row["p_adjusted"],
        )  # fmt: skip
        if row["change"] is not None:
            assert (1 + row["change"]) * (1 + other["change"]) == pytest.approx(1)


def test_what_lies_within_noise_is_hidden_and_counted(site: Path, page: Page) -> None:
    quiet = [row for row in diff_of(site)["rows"] if row["state"] == "noise"]
    (folded,) = [one for one in page.all("details") if one.get("id") == "quiet"]
    assert text_of(folded).strip().startswith(f"{len(quiet)} rows ")
    assert len(list(folded.iter("tr"))) == 2 * len(quiet) + 1  # its grounds below each
    counts = text_of(next(one for one in page.all("p", "tally")))
    assert f"~ within noise: {len(quiet)}" in counts


def test_numbers_lead_to_their_derivations_and_pages_to_each_other(site: Path, page: Page) -> None:
    links = set(page.links)
    assert f"../{BACK}/index.html" in links
    assert len([link for link in links if link.startswith("../../rounds/round-1/how.html#")]) >= 8
    assert f"diff/{FORTH}/index.html" in set(page_at(site / "en" / "index.html").links)
    assert "../en/history.html" in set(page_at(site / "en" / "index.html").links)


def test_rounds_of_no_common_kind_have_no_page(site: Path) -> None:
    # The gemma rounds by their days and ids; no round of gemma stands against one of Qwen, nor keepalive against any.
    # cpu-llamacpp has none of the engines of the one round before it, and later ones have nearer rounds with vLLM.
    chain = ("cpu-formats", "cpu-cliff", "cpu-engines", "cpu-input-sweep")
    pairs = {f"{one}...{other}" for one, other in pairwise(chain)}
    pairs |= {f"{other}...{one}" for one, other in pairwise(chain)}
    assert {one.name for one in (site / "en" / "diff").iterdir()} == pairs | {FORTH, BACK}


def test_both_rounds_lie_over_each_other_in_the_figures(page: Page) -> None:
    figures = [one.get("data-figure") for one in page.all("figure")]
    assert figures == ["output_throughput_both", "itl_p50_both"]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the site of two rounds whose every text is hostile; the second is a little slower."""
    folder = tmp_path_factory.mktemp("hostile")
    for name in ("h-1", "h-2"):
        hostile_round(folder / "runs" / name)
    table = folder / "runs" / "h-2" / "alpha" / "published.csv"
    table.write_text(table.read_text(encoding="utf-8").replace("16.63", "26.63"), encoding="utf-8")
    return build(folder / "runs", folder / "site")


def test_hostile_names_stay_text_on_pages_of_comparisons(hostile: Path) -> None:
    for lang in ("zh", "en"):
        for path in (hostile / lang / "diff" / "h-1...h-2" / "index.html", hostile / lang / "history.html"):
            page = page_at(path)
            assert {tag for tag, _ in page.tags}.isdisjoint({"iframe", "object", "embed", "form", "style"})
            assert [one.get("src", "").rpartition("/")[2] for one in page.all("script")] == ["site.js"]
            assert not [tag for tag, attributes in page.tags if any(name.startswith("on") for name in attributes)]
            assert "49" not in page.text.split()  # nobody has multiplied 7 by 7
            assert script_data(path.parent / "charts.js", "charts")
    assert broken_links(hostile) == []
    assert diff_of(hostile, "h-1...h-2")["comparable"] in ("comparable", "partial")


def test_the_languages_say_the_same_of_hostile_rounds(hostile: Path) -> None:
    zh, en = (page_at(hostile / lang / "diff" / "h-1...h-2" / "index.html") for lang in ("zh", "en"))
    assert zh.ids == en.ids
    assert zh.numbers == en.numbers


def test_a_pair_that_cannot_be_compared_is_named_and_the_rest_is_built(tmp_path: Path) -> None:
    write_round(tmp_path / "runs" / "r-1")
    toml = write_round(tmp_path / "runs" / "r-2") / "round.toml"
    toml.write_text(
        toml.read_text(encoding="utf-8").replace("[round]", '[round]\nprimary = "requests"', 1), encoding="utf-8"
    )
    built = build_site(tmp_path / "runs", tmp_path / "site")
    assert built.rounds == ("r-1", "r-2")
    ((name, error),) = built.unreadable
    assert (name, error.file, error.place) == ("r-1...r-2", "r-2/round.toml", "[round] primary")
    assert not (tmp_path / "site" / "en" / "diff").exists()
