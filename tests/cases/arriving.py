"""Files as tools leave them, imported into a round and analysed: what a reader of the report would find."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from generator.frame import Analysis
from generator.intake.companions import companions_among, put_beside
from generator.intake.taking_in import Outcome, take_in
from generator.model import Round
from generator.text import LANGS
from generator.told.findings import Finding
from generator.values import Value
from tests.support.telling import catalogue, text_of

Files = Mapping[str, str | bytes]
"""Name of a file -> what is in it."""
NONE: Final[Files] = {}

VLLM: Final[dict[str, Any]] = {
    "date": "20260301-101500", "endpoint_type": "openai", "backend": "openai", "label": None,
    "model_id": "acme/Tiny-8B", "tokenizer_id": "acme/Tiny-8B", "request_rate": "inf", "burstiness": 1.0,
    "max_concurrency": None, "failed": 0,
}  # fmt: skip
"""What every result of `vllm bench serve` says, whatever was measured."""


@dataclass(frozen=True, slots=True)
class Told:
    """An imported round as it is analysed."""

    folder: Path
    outcome: Outcome
    round: Round
    analysis: Analysis

    def value(self, metric: str, level: str | None = None, basis: str | None = None, series: str = "s") -> Value:
        """Return a value of a level, or of its series where no level is named."""
        frame = self.analysis.frame
        if level is None:
            return frame.of_series(metric, series, basis)
        return frame.of_level(metric, series, level, basis)

    def number(
        self, metric: str, level: str | None = None, basis: str | None = None, series: str = "s"
    ) -> float | None:
        """Return the number of a value, in base units."""
        return self.value(metric, level, basis, series).value

    def why(self, metric: str, level: str, basis: str | None = None) -> str:
        """Say in English why a number is not known."""
        reason = self.value(metric, level, basis).reason
        assert reason is not None, f"{metric} is known"
        return reason.en

    def findings(self, check: str) -> list[Finding]:
        """Return what a check found."""
        return [one for one in self.analysis.findings if one.check == check]

    def finding(self, check: str) -> Finding:
        """Return the only finding of a check."""
        [found] = self.findings(check)
        return found

    def said(self, check: str) -> str:
        """Return what a check says, the Chinese sentences first."""
        return "\n".join(text_of(self.findings(check), self.analysis, lang) for lang in LANGS)


def vllm(**numbers: Any) -> str:
    """Write a result of `vllm bench serve`."""
    return json.dumps(VLLM | numbers)


def put(folder: Path, files: Files) -> list[Path]:
    """Write files, and return where each lies."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return [folder / name for name in files]


def imported(tmp_path: Path, files: Files, *, series: str | None = "s", into: str = "round") -> tuple[Path, Outcome]:
    """Import results, and what lies beside them, as ``rounds import`` does."""
    folder = tmp_path / into
    known = catalogue()
    beside, results = companions_among(put(tmp_path / "given", files), known.importers, known.engines)
    outcome = take_in(results, folder, known.importers, series, lambda *_: None)
    if beside:
        kept = put_beside(beside, folder, series)
        assert kept.refused == []
    return folder, outcome


def told(tmp_path: Path, files: Files, *, toml: str = "", keys: Mapping[str, str] | None = None) -> Told:
    """Import files into the series ``s`` of a new round, and analyse it.

    Args:
        tmp_path: where files and round are written.
        files: the results, and what was recorded beside them.
        toml: tables to add at the end of round.toml.
        keys: a line of round.toml -> the lines to put in its place.
    """
    folder, outcome = imported(tmp_path, files)
    return read(folder, outcome, toml=toml, keys=keys)


def read(folder: Path, outcome: Outcome, *, toml: str = "", keys: Mapping[str, str] | None = None) -> Told:
    """Read the folder of a round, after its author has completed round.toml."""
    file = folder / "round.toml"
    text = file.read_text(encoding="utf-8")
    for line, lines in (keys or {}).items():
        assert line in text, text
        text = text.replace(line, lines, 1)
    file.write_text(text + toml, encoding="utf-8")
    round_ = catalogue().read(folder)
    return Told(folder, outcome, round_, catalogue().analyse(round_))
