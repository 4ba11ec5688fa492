from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from generator.analysis.stages import analyse
from generator.kinds import Missing
from generator.render.files.report_json import report_json
from generator.render.files.value_tables import values_csv
from generator.text import Text
from generator.told.claims import Claim
from generator.told.figure_model import FigureModel
from generator.told.sentence import say
from tests.support.analyses import BASELINE, COMPARED, ROUND_2, graph, small_analysis, small_round
from tests.support.figure_models import step_figure


def report(**spoil: list[str]) -> dict[str, Any]:
    figures: dict[str, FigureModel | Missing] = {"step": step_figure(), "gone": Missing(say("无", "none"))}
    analysis = small_analysis(spoil={COMPARED: ["c64"]} if spoil else None)
    return report_json(analysis, graph(), figures)


def one(values: list[dict[str, Any]], metric: str, **where: object) -> dict[str, Any]:
    (found,) = [
        v
        for v in values
        if v["metric"] == metric and v["basis"] is None and all(v[key] == at for key, at in where.items())
    ]
    return found


def test_the_parts_of_a_report() -> None:
    assert list(report()) == ["schema", "round", "series", "metrics", "values", "findings", "claims", "figures"]
    assert report()["schema"] == 1
    assert report()["claims"] == []


def test_a_claim_has_both_numbers_in_the_unit_of_the_statement() -> None:
    claim = Claim("a", metric="itl_p50", series=COMPARED, level="c8", stated=Decimal("0.0104"), unit="s",
                  source=Text(zh="表一", en="table one"))  # fmt: skip
    lost = Claim("b", text=Text(zh="说不清", en="nobody knows"), reason=Text(zh="没有留存", en="it did not survive"))
    analysis = analyse(replace(small_round(), claims=(claim, lost)), graph(), ())
    first, second = report_json(analysis, graph(), {})["claims"]

    # The step is 10.30 ms: 0.0103 s against 0.0104, the neighbour of its last digit.
    assert first == {
        "id": "a", "kind": "published", "metric": "itl_p50", "series": COMPARED, "level": "c8", "basis": None,
        "op": "=", "stated": 0.0104, "recomputed": 0.0103, "unit": "s", "tolerance": None,
        "verdict": "rounds_differently",
        "reason": None, "text": None, "source": {"zh": "表一", "en": "table one"},
    }  # fmt: skip
    assert (second["stated"], second["recomputed"], second["verdict"]) == (None, None, "not_derivable")
    assert second["reason"] == {"zh": "没有留存", "en": "it did not survive"}


def test_a_report_is_json_without_nan() -> None:
    json.dumps(report(), allow_nan=False)


def test_the_round() -> None:
    told = report()["round"]
    assert told["id"] == "round-2"
    assert told["title"] == {"zh": "第二轮", "en": "Round 2"}
    assert (told["baseline"], told["origin"], told["date"]) == (BASELINE, "transcribed", None)
    assert told["hardware"]["memory_bandwidth_gb_s"] == 1008
    assert told["workload"]["output_tokens"] == 256


def test_the_series() -> None:
    first = report()["series"][0]
    assert (first["id"], first["engine"], first["label"]) == (BASELINE, "vLLM", "vLLM BF16")
    assert first["levels"][1] == {"id": "c8", "concurrency": 8, "rate": None}


def test_a_value_that_was_read() -> None:
    value = one(report()["values"], "itl_p50", series=COMPARED, level="c8")
    assert value == {
        "metric": "itl_p50", "scope": "level", "series": COMPARED, "level": "c8", "concurrency": 8, "rate": None,
        "trial": None, "value": 10.3, "unit": "ms", "basis": None, "origin": "transcribed",
        "rests_on": "transcribed", "reason": None, "formula": None,
        "source": "llamacpp-q4_k_m/published.csv, itl_p50", "n": 1, "low": None, "high": None, "inputs": [],
    }  # fmt: skip


