"""Where a round's reports print each metric."""

from __future__ import annotations

from dataclasses import replace

from generator.render.files.printed import printed
from generator.values import Address
from tests.render.test_page import view
from tests.support.analyses import BASELINE

ITL, FLOOR = (Address(key, "level", BASELINE, "c8") for key in ("itl_p50", "decode_floor"))


def test_a_metric_is_printed_in_the_section_whose_number_leads_to_it() -> None:
    report = replace(view(), figures={})
    itl, floor = (report.printer.anchors[one] for one in (ITL, FLOOR))
    page = (
        f'<section id="verdict" class="x"><a href="how.html#{itl}">16.6</a><a href="how.html#{itl}">16.6</a></section>'
        f'<section id="batching"><a href="how.html#{floor}">1</a><a href="how.html#{itl}">16.6</a></section>'
    )

    assert printed([report], {"index.html": page}) == {
        "itl_p50": ["index.html#verdict", "index.html#batching"],
        "decode_floor": ["index.html#batching"],
    }
