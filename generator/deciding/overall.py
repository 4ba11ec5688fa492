"""How sure the verdict of a round is, in one word."""

from __future__ import annotations

from generator.deciding.leads import Pair, known_spans, pairs_of
from generator.deciding.records import Certainty, least_sure
from generator.frame import Analysis


def certainty_of(analysis: Analysis) -> Certainty | None:
    """Return how sure it is who leads in the first pair: as sure as the least sure of its leads in throughput.

    Where throughput is not known, of the first quantity that is; "open" where there is none. None where nothing is
    ranked, and nothing bounds what is told.
    """
    pairs = pairs_of(analysis)
    if pairs:
        return _of_pair(analysis, pairs[0])
    return "qualitative" if _falls_short(analysis) else None


def _of_pair(analysis: Analysis, pair: Pair) -> Certainty:
    first = next((found for _, found in known_spans(analysis, pair)), [])
    told = [span.certainty for span in first if span.leader is not None]
    return least_sure(*told) if told else "open"


def _falls_short(analysis: Analysis) -> bool:
    """Say whether the round lacks what figures have to state to be more than a hint."""
    return bool(analysis.warnings_of("reporting_demands"))
