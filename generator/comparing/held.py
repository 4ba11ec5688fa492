"""Two rounds compared with each other, whole: the rows, and all else that a reader wants beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from generator.comparing import telling
from generator.comparing.conclusions import Conclusion, conclusions
from generator.comparing.deciding import NOTHING_ASKED, Asked, Decided, decide
from generator.comparing.fates import Flaw, flaws
from generator.comparing.records import Comparison, Setting, SettingStatus
from generator.comparing.rounds import compare
from generator.frame import Analysis
from generator.kinds import Metric
from generator.machines.fact_kinds import kind_of


@dataclass(frozen=True, slots=True)
class SharedSetting:
    """A setting, with the series that have it so in both rounds."""

    setting: Setting
    series: tuple[str, ...]

    @property
    def status(self) -> SettingStatus:
        """Say how the sides stand."""
        return self.setting.status

    @property
    def is_counting(self) -> bool:
        """Say whether it is how floors are counted."""
        return self.setting.is_counting

    @property
    def is_fingerprint(self) -> bool:
        """Say whether it is of machine and software, not of what was chosen for the campaign."""
        kind = kind_of(self.setting.path)
        return kind is not None and kind.kind in ("machine", "software", "time")


@dataclass(frozen=True, slots=True)
class Held:
    """Two rounds and all that comes of holding one against the other."""

    base: Analysis
    head: Analysis
    decided: Decided
    comparison: Comparison
    flaws: tuple[Flaw, ...]
    conclusions: tuple[Conclusion, ...]

    @property
    def names(self) -> dict[str, str]:
        """Return what each side is called: ``base`` and ``head`` by their rounds."""
        return {"base": self.base.round.id, "head": self.head.round.id}

    @property
    def settings(self) -> tuple[SharedSetting, ...]:
        """Return the settings of all series, each once."""
        return tuple(_shared((pair.series, one) for pair in self.comparison.pairs for one in pair.settings))

    def unknown_of(self, series: str) -> tuple[Setting, ...]:
        """Return the settings of a series that may have changed too: at least one side does not record them."""
        pair = next((one for one in self.comparison.pairs if one.series == series), None)
        return () if pair is None else tuple(one for one in pair.settings if one.status == "unknown" and one.group)


def hold(
    base: Analysis,
    head: Analysis,
    metrics: Mapping[str, Metric],
    asked: Asked = NOTHING_ASKED,
    earlier: Sequence[Analysis] = (),
) -> Held:
    """Hold two rounds against each other.

    Args:
        base: the round that is held to be known.
        head: the round that is judged.
        metrics: the metrics of levels by key.
        asked: what is asked for beyond what the rounds say themselves.
        earlier: rounds before both, in the order of time: what noise is learnt from.

    Raises:
        InputError: the primary metric that one of them names can decide nothing.
    """
    decided = decide(base, head, metrics, asked, earlier)
    comparison = compare(base, head, metrics, decided.options)
    if comparison.banner.reasons[:1] in ((telling.NO_SERIES,), (telling.OTHER_WORK,)):
        return Held(base, head, decided, comparison, (), ())
    named = decided.options.pairs
    return Held(base, head, decided, comparison, flaws(base, head, metrics, named), conclusions(base, head, named))


def _shared(settings: Iterable[tuple[str, Setting]]) -> list[SharedSetting]:
    found: dict[Setting, list[str]] = {}
    for series, one in settings:
        found.setdefault(one, []).append(series)
    return [SharedSetting(setting, tuple(series)) for setting, series in found.items()]
