"""Markdown in two languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.render.wording.markdown import render_markdown
from tests.support.sites import fragment


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("**…调度。**原因", "<strong>…调度。</strong>原因"),
        ("**“结论”**是", "<strong>“结论”</strong>是"),
        ("用**vLLM（BF16）**跑", "用<strong>vLLM（BF16）</strong>跑"),
        ("达到下限的*比例*", "达到下限的<em>比例</em>"),
        ("a *word* here", "a <em>word</em> here"),
        ("2 ** 3 ** 4", "2 ** 3 ** 4"),
        ("二 ** 三", "二 ** 三"),
    ],
)
def test_emphasis_works_beside_han_and_full_width_signs(source: str, html: str) -> None:
    assert render_markdown(source) == f"<p>{html}</p>\n"


def test_a_line_break_between_han_characters_is_no_space() -> None:
    assert render_markdown("第一行，\n第二行") == "<p>第一行，第二行</p>\n"
    assert render_markdown("one line\nand another") == "<p>one line\nand another</p>\n"
    assert render_markdown("用 vLLM\n跑") == "<p>用 vLLM\n跑</p>\n"


def test_tables_are_tables() -> None:
    assert "<th>a</th>" in render_markdown("| a | b |\n| --- | --- |\n| c | d |\n")


def test_html_is_shown_and_not_obeyed() -> None:
    html = render_markdown("<script>alert(1)</script> <b onclick=x>\n\n[x](javascript:alert(1))")
    root = fragment(html)
    assert [element.tag for element in root.iter()][1:] == ["p", "p"]
    assert "<script>alert(1)</script> <b onclick=x>" in "".join(root.itertext())


@given(st.text(alphabet="*_ab 汉字。，“”\n", max_size=40))
def test_any_text_becomes_well_formed_html(source: str) -> None:
    fragment(render_markdown(source))
