"""Rounds: benchmark reports for LLM serving whose every number can be traced, checked and rebuilt."""

__version__ = "0.1.0"
SCHEMA = 1
"""Schema number of everything written: round.toml, MANIFEST.json and report.json."""
