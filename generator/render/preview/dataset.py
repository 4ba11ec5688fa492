"""A round as schema.org's Dataset, and the way to it, as JSON-LD in its front page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from markupsafe import Markup

from generator.comparing.order import day_of
from generator.kinds import Metric
from generator.model import LoadKind, Round
from generator.render.archive.citing import person_of, spdx
from generator.render.archive.offered import Offered
from generator.render.page import Location, ReportView, Site
from generator.text import TAGS, Lang, Text
from generator.units import UNITLESS

CONTEXT: Final = "https://schema.org"
SPDX_PAGE: Final = "https://spdx.org/licenses/{}.html"
FORMATS: Final[Mapping[str, str]] = {
    "zip": "application/zip", "csv": "text/csv", "json": "application/json",
}  # fmt: skip
HARMFUL: Final[Mapping[int, str]] = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
"""Signs that could end a script, begin a comment or break a line: spelt out, which in JSON is the same text."""
SOURCES: Final = frozenset({"measured", "reported", "transcribed"})
"""Origins of values that somebody measured, not computed from others."""

WAYS: Final[Mapping[LoadKind, Text]] = {
    "concurrency": Text(
        zh="压测：同时在途的请求数固定（闭环）", en="Load test with a fixed number of requests in flight (closed loop)"
    ),
    "rate": Text(
        zh="压测：请求按给定的到达率发出（开环）", en="Load test with requests sent at a given arrival rate (open loop)"
    ),
}
TRANSCRIBED: Final = Text(zh="转录自公开报告", en="Transcribed from a published report")


def dataset(site: Site, view: ReportView, where: Location, to_take: Offered) -> Markup | None:
    """Return the JSON-LD of a round's front page; None where the address of the site is not known.

    Args:
        site: what all pages share.
        view: the front report.
        where: its place.
        to_take: what can be downloaded.
    """
    if site.base_url is None:
        return None
    graph = [_data(site.base_url, view, where, to_take), _way(site, view, where)]
    return as_script({"@context": CONTEXT, "@graph": graph})


def as_script(thing: object) -> Markup:
    """Return JSON that can stand in a script element whatever its texts are."""
    text = json.dumps(thing, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Markup(text.translate(HARMFUL))  # noqa: S704  # nothing in it is markup


def _data(base_url: str, view: ReportView, where: Location, to_take: Offered) -> dict[str, Any]:
    round_, lang = view.analysis.round, where.lang
    day, authors = day_of(round_), round_.file.round.authors
    told: dict[str, Any] = {
        "@type": "Dataset",
        "@id": f"{base_url}/data/{round_.id}/report.json",
        "name": round_.title[lang],
        "description": view.description or round_.title[lang],
        "url": f"{base_url}/{where.in_language(lang)}",
        "identifier": [round_.id, f"sha256:{round_.data_sha256}"],
        "inLanguage": TAGS[lang],
        "license": _licence(round_, lang),
        "creator": [_creator(name) for name in authors] or None,
        "dateCreated": day.isoformat() if day is not None else None,
        "isAccessibleForFree": True,
        "measurementTechnique": _techniques(round_, lang),
        "variableMeasured": [_variable(metric, lang) for metric in _measured(view)],
        "distribution": [
            _download(f"{base_url}/data/{round_.id}/{name}", size) for name, size in to_take.sizes.items()
        ],
    }
    return {key: value for key, value in told.items() if value}


def _licence(round_: Round, lang: Lang) -> str | dict[str, str] | None:
    declared, known = round_.file.round.license, spdx(round_)
    if declared is None:
        return None
    return SPDX_PAGE.format(known) if known else {"@type": "CreativeWork", "name": declared.text()[lang]}


def _creator(name: str) -> dict[str, str]:
    person = person_of(name)
    return {"@type": "Organization", "name": name} if person is None else {"@type": "Person", "name": person.whole}


def _techniques(round_: Round, lang: Lang) -> list[str]:
    ways = [WAYS[kind][lang] for kind in round_.load_kinds]
    return [TRANSCRIBED[lang], *ways] if round_.file.round.origin == "transcribed" else ways


def _measured(view: ReportView) -> Iterator[Metric]:
    """Yield the metrics of levels that somebody measured, each once."""
    values = view.analysis.frame.values.values()
    keys = dict.fromkeys(
        (value.address.metric, value.address.basis)
        for value in values
        if value.address.scope == "level" and value.value is not None and value.origin in SOURCES
    )
    return (view.printer.graph.metrics[key] for key in keys if key[1] is None)


def _variable(metric: Metric, lang: Lang) -> dict[str, str]:
    unit = {} if metric.unit in UNITLESS else {"unitText": metric.unit}
    return {"@type": "PropertyValue", "name": metric.title[lang], "propertyID": metric.key, **unit}


def _download(url: str, size: int) -> dict[str, str]:
    return {
        "@type": "DataDownload",
        "name": url.rpartition("/")[2],
        "encodingFormat": FORMATS[url.rpartition(".")[2]],
        "contentSize": f"{size} B",
        "contentUrl": url,
    }


def _way(site: Site, view: ReportView, where: Location) -> dict[str, Any]:
    home, lang = f"{site.base_url}/{where.lang}/index.html", where.lang
    steps = [(site.title[lang], home), (view.analysis.round.title[lang], f"{site.base_url}/{where.in_language(lang)}")]
    items = [
        {"@type": "ListItem", "position": number, "name": name, "item": way}
        for number, (name, way) in enumerate(steps, start=1)
    ]
    return {"@type": "BreadcrumbList", "itemListElement": items}
