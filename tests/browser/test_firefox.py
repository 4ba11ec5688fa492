"""Firefox: every kind of page opens from a disk and from a server, its charts live, and what is interactive works.

Playwright drives no Firefox of a distribution; puppeteer does, over WebDriver BiDi, and needs no driver beside it.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.page_kinds import all_kinds
from tests.support.tools import MODULES, firefox_here, module_here, node_here

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SCRIPT: Final = Path(__file__).parents[1] / "support" / "firefox.cjs"
REPORT: Final = "rounds/round-2/index.html"
STEPS: Final = {
    f"en/{REPORT}": [["click", "#verdict a[href^='how.html#']"], ["see", "#panel[open] .what"]],
    "en/rounds/round-2/guide.html": [["type", "[data-input=lifetime_h]", "2"], ["see", ".calculator .said li"]],
    f"zh/{REPORT}": [
        ["press", "", "/"],
        ["type", ".finder[open] input[role=combobox]", "交叉点"],
        ["see", ".finder[open] #found [role=option]"],
        ["press", "", "Enter"],
        ["see", ":target"],
    ],
    "en/guide.html": [["type", "select[name=model]", "Qwen2.5-7B-Instruct"], ["see", ".joined tbody tr:not([hidden])"]],
}
"""What a reader does on a page: a number's derivation, a calculator, a search that leads to a section, a filter."""

Told = dict[str, Any]


def visited(
    addresses: Sequence[tuple[str, list[list[str]]]], width: int, *, dark: bool = False, patience: int = 60_000
) -> list[Told]:
    """Return what each page did in a Firefox of its own; it waits so many milliseconds for what should be there."""
    module_here("puppeteer-core/package.json")
    visits = [{"address": address, "steps": steps} for address, steps in addresses]
    orders = {"firefox": firefox_here(), "width": width, "dark": dark, "visits": visits, "patience": patience}
    environment = {**os.environ, "NODE_PATH": str(MODULES)}
    done = subprocess.run(
        [node_here(), SCRIPT], input=json.dumps(orders), env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told: list[Told] = json.loads(done.stdout)
    assert len(told) == len(visits)
    return told


def faults(told: Told, home: str, width: int) -> list[str]:
    """Return what a page should not have done; data in the page are no request."""
    outside = [one for one in told["requests"] if not one.startswith((home, "data:", "blob:"))]
    wide = [f"{told['width']} px wide"] if told["width"] > width else []
    return [f"{told['address']}: {one}" for one in (*told["complaints"], *outside, *wide)]


@pytest.mark.parametrize(("lang", "width", "dark"), [("zh", 360, True), ("en", 1280, False)])
def test_each_kind_of_page_opens_from_a_disk(site: Path, lang: str, width: int, dark: bool) -> None:
    home = site.resolve().as_uri()
    paths = [path for path in all_kinds(site) if path.startswith(f"{lang}/")]
    told = visited([(f"{home}/{path}", []) for path in paths], width, dark=dark)
    assert [fault for one in told for fault in faults(one, home, width)] == []
    assert sum(one["charts"] for one in told) > 20


def test_a_server_below_a_path_is_asked_for_its_own_files_and_what_is_interactive_works(served: str) -> None:
    told = visited([(f"{served}{path}", steps) for path, steps in STEPS.items()], 1280)
    assert [fault for one in told for fault in faults(one, served, 1280)] == []
    assert all(len(one["requests"]) >= 3 for one in told)


def test_a_complaint_and_a_request_of_a_page_would_be_told(tmp_path: Path) -> None:
    policy = "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">"
    page = f"<!DOCTYPE html>{policy}<script>1</script><img src=http://127.0.0.1:9/x.png><p>x"
    (tmp_path / "index.html").write_text(page, encoding="utf-8")
    (told,) = visited([(f"{tmp_path.as_uri()}/index.html", [["see", "#nowhere"]])], 1280, patience=2_000)
    found = "\n".join(faults(told, tmp_path.as_uri(), 100))
    for fault in ("policy: script-src", "policy: img-src", "#nowhere", "1280 px wide"):
        assert fault in found
