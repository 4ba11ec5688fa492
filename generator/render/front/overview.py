"""llms.txt: the rounds and their data in a form that programs which read for people take in at once."""

from __future__ import annotations

from typing import Final

from generator.frame import Analysis
from generator.render.front.gathered import Files, Gathered
from generator.render.wording.markdown import plain

NAME: Final = "llms.txt"
HEAD: Final = """\
# {title}

> Rounds of LLM-serving benchmarks. Every value has its unit, formula, inputs and source in report.json; values.csv has
> the same values, one a row. Findings of self-checks say which levels are unfit for conclusions: read them first.

Pages are in Chinese (/zh/) and English (/en/) under the same names.

## Rounds

"""


def files(gathered: Gathered) -> Files:
    """Return the overview, in English; nothing where the address of the site is not known."""
    base_url = gathered.site.base_url
    if base_url is None:
        return {}
    told = "".join(_line(gathered, base_url, one) for one in gathered.analyses)
    return {NAME: HEAD.format(title=plain(gathered.site.title["en"])) + told}


def _line(gathered: Gathered, base_url: str, analysis: Analysis) -> str:
    round_, data = analysis.round, f"{base_url}/data/{analysis.round.id}"
    ways = f"[report.json]({data}/report.json), [values.csv]({data}/values.csv)"
    page = f"[{plain(round_.title['en'])}]({base_url}/en/rounds/{round_.id}/index.html)"
    return f"- {page}: {plain(gathered.summaries[round_.id].verdict['en'])} ({ways})\n"
