"""Claims compared with the values of a round: the verdict on each, and how its number is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Context, Decimal
from operator import ge, gt, le, lt
from typing import Final

from generator.analysis.graph import Graph
from generator.frame import Frame
from generator.kinds import Metric
from generator.model import NARROW_SPACE, Round
from generator.text import Text, same
from generator.told.claims import PERCENT, Claim, Judgement, Op, Verdict
from generator.told.sentence import LevelName, Part, Quantity, Sentence, SeriesName, Style, say
from generator.units import UNITLESS, from_base
from generator.values import Address

NO_SUCH_VALUE: Final = Text(zh="这一轮没有这样的数", en="the round has no such number")
ROUGHLY: Final = Decimal("0.05")
"""How far off ``about`` may be, as a share of what was stated."""

HALF: Final = Decimal("0.5")
NOTHING: Final = "—"
UNIT_OF_STYLE: Final[Mapping[Style, str]] = {"percent": "%", "times": "×"}
EXACT: Final = Context(prec=400)
"""Room for every digit of the largest amount that is called known, and for those of the smallest."""

Compare = Callable[[Decimal, Decimal], bool]
SIGNS: Final[Mapping[Op, str]] = {"=": "", "<": "< ", "<=": "≤ ", ">": "> ", ">=": "≥ ", "about": "≈ "}
ORDERS: Final[Mapping[Op, Compare]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
BELOW: Final = frozenset({"<", "<="})


def judge(round_: Round, frame: Frame, graph: Graph) -> tuple[Judgement, ...]:
    """Return the verdict on each claim of a round, in the order in which they were written."""
    return tuple(_judgement(claim, frame, graph) for claim in round_.claims)


def verdict_on(claim: Claim, recomputed: Decimal) -> Verdict:
    """Return what an unrounded number, in the claim's unit, says of the claim.

    Within the tolerance it holds. Without one, a number that rounds half up to the digits stated holds, and one that
    rounds to their neighbour rounds differently. ``about`` allows ``ROUGHLY``; ``<`` and ``>`` allow nothing unless a
    tolerance says so.
    """
    stated = claim.stated if claim.stated is not None else Decimal(0)
    if claim.op in ORDERS:
        return "holds" if _in_order(claim, recomputed, stated) else "contradicted"
    allowed = tolerated(claim)
    if allowed is not None:
        return "holds" if abs(recomputed - stated) <= allowed else "contradicted"
    step = _last_digit(claim)
    apart = abs(recomputed.quantize(step, rounding=ROUND_HALF_UP, context=EXACT) - stated)
    if apart == 0:
        return "holds"
    return "rounds_differently" if apart <= step else "contradicted"


def tolerated(claim: Claim) -> Decimal | None:
    """Return how far off the data may be, in the claim's unit; None where the digits that were stated decide."""
    if claim.tolerance is not None or claim.stated is None:
        return claim.tolerance
    return max(abs(claim.stated) * ROUGHLY, HALF * _last_digit(claim)) if claim.op == "about" else None


def told(judgement: Judgement) -> Sentence:
    """Return what is claimed, in words: the author's, else what the number is a number of."""
    claim = judgement.claim
    if claim.text is not None:
        return Sentence(claim.text, _quoted_in(claim.text, judgement))
    what = judgement.title or same(claim.id)
    if claim.series is None:
        return say(zh="{what}", en="{what}", what=what)
    if claim.level is None:
        text = Text(zh=f"{{s}} {_linked(what)}", en="{what} of {s}")
        return Sentence(text, {"what": what, "s": SeriesName(claim.series)})
    level = LevelName(claim.series, claim.level)
    return Sentence(
        Text(zh=f"{{s}} {{l}} {_linked(what)}", en="{what} of {s} at {l}"),
        {"what": what, "s": SeriesName(claim.series), "l": level},
    )


def _linked(what: Text) -> str:
    """Return what is owned, in Chinese, behind its owner: without 的 where it has one, with a space before Latin."""
    if "的" in what.zh:
        return "{what}"
    return "的 {what}" if what.zh[:1].isascii() else "的{what}"


def _quoted_in(text: Text, judgement: Judgement) -> dict[str, Part]:
    """Return what stands for the placeholders of a text; both languages have the same."""
    claim = judgement.claim
    parts: dict[str, Part] = {"stated": same(_number(judgement))}
    if claim.series is not None:
        parts["series"] = SeriesName(claim.series)
        if claim.level is not None:
            parts["level"] = LevelName(claim.series, claim.level)
    return {name: part for name, part in parts.items() if f"{{{name}}}" in text.zh}


def stated(judgement: Judgement) -> Text:
    """Return the number as it was written, with its unit, and before it what is said of it other than ``=``."""
    claim = judgement.claim
    return same(NOTHING if claim.stated is None else SIGNS[claim.op] + _number(judgement))


def recomputed(judgement: Judgement) -> Part:
    """Return the number of the data, with the digits that were stated; a dash where it is not known."""
    if judgement.address is None:
        return same(NOTHING)
    unit = None if judgement.style == "percent" else judgement.unit
    return Quantity(judgement.address, judgement.style, judgement.claim.decimals, unit)


def _number(judgement: Judgement) -> str:
    """Return the number as it was written, thousands grouped, with its unit."""
    number = judgement.claim.stated
    if number is None:
        return NOTHING
    return f"{number:,f}".replace("-", "−") + UNIT_OF_STYLE.get(judgement.style, _behind(judgement.unit))


def _judgement(claim: Claim, frame: Frame, graph: Graph) -> Judgement:
    metric = graph.metrics.get((claim.metric or "", claim.basis))
    if metric is None or claim.reason is not None:
        title = metric.title if metric is not None else None
        unit, style = _shown(claim, metric) if metric is not None else (claim.unit or "1", "plain")
        return Judgement(claim, "not_derivable", title, unit, style, reason=claim.reason or NO_SUCH_VALUE)
    address = frame.find(metric.key, claim.series, claim.level, claim.basis)
    found = _amount(frame, address, *_shown(claim, metric))
    verdict: Verdict = verdict_on(claim, found) if found is not None else "not_derivable"
    reason = _why_not(frame, address) if found is None else None
    return Judgement(claim, verdict, metric.title, *_shown(claim, metric), address, found, reason)


def _shown(claim: Claim, metric: Metric) -> tuple[str, Style]:
    """Return the unit in which a claim and its number are compared, and how both are printed."""
    if claim.unit == PERCENT:
        return metric.unit, "percent"
    return claim.unit or metric.unit, "times" if claim.unit is None and metric.style == "times" else "plain"


def _amount(frame: Frame, address: Address | None, unit: str, style: Style) -> Decimal | None:
    value = frame.values[address].value if address is not None else None
    if value is None:
        return None
    amount = Decimal(repr(from_base(value, unit)))
    return amount.scaleb(2) if style == "percent" else amount


def _why_not(frame: Frame, address: Address | None) -> Text:
    return NO_SUCH_VALUE if address is None else frame.values[address].reason or NO_SUCH_VALUE


def _in_order(claim: Claim, recomputed: Decimal, stated: Decimal) -> bool:
    strict = claim.op in ("<", ">")
    allowed = claim.tolerance if claim.tolerance is not None else Decimal(0) if strict else HALF * _last_digit(claim)
    return ORDERS[claim.op](recomputed, stated + allowed if claim.op in BELOW else stated - allowed)


def _last_digit(claim: Claim) -> Decimal:
    return Decimal(1).scaleb(-claim.decimals)


def _behind(unit: str) -> str:
    return "" if unit in UNITLESS else NARROW_SPACE + unit
