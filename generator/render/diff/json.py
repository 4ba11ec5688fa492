"""diff.json: two rounds compared with each other, for other programs; the same on the site and on the command line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from generator.analysis.graph import Graph
from generator.comparing.affects import affects_of
from generator.comparing.conclusions import Stated
from generator.comparing.held import Held, SharedSetting
from generator.comparing.records import Difference, Measured, Pair
from generator.comparing.shares import Said
from generator.comparing.states import counts_of, ordered, state_of
from generator.frame import Analysis
from generator.kinds import Metric
from generator.render.diff.printer import DiffPrinter
from generator.render.wording.numbers import Printer, Printers, both
from generator.text import LANGS, Lang
from generator.told.findings import Finding
from generator.units import from_base

SCHEMA: Final = 1

Json = dict[str, Any]


def diff_json(held: Held, printers: dict[Lang, DiffPrinter]) -> Json:
    """Return a comparison as JSON: shares are fractions, other numbers in the unit beside them; null is unknown."""
    compared = held.comparison
    return {
        "schema": SCHEMA,
        "base": _round(held.base),
        "head": _round(held.head),
        "comparable": compared.banner.standing,
        "reasons": [both(one, printers) for one in compared.banner.reasons],
        "primary": {"metric": compared.primary, "by": held.decided.primary_by.as_dict(), "verdict": compared.gate},
        "margin": {"value": held.decided.options.margin, "by": held.decided.margin_by.as_dict()},
        "margins": _shares(held.decided.margins),
        "thresholds": _shares(held.decided.thresholds),
        "counts": counts_of(compared.differences),
        "series": [_pair(one) for one in compared.pairs],
        "only_base": list(compared.only_base),
        "only_head": list(compared.only_head),
        "settings": [_setting(one) for one in held.settings],
        "rows": [_row(one, printers) for one in ordered(compared.differences)],
        "conclusions": _conclusions(held, printers),
        "findings": _flaws(held, printers["en"].graph),
    }


def _round(side: Analysis) -> Json:
    return {"id": side.round.id, "title": side.round.title.as_dict(), "data_sha256": side.round.data_sha256}


def _pair(pair: Pair) -> Json:
    return {
        "series": pair.series, "base_series": pair.base_series, "levels": list(pair.shared),
        "only_base": list(pair.only_base), "only_head": list(pair.only_head),
        "other_lengths": list(pair.other_lengths), "other_output": list(pair.other_output),
    }  # fmt: skip


def _shares(said: Iterable[Said]) -> list[Json]:
    return [{"of": one.of, "value": one.share, "by": one.by.as_dict()} for one in said]


def _setting(shared: SharedSetting) -> Json:
    one = shared.setting
    return {
        "path": one.path, "title": one.title.as_dict(), "series": list(shared.series),
        "base": one.base, "head": one.head,
        "status": one.status, "group": one.group, "affects": affects_of(one.path).as_dict(),
        "fingerprint": shared.is_fingerprint,
    }  # fmt: skip


def _row(row: Difference, printers: Printers) -> Json:
    metric, estimate = printers["en"].metric(row.address), row.estimate
    interval = None if estimate is None or estimate.interval is None else [end - 1 for end in estimate.interval]
    return {
        "series": row.address.series, "level": row.address.level, "metric": row.address.metric, "unit": metric.unit,
        "better": row.better, "primary": row.is_primary,
        "base": _side(row.base, metric), "head": _side(row.head, metric),
        "change": row.change, "interval": interval, "p": row.p, "p_adjusted": row.p_adjusted,
        "detectable": None if estimate is None else estimate.detectable, "margin": row.margin, "bound": row.bound,
        "method": row.method, "grade": row.grade, "verdict": row.verdict, "state": state_of(row),
        "suggests": row.suggests, "changed": [one.path for one in row.changed],
        "reasons": [both(reason, printers) for reason in row.reasons],
    }  # fmt: skip


def _side(side: Measured, metric: Metric) -> Json:
    value = None if side.value is None else from_base(side.value, metric.unit)
    return {"value": value, "trials": side.trials, "n": side.n}


def _conclusions(held: Held, printers: Printers) -> list[Json]:
    found = []
    for one in held.conclusions:
        metric = printers["en"].metric(one.address)
        sides = {"base": _stated(one.base, metric), "head": _stated(one.head, metric)}
        found.append({"metric": metric.key, "series": one.address.series, "unit": metric.unit, **sides})
    return found


def _stated(stated: Stated, metric: Metric) -> Json:
    claim = None if stated.claim is None else stated.claim.claim
    return {
        "value": None if stated.value is None else from_base(stated.value, metric.unit),
        "stated": None if claim is None else {"op": claim.op, "value": str(claim.stated), "unit": claim.unit},
    }


def _flaws(held: Held, graph: Graph) -> list[Json]:
    base, head = ({lang: Printer(side, graph, lang) for lang in LANGS} for side in (held.base, held.head))
    return [
        {
            "check": one.check, "series": one.series, "fate": one.fate,
            "base": _finding(one.base, base), "head": _finding(one.head, head),
        }
        for one in held.flaws
    ]  # fmt: skip


def _finding(finding: Finding | None, printers: Printers) -> Json | None:
    return None if finding is None else {"status": finding.status, "message": both(finding.message, printers)}
