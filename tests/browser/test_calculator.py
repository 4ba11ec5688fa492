"""The calculator of a guide: it gives the numbers of the program, works offline, and leaves a table without scripts."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from generator.kinds import Answer, Unknown
from generator.metrics import amortisation, cost, energy
from generator.units import to_base
from tests.browser.conftest import OpenPage
from tests.support.browsing import address
from tests.support.gates import OPTIONS
from tests.support.rounds import ROUND_TOML, write_round
from tests.support.sites import build

pytestmark = pytest.mark.browser

ECONOMICS: Final = """
[economics]
currency = "USD"
price_per_hour = 2.5
ops_per_hour = 0.4
image_cost = 0.05
lifetime_h = 12

[economics.conservative]
lifetime_h = 0.5
"""
STARTS: Final = {
    "alpha": "[cold_start]\nt1_s = 80\nt2_s = 1.5\n",
    "beta": "[cold_start]\nt1_s = 2.0\nt2_s = 0.5\n",
}
GUIDE: Final = "rounds/priced/guide.html"
OPTIONAL: Final = ("offered_rate", "output_share", "price_per_kwh")
Numbers = Mapping[str, float | None]


@pytest.fixture(scope="module")
def priced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("priced")
    write_round(folder / "runs" / "priced", toml=ROUND_TOML + ECONOMICS, facts=STARTS)
    return build(folder / "runs", folder / "site")


# The same numbers as the program


def drawn(chance: random.Random) -> dict[str, Any]:
    """Draw inputs over the ranges of the fields, and a series with three levels; what may be empty is so at times."""

    def some(least: float, most: float) -> float:
        return math.exp(chance.uniform(math.log(least), math.log(most)))

    inputs: dict[str, float | None] = {
        "lifetime_h": some(0.05, 8760), "utilisation": chance.uniform(0.01, 1), "offered_rate": some(0.01, 100),
        "output_share": chance.uniform(0.01, 1), "ops_per_hour": some(0.01, 10), "image_cost": some(0.001, 10),
        "price_per_kwh": some(0.05, 1), "slo_ttft_ms": None, "slo_tpot_ms": None,
    }  # fmt: skip
    inputs |= {key: None for key in OPTIONAL if chance.random() < 0.3}
    if chance.random() < 0.5:
        inputs |= {"slo_ttft_ms": some(300, 3000), "slo_tpot_ms": some(20, 100)}
    levels = [
        {"name": f"C={load}", "throughput": some(10, 5000), "ttft": some(0.05, 2), "tpot": some(0.005, 0.09)}
        for load in (1, 8, 64)
    ]
    one = {
        "startup": some(0.1, 1000),
        "answer": some(16, 2048),
        "share": chance.uniform(0.05, 0.9),
        "energy": some(0.01, 10),
    }
    own = {"price_per_hour": some(0.1, 50), "startup_s": some(0.1, 1000) if chance.random() < 0.3 else None}
    return {"one": {**one, "levels": levels}, "inputs": inputs, "own": own, "threshold": 10.0}


def best(case: Mapping[str, Any]) -> float | None:
    """Return the highest throughput of the levels that keep the limits."""
    most = {key: case["inputs"][f"slo_{key}_ms"] for key in ("ttft", "tpot")}
    kept = [
        at["throughput"]
        for at in case["one"]["levels"]
        if all(limit is None or at[key] * 1000 <= limit for key, limit in most.items())
    ]
    return max(kept, default=None)


def by_the_program(case: Mapping[str, Any]) -> dict[str, Answer] | None:
    """Return what the metrics make of a case, in base units."""
    inputs, one, own, throughput = case["inputs"], case["one"], case["own"], best(case)
    if throughput is None:
        return None
    start = own["startup_s"] if own["startup_s"] is not None else one["startup"]
    life = to_base(inputs["lifetime_h"], "h")
    price, ops = (to_base(amount, "¤/h") for amount in (own["price_per_hour"], inputs["ops_per_hour"]))
    served = served_by(throughput, inputs, one, life)
    share = inputs["output_share"] if inputs["output_share"] is not None else one["share"]
    tokens = number(amortisation.startup_tokens(start, throughput))
    output = number(cost.cost_per_mtok_output(price, ops, start, life, inputs["image_cost"], served))
    found: dict[str, Answer] = {
        "throughput": throughput,
        "startup_tokens": tokens,
        "startup_share": amortisation.startup_share(start, life),
        "startup_ratio": amortisation.startup_ratio(served, tokens),
        "server_hours": cost.server_hours_per_mtok(start, life, served),
        "cost_output": output,
        "cost_total": cost.cost_per_mtok_total(output, share),
    }
    if inputs["price_per_kwh"] is not None:
        found["energy_cost"] = energy.energy_cost_per_mtok(one["energy"], to_base(inputs["price_per_kwh"], "¤/kWh"))
    return found


def served_by(throughput: float, inputs: Numbers, one: Mapping[str, Any], life: float) -> float:
    used, rate = inputs["utilisation"] or 0.0, inputs["offered_rate"]
    if rate is None:
        return number(amortisation.tokens_served_at_utilisation(throughput, used, life))
    return number(amortisation.tokens_served(throughput, used, life, rate, one["answer"]))


def number(answer: Answer) -> float:
    assert isinstance(answer, float)
    return answer


COMPUTE: Final = """(cases) => cases.map(({ one, own, inputs, threshold }) =>
  Rounds.calculator.compute(one, own, inputs, threshold))"""
BREAK_EVEN: Final = (
    """(pairs) => pairs.map(([base, other, wanted]) => Rounds.calculator.breakEven(base, other, wanted))"""
)


def test_two_hundred_random_inputs_give_the_numbers_of_the_program(priced: Path, open_page: OpenPage) -> None:
    chance = random.Random(20)
    cases = [drawn(chance) for _ in range(200)]
    page = open_page(address(priced, f"en/{GUIDE}")).page
    answers: list[dict[str, Any] | None] = page.evaluate(COMPUTE, cases)
    compared = 0
    for case, answer in zip(cases, answers, strict=True):
        expected = by_the_program(case)
        assert (answer is None) == (expected is None), case
        if answer is None or expected is None:
            continue
        assert {name: answer[name] for name in expected} == pytest.approx(expected, rel=1e-9), case
        assert answer["energy_cost"] is None or "energy_cost" in expected
        assert answer["matters"] == (number(expected["startup_ratio"]) < 10)
        compared += 1
    assert 150 < compared < 200  # some have no level that keeps the limits


SERVED: Final = "([one, throughput, inputs]) => Rounds.calculator.served(one, throughput, inputs)"


@pytest.mark.parametrize(("rate", "share"), [(None, 1.0), (0.5, 1.0), (2.0, 0.25)])
def test_a_demand_beyond_one_server_is_told_as_its_share(
    rate: float | None, share: float, priced: Path, open_page: OpenPage
) -> None:
    # 100 tok/s at 0.5 are 50 tok/s; 2 req/s of 100 tok ask for 200, of which they are a quarter, and 0.5 req/s for 50.
    page = open_page(address(priced, f"en/{GUIDE}")).page
    given = [{"answer": 100}, 100, {"offered_rate": rate, "utilisation": 0.5}]
    assert page.evaluate(SERVED, given) == pytest.approx(share)


def test_two_hundred_random_pairs_draw_level_where_the_program_says(priced: Path, open_page: OpenPage) -> None:
    chance = random.Random(21)

    def server() -> dict[str, float]:
        start = chance.choice([5.0, chance.uniform(0.1, 500)])
        return {"start": start, "throughput": chance.choice([100.0, chance.uniform(10, 900)])}

    pairs = [(server(), server(), chance.uniform(1, 500)) for _ in range(200)]
    page = open_page(address(priced, f"en/{GUIDE}")).page
    reasons = {amortisation.EQUAL: "none", amortisation.BASELINE_AHEAD: "base", amortisation.COMPARED_AHEAD: "other"}
    seen = set()
    for (base, other, wanted), answer in zip(
        pairs, page.evaluate(BREAK_EVEN, [list(one) for one in pairs]), strict=True
    ):
        tokens = amortisation.break_even_tokens(other["start"], base["start"], base["throughput"], other["throughput"])
        seen.add(answer["ahead"])
        if isinstance(tokens, Unknown):
            assert answer["ahead"] == reasons[tokens]
        else:
            assert answer["tokens"] == pytest.approx(tokens, rel=1e-9)
            assert answer["time"] == pytest.approx(number(tokens) / wanted, rel=1e-9)
            assert answer["ahead"] == ("base until" if base["start"] < other["start"] else "other until")
    assert seen == {"none", "base", "other", "base until", "other until"}


# What a reader does


def fill(page: Page, key: str, value: str, series: int | None = None) -> None:
    of = "" if series is None else f"[data-series='{series}']"
    page.locator(f"[data-input='{key}']{of}").fill(value)


def row(page: Page, at: int) -> list[str]:
    return page.locator(".calculator tbody tr").nth(at).locator("th, td").all_inner_texts()


def test_it_begins_with_the_base_scenario_and_its_numbers(priced: Path, open_page: OpenPage) -> None:
    shown = open_page(address(priced, f"en/{GUIDE}"))
    page = shown.page
    expect(page.locator("[data-preset][aria-pressed='true']")).to_have_text("base")
    # alpha: 681.5 tok/s × 0.5 × 43,200 s = 14.72 M tokens; (2.9 ÷ 3600 × 43,281.5 + 0.05) USD: 2.37 a million
    assert row(page, 0)[:9] == ["vLLM", "C=16", "682", "55,542", "0.188", "265", "does not matter", "0.817", "2.37"]
    assert row(page, 0)[8] in page.locator("#guide-cost-table").inner_text()
    assert shown.outside("file:") == []


def test_changing_an_input_changes_cost_verdict_and_break_even(priced: Path, open_page: OpenPage) -> None:
    page = open_page(address(priced, f"en/{GUIDE}")).page
    said = page.locator(".calculator .said")
    expect(said).to_contain_text("vLLM and llama.cpp draw level after 221,000 tokens at full load")
    page.locator("[data-preset]", has_text="conservative").click()
    assert row(page, 0)[6] == "matters"  # half an hour at 20 % serves 4.4 times 55,542 tokens
    fill(page, "startup_s", "1", 0)
    assert row(page, 0)[6] == "does not matter"
    expect(said).to_contain_text("vLLM starts no later and runs no slower than llama.cpp: there is no break-even.")
    fill(page, "price_per_hour", "", 0)
    assert row(page, 0)[8] == "—"
    fill(page, "slo_ttft_ms", "0.001")
    fill(page, "utilisation", "")
    expect(said).to_have_text("Fill in the time between two starts and the utilisation.")


def test_the_keyboard_moves_a_slider_and_the_numbers_follow(priced: Path, open_page: OpenPage) -> None:
    page = open_page(address(priced, f"en/{GUIDE}")).page
    before = row(page, 0)
    slider = page.locator("[data-slider]").nth(1)
    slider.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert float(page.locator("[data-input='utilisation']").input_value()) > 0.5
    assert row(page, 0)[7] != before[7]
    assert slider.get_attribute("aria-valuetext") == page.locator("[data-input='utilisation']").input_value()
    expect(page.locator("[data-preset][aria-pressed='true']")).to_have_count(0)


@pytest.mark.parametrize(("lang", "scheme", "width"), [("en", "light", 1280), ("zh", "dark", 360)])
def test_anybody_can_use_it(priced: Path, open_page: OpenPage, lang: str, scheme: str, width: int) -> None:
    size = {"width": width, "height": 900}
    page = open_page(address(priced, f"{lang}/{GUIDE}"), color_scheme=scheme, viewport=size).page
    expect(page.locator(".calculator .said li")).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page, context="#guide_calculator", options=OPTIONS)
    assert found.violations_count == 0, found.generate_report()


def test_without_scripts_the_scenarios_stand_there_alone(priced: Path, open_page: OpenPage) -> None:
    page = open_page(address(priced, f"en/{GUIDE}"), java_script_enabled=False).page
    expect(page.locator("#guide-calculator-table")).to_be_visible()
    expect(page.locator(".calculator input").first).to_be_hidden()
    expect(page.locator("#guide-calculator-table tbody tr")).to_have_count(10)


def test_paper_has_the_table_and_no_fields(priced: Path, open_page: OpenPage) -> None:
    page = open_page(address(priced, f"en/{GUIDE}")).page
    page.emulate_media(media="print")
    expect(page.locator(".calculator")).to_be_hidden()
    expect(page.locator("#guide-calculator-table")).to_be_visible()


def test_names_stay_text(tmp_path: Path, open_page: OpenPage) -> None:
    name = "</script><script>alert(1)</script><i>'&"
    toml = ROUND_TOML.replace('engine = "vLLM"', f'engine = "{name}"') + ECONOMICS
    write_round(tmp_path / "runs" / "priced", toml=toml, facts=STARTS)
    page = open_page(address(build(tmp_path / "runs", tmp_path / "site"), f"en/{GUIDE}")).page
    assert row(page, 0)[0] == name
    expect(page.locator(".calculator .said li").first).to_contain_text(name)
    assert page.locator(".calculator i").count() == 0
