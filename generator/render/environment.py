"""The template environment: everything is escaped, and a name that is not there is an error."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from generator.render.resources import resource
from generator.render.views.columns import columns, has_words_beside, is_stacked
from generator.render.wording.isolation import flagged, isolated, whole_id
from generator.render.wording.numbers import kept_whole
from generator.text import TAGS, counted


def environment() -> Environment:
    """Return the environment of the site's templates; a template is compiled once, and again when its file changes."""
    return _of_templates(resource("templates"))


@cache
def _of_templates(folder: Path) -> Environment:
    made = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        optimized=False,  # looking for what can be computed beforehand takes longer than it saves
    )
    made.filters["isolated"] = isolated
    made.filters["flagged"] = flagged
    made.filters["kept_whole"] = kept_whole
    made.filters["whole_id"] = whole_id
    made.filters["counted"] = counted
    made.globals["tags"] = TAGS
    made.globals["columns"] = columns
    made.globals["is_stacked"] = is_stacked
    made.globals["has_words_beside"] = has_words_beside
    return made