def test_a_value_that_was_computed_names_its_inputs() -> None:
    value = one(report()["values"], "floor_ratio", series=BASELINE, level="c8")
    assert value["value"] == pytest.approx(0.87512, abs=1e-5)  # 14.5533 ms ÷ 16.63 ms
    assert (value["origin"], value["rests_on"]) == ("derived", "transcribed")
    floor, step = value["inputs"]
    assert (floor["name"], floor["unit"]) == ("decode_floor", "ms")
    assert floor["value"] == pytest.approx(14.5533, abs=1e-4)
    assert step["source"] == "vllm-bf16/published.csv, itl_p50"
    assert {"metric", "series", "level", "trial", "value", "unit", "source"} <= step.keys()


def test_a_value_that_is_unknown_says_why() -> None:
    value = one(report()["values"], "itl_p50", series=COMPARED, level="c64")
    assert value["value"] is None
    assert value["reason"]["en"] == (
        "there is no record of ITL p50 for llama.cpp Q4_K_M C=64 (column itl_p50_ms of published.csv)"
    )


def test_values_come_by_scope_then_series_then_level_then_declaration() -> None:
    values = report()["values"]
    scopes = list(dict.fromkeys(v["scope"] for v in values))
    assert scopes == ["round", "series", "level", "pair", "pair-level"]
    places = [(v["series"], v["level"]) for v in values if v["scope"] == "level"]
    assert list(dict.fromkeys(places)) == [(s, c) for s in (BASELINE, COMPARED) for c in ("c1", "c8", "c64")]
    known = [value for value in small_analysis().frame.values.values() if value.value is not None]
    assert len([value for value in values if value["value"] is not None]) == len(known)


def test_findings_are_plain_sentences_in_both_languages() -> None:
    (finding,) = report(spoilt=["c64"])["findings"]
    assert finding["message"] == {
        "zh": "llama.cpp Q4_K_M 的 C=64 作废",
        "en": "C=64 of llama.cpp Q4_K_M is spoilt",
    }
    assert (finding["status"], finding["spoils"]) == ("fail", ["c64"])
    assert (finding["bias"], finding["looks"]) == (None, None)
    assert finding["evidence"][0] == {
        "metric": "itl_p50", "scope": "level", "series": COMPARED, "level": "c64", "basis": None, "value": None,
        "unit": "ms", "source": None,
    }  # fmt: skip


def test_figures_that_are_drawn_are_listed_with_their_files() -> None:
    assert report()["figures"] == [
        {
            "key": "step",
            "title": {"zh": "The step", "en": "The step"},
            "csv": "data/round-2/figures/step.csv",
            "svg": "data/round-2/figures/step.svg",
        }
    ]


def test_metrics_are_described() -> None:
    floor = next(m for m in report()["metrics"] if m["metric"] == "decode_floor" and m["basis"] is None)
    assert (floor["scope"], floor["unit"], floor["better"], floor["symbol"]) == ("level", "ms", "lower", "t_floor")
    assert floor["title"] == {"zh": "解码步长下限", "en": "decode step floor"}
    assert floor["why"] is None


def test_a_round_without_a_baseline_has_no_pairs() -> None:
    rows = {"a": ROUND_2[BASELINE], "b": [{"rate": "2.5", "itl_p50_ms": "7"}]}
    values = report_json(small_analysis(small_round(rows, baseline=None)), graph(), {})["values"]
    assert {v["scope"] for v in values} == {"round", "series", "level"}
    assert one(values, "itl_p50", series="b")["rate"] == 2.5


def test_the_flat_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(values_csv(report()), newline="")))
    assert len(rows) == len(report()["values"])
    read = next(r for r in rows if (r["metric"], r["series"], r["level"]) == ("itl_p50", COMPARED, "c8"))
    assert (read["value"], read["unit"], read["concurrency"], read["trial"]) == ("10.3", "ms", "8", "")
    unknown = next(r for r in rows if (r["metric"], r["series"], r["level"]) == ("itl_p50", COMPARED, "c64"))
    assert unknown["value"] == ""
    assert unknown["reason_zh"] == "没有记录 llama.cpp Q4_K_M C=64 的 ITL p50（published.csv 的 itl_p50_ms 列）"


def test_the_flat_csv_ends_its_lines_as_rfc_4180_says() -> None:
    text = values_csv(report())
    assert text.count("\n") == text.count("\r\n")
    assert text.startswith("metric,basis,scope,series,level,concurrency,rate,trial,value,unit,origin,rests_on,")
