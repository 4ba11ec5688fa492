"""report.json: everything a script needs of one round, in the units of the contract and free of language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from generator import SCHEMA
from generator.analysis.addresses import all_addresses
from generator.analysis.graph import Graph
from generator.frame import Analysis
from generator.kinds import Metric, Missing
from generator.model import Level, Round, Series
from generator.render.wording.numbers import Printer, Printers, both
from generator.store.arguments import redact_arguments
from generator.text import LANGS
from generator.told.claims import PERCENT, Judgement
from generator.told.figure_model import FigureModel
from generator.told.findings import Finding
from generator.units import from_base
from generator.values import Address, Input, Value

NOT_PUBLISHED: Final = {"endpoint", "env", "health", "ready_timeout_s", "served_model"}
"""Keys of a series that tell how to reach and start it: addresses and variables are nobody else's business."""

Json = dict[str, Any]
Levels = Mapping[tuple[str | None, str | None], Level]
"""By series and level; there is none of None."""


def report_json(analysis: Analysis, graph: Graph, figures: Mapping[str, FigureModel | Missing]) -> Json:
    """Return report.json of a round.

    Values stand in order of scope (round, series, level, pair, pair-level), then of series, level and declaration.
    """
    round_, printers = analysis.round, {lang: Printer(analysis, graph, lang) for lang in LANGS}
    return {
        "schema": SCHEMA,
        "round": _round(round_),
        "series": [_series(series, round_) for series in round_.series],
        "metrics": [_metric(metric) for metric in graph.metrics.values()],
        "values": _values(analysis, graph),
        "findings": [_finding(finding, printers) for finding in analysis.findings],
        "claims": [_claim(one) for one in analysis.claims],
        "figures": [_figure(key, model, printers) for key, model in figures.items()
                    if isinstance(model, FigureModel)],
    }  # fmt: skip


def _round(round_: Round) -> Json:
    table = round_.file.round
    told = table.model_dump(mode="json", include={"date", "source"})
    return {
        "id": round_.id,
        "title": round_.title.as_dict(),
        "date": told["date"],
        "baseline": table.baseline,
        "origin": table.origin,
        "source": told["source"],
        "model": round_.file.model.model_dump(mode="json"),
        "hardware": round_.file.hardware.model_dump(mode="json"),
        "workload": round_.file.workload.model_dump(mode="json"),
        "economics": round_.file.economics.model_dump(mode="json", exclude_none=True),
    }


def _series(series: Series, round_: Round) -> Json:
    levels = [{"id": level.id, "concurrency": level.concurrency, "rate": level.rate} for level in series.levels]
    published = series.table.model_dump(mode="json", exclude=NOT_PUBLISHED)
    published["argv"] = redact_arguments(series.table.argv) if series.table.argv is not None else None
    return {**published, "label": round_.label(series.id), "levels": levels}


def _metric(metric: Metric) -> Json:
    return {
        "metric": metric.key,
        "basis": metric.basis,
        "scope": metric.scope,
        "unit": metric.unit,
        "better": metric.better,
        "title": metric.title.as_dict(),
        "meaning": metric.meaning.as_dict(),
        "why": metric.why.as_dict() if metric.why is not None else None,
        "symbol": metric.symbol,
    }


def _in_order(analysis: Analysis, graph: Graph) -> Iterator[Value]:
    values = analysis.frame.values
    return (values[address] for address in all_addresses(analysis.round, graph) if address in values)


def _values(analysis: Analysis, graph: Graph) -> list[Json]:
    levels: Levels = {(series.id, level.id): level for series in analysis.round.series for level in series.levels}
    return [_value(value, levels, analysis, graph) for value in _in_order(analysis, graph)]


def _value(value: Value, levels: Levels, analysis: Analysis, graph: Graph) -> Json:
    address = value.address
    metric = graph.metrics[address.metric, address.basis]
    level = levels.get((address.series, address.level))
    return {
        "metric": address.metric,
        "scope": address.scope,
        "series": address.series,
        "level": address.level,
        "concurrency": level.concurrency if level is not None else None,
        "rate": level.rate if level is not None else None,
        "trial": address.trial,
        "value": _number(value.value, metric),
        "unit": metric.unit,
        "basis": address.basis,
        "origin": value.origin,
        "rests_on": value.rests_on,
        "reason": value.reason.as_dict() if value.reason is not None else None,
        "formula": value.formula,
        "source": str(value.source) if value.source is not None else None,
        "n": value.n,
        "low": _number(value.low, metric),
        "high": _number(value.high, metric),
        "inputs": [_input(one, analysis, graph) for one in value.inputs],
    }


def _number(amount: float | None, metric: Metric) -> float | None:
    return None if amount is None else from_base(amount, metric.unit)


def _input(one: Input, analysis: Analysis, graph: Graph) -> Json:
    return {"name": one.name, "trial": one.address.trial, **_quoted(one.address, analysis, graph)}


def _quoted(address: Address, analysis: Analysis, graph: Graph) -> Json:
    metric, value = graph.metrics[address.metric, address.basis], analysis.frame.values.get(address)
    return {
        "metric": address.metric,
        "scope": address.scope,
        "series": address.series,
        "level": address.level,
        "basis": address.basis,
        "value": _number(value.value, metric) if value is not None else None,
        "unit": metric.unit,
        "source": str(value.source) if value is not None and value.source is not None else None,
    }


def _finding(finding: Finding, printers: Printers) -> Json:
    analysis, graph = printers["en"].analysis, printers["en"].graph
    return {
        "check": finding.check,
        "status": finding.status,
        "empty": finding.shown == "empty",
        "series": finding.series,
        "levels": list(finding.levels),
        "message": both(finding.message, printers),
        "evidence": [_quoted(address, analysis, graph) for address in finding.evidence],
        "bias": both(finding.bias, printers) if finding.bias is not None else None,
        "looks": finding.looks,
        "spoils": list(finding.spoils),
        "remedy": both(finding.remedy, printers) if finding.remedy is not None else None,
    }


def _claim(judgement: Judgement) -> Json:
    """Return a claim with both numbers in the unit of the statement."""
    claim = judgement.claim
    return {
        "id": claim.id,
        "kind": claim.kind,
        "metric": claim.metric,
        "series": claim.series,
        "level": claim.level,
        "basis": claim.basis,
        "op": claim.op,
        "stated": _plain(claim.stated),
        "recomputed": _plain(judgement.recomputed),
        "unit": PERCENT if judgement.style == "percent" else judgement.unit,
        "tolerance": _plain(claim.tolerance),
        "verdict": judgement.verdict,
        "reason": judgement.reason.as_dict() if judgement.reason is not None else None,
        "text": claim.text.as_dict() if claim.text is not None else None,
        "source": claim.source.as_dict() if claim.source is not None else None,
    }


def _plain(number: Decimal | None) -> float | None:
    return float(number) if number is not None else None


def _figure(key: str, model: FigureModel, printers: Printers) -> Json:
    path = f"data/{printers['en'].analysis.round.id}/figures/{key}"
    return {"key": key, "title": both(model.title, printers), "csv": f"{path}.csv", "svg": f"{path}.svg"}
