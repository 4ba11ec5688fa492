"""How sure the verdict of a round is, in one word."""

from __future__ import annotations

from generator.deciding.leads import Pair, leads, spans
from generator.deciding.records import Certainty, least_sure
from generator.deciding.yardsticks import YARDSTICKS
from generator.frame import Analysis


def certainty_of(analysis: Analysis) -> Certainty | None:
    """Return how sure it is who leads in the first pair: as sure as the least sure of its leads in throughput.

    Where throughput is not known, of the first quantity that is; "open" where there is none. None where nothing is
    ranked, and nothing bounds what is told.
    """
    baseline, compared = analysis.round.baseline, analysis.round.compared
    if baseline is not None and compared:
        return _of_pair(analysis, (baseline, compared[0]))
    return "qualitative" if _falls_short(analysis) else None


def _of_pair(analysis: Analysis, pair: Pair) -> Certainty:
    known = (spans(analysis, pair, leads(analysis, pair, one)) for one in YARDSTICKS)
    told = [span.certainty for span in next((found for found in known if found), []) if span.leader is not None]
    return least_sure(*told) if told else "open"


def _falls_short(analysis: Analysis) -> bool:
    """Say whether the round lacks what figures have to state to be more than a hint."""
    return bool(analysis.warnings_of("reporting_demands"))
