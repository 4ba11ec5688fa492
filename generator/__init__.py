"""Rounds: benchmark reports for LLM serving whose every number can be traced, checked and rebuilt."""

import time

__version__ = "0.1.0"
SCHEMA = 1
"""Schema number of everything written: round.toml, MANIFEST.json and report.json."""
IMPORTED_AT = time.time()
"""When the first module of the package was imported (s since 1970): files touched later may not be what runs."""
