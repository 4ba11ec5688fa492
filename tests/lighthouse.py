"""Prints what Lighthouse makes of a built site: the median of three runs a page, in both languages."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import median

from tests.support.lighthouse import GATED, PERFORMANCE, Outcome, lighthouse
from tests.support.serving import serving

RUNS = 3
PAGES = ("index.html", "rounds/round-2/index.html", "diff/round-1...round-2/index.html")
LANGS = ("zh", "en")
HEADS = ("perf", "a11y", "best", "SEO", "FCP ms", "LCP ms", "TBT ms", "CLS", "kB")


def row(runs: list[Outcome]) -> list[str]:
    """Return the medians of a page as they are printed."""
    scores = [f"{100 * median(run.scores[name] for run in runs):.0f}" for name in ("performance", *GATED)]
    *times, shift = (median(run.measured[name] for run in runs) for name in PERFORMANCE)
    size = median(run.transferred for run in runs) / 1000
    return [*scores, *(f"{time:.0f}" for time in times), f"{shift:.3f}", f"{size:.1f}"]


def main(site: Path) -> None:
    """Print a line a page."""
    paths = [f"{lang}/{page}" for page in PAGES for lang in LANGS]
    width = max(map(len, paths))
    print(f"{'median of ' + str(RUNS):{width}}", *(f"{head:>7}" for head in HEADS))
    with tempfile.TemporaryDirectory() as folder, serving(site, Path(folder)) as served:
        for path in paths:
            runs = [lighthouse(f"{served}{path}", ("performance", *GATED)) for _ in range(RUNS)]
            print(f"{path:{width}}", *(f"{cell:>7}" for cell in row(runs)), flush=True)
            for lost in sorted({one for run in runs for one in run.lost}):
                print(f"  {lost}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
