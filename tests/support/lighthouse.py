"""Lighthouse on a page that a local server has: the scores of its categories, and what took points away."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tests.support.tools import chromium_here, module_here, node_here

GATED: Final = ("accessibility", "best-practices", "seo")
FLAGS: Final = "--headless=new --no-sandbox --disable-gpu --disable-background-networking --disable-component-update"
PERFORMANCE: Final = (
    "first-contentful-paint",
    "largest-contentful-paint",
    "total-blocking-time",
    "cumulative-layout-shift",
)
"""What the score of performance is made of, besides the speed index."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Scores from 0 to 1 by category, what took points away, and the measurements by audit, in ms or as they are."""

    scores: Mapping[str, float]
    lost: Sequence[str]
    measured: Mapping[str, float]
    transferred: float
    """Bytes."""


def lighthouse(address: str, categories: Sequence[str] = GATED) -> Outcome:
    """Run Lighthouse once, as a phone."""
    command = [node_here(), module_here("lighthouse/cli/index.js"), address, "--quiet", "--output=json"]
    command += [f"--only-categories={','.join(categories)}", f"--chrome-flags={FLAGS}"]
    environment = {**os.environ, "CHROME_PATH": chromium_here()}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=280)
    assert done.returncode == 0, done.stderr
    return _read(json.loads(done.stdout))


def _read(report: Mapping[str, Any]) -> Outcome:
    audits = report["audits"]
    return Outcome(
        {name: category["score"] for name, category in report["categories"].items()},
        [f"{key}: {audits[key]['title']}" for key in _weighed(report) if audits[key]["score"] not in (None, 1)],
        {key: audits[key]["numericValue"] for key in PERFORMANCE if key in audits},
        audits.get("total-byte-weight", {}).get("numericValue", 0.0),
    )


def _weighed(report: Mapping[str, Any]) -> list[str]:
    """Return the audits that count for a category."""
    categories = report["categories"].values()
    return [audit["id"] for category in categories for audit in category["auditRefs"] if audit["weight"]]
