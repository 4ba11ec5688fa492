"""Style sheets and scripts without what only readers of their sources need."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.render.files.stripped import stripped_css, stripped_js
from tests.support.sites import RUNS

ASSETS = RUNS.parent / "site_src/assets"


@pytest.mark.parametrize(
    ("written", "loaded"),
    [
        ("/* a; b */\na { color: red; }\n", "a{color:red}"),
        ("a:hover, b > c { width: calc(100% - 2rem); }", "a:hover,b>c{width:calc(100% - 2rem)}"),
        ('s::before { content: "○ /* no; */ " / ""; }', 's::before{content:"○ /* no; */ " / ""}'),
        ("@media (width > 7rem) {\n  a :hover { top: 0; } /* x */\n}", "@media (width>7rem){a :hover{top:0}}"),
        ("a { font: 1rem 'A; B', serif }", "a{font:1rem 'A; B',serif}"),
        ("a { margin: -0.5rem 10.5rem calc(1px - 0.25em) 0 }", "a{margin:-.5rem 10.5rem calc(1px - .25em) 0}"),
        ('a::after { content: "0.5"; top: 0 }', 'a::after{content:"0.5";top:0}'),
    ],
)  # fmt: skip
def test_a_style_sheet_keeps_what_it_says(written: str, loaded: str) -> None:
    assert stripped_css(written) == loaded


def test_a_script_loses_its_lines_of_comment_and_its_indentation_alone() -> None:
    assert stripped_js('// why\n(() => {\n  // because\n\n  f("// no"); // stays\n})();\n') == (
        '(() => {\nf("// no"); // stays\n})();\n'
    )


@pytest.mark.parametrize("path", sorted(ASSETS.glob("*.css")), ids=lambda path: path.name)
def test_as_many_rules_are_loaded_as_were_written(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    written = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    assert stripped_css(text).count("{") == written.count("{")
    assert stripped_css(text).count("}") == written.count("}")
