"""All values of a round, looked up by what they are the value of; and the analysis that holds them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from generator.model import Level, Round
from generator.text import Text
from generator.told.claims import Judgement
from generator.told.findings import Finding
from generator.values import Address, Scope, Value


@dataclass(frozen=True, slots=True)
class Frame:
    """The values of a round. Metrics that nobody declared raise KeyError: a name misspelt is a defect."""

    values: Mapping[Address, Value]

    def of_round(self, metric: str, basis: str | None = None) -> Value:
        """Return a value of the whole round."""
        return self.values[Address(metric, "round", basis=basis)]

    def of_series(self, metric: str, series: str, basis: str | None = None) -> Value:
        """Return a value of one series."""
        return self.values[Address(metric, "series", series, basis=basis)]

    def of_level(self, metric: str, series: str, level: str, basis: str | None = None) -> Value:
        """Return a value of one level."""
        return self.values[Address(metric, "level", series, level, basis)]

    def of_pair(self, metric: str, compared: str, basis: str | None = None) -> Value:
        """Return a value of a series against the baseline."""
        return self.values[Address(metric, "pair", compared, basis=basis)]

    def of_pair_level(self, metric: str, compared: str, level: str, basis: str | None = None) -> Value:
        """Return a value of a series against the baseline at one level."""
        return self.values[Address(metric, "pair-level", compared, level, basis)]

    def find(self, metric: str, series: str | None, level: str | None, basis: str | None) -> Address | None:
        """Return the address of a value that is named by metric, series and level alone; None where there is none."""
        scopes: dict[tuple[bool, bool], tuple[Scope, ...]] = {
            (False, False): ("round",),
            (True, False): ("series", "pair"),
            (True, True): ("level", "pair-level"),
        }
        named = scopes.get((series is not None, level is not None), ())
        addresses = (Address(metric, scope, series, level, basis) for scope in named)
        return next((address for address in addresses if address in self.values), None)

    def known(self, addresses: Iterable[Address]) -> list[Value]:
        """Return the values that have a number, in the order asked for."""
        found = (self.values.get(address) for address in addresses)
        return [value for value in found if value is not None and value.value is not None]


@dataclass(frozen=True, slots=True)
class Analysis:
    """A round, its values, and what the checks said of them."""

    round: Round
    frame: Frame
    findings: tuple[Finding, ...]
    spoilt: Mapping[tuple[str, str], Finding] = field(default_factory=dict)
    """(series, level) -> the finding that spoils it."""
    titles: Mapping[str, Text] = field(default_factory=dict)
    """Check -> what a reader calls it."""
    claims: tuple[Judgement, ...] = ()
    """What the data say of each claim, in the order in which they were written."""

    def usable(self, series: str) -> tuple[Level, ...]:
        """Return the levels of a series that conclusions may rest on."""
        levels = self.round.series_by_id(series).levels
        return tuple(level for level in levels if (series, level.id) not in self.spoilt)

    def excluded(self, series: str) -> tuple[Level, ...]:
        """Return the levels of a series that a check spoilt."""
        levels = self.round.series_by_id(series).levels
        return tuple(level for level in levels if (series, level.id) in self.spoilt)

    def warnings_of(self, check: str) -> tuple[Finding, ...]:
        """Return what a check warns of."""
        return tuple(finding for finding in self.findings if finding.check == check and finding.status == "warn")

    def shared(self, compared: str) -> tuple[Level, ...]:
        """Return the levels that a series and the baseline both have, spoilt or not."""
        baseline = self.round.baseline
        if baseline is None:
            return ()
        return shared_levels(baseline.levels, self.round.series_by_id(compared).levels)


def shared_levels(baseline: Iterable[Level], compared: Iterable[Level]) -> tuple[Level, ...]:
    """Return the levels of the same id under the same load, as the compared series has them."""
    loads = {level.id: level.order for level in baseline}
    return tuple(level for level in compared if loads.get(level.id) == level.order)
