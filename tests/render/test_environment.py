"""The template environment."""

from __future__ import annotations

import jinja2
import pytest

from generator.render.environment import environment


def test_what_is_put_in_is_escaped() -> None:
    html = environment().from_string('<p title="{{ x }}">{{ x }}</p>').render(x="\"><script>'&")
    assert html == '<p title="&#34;&gt;&lt;script&gt;&#39;&amp;">&#34;&gt;&lt;script&gt;&#39;&amp;</p>'


def test_a_name_that_is_not_there_is_an_error() -> None:
    with pytest.raises(jinja2.UndefinedError):
        environment().from_string("{{ misspelt }}").render()


def test_template_code_in_data_is_data() -> None:
    assert environment().from_string("{{ x }}").render(x="{{ 7 * 7 }}") == "{{ 7 * 7 }}"


@pytest.mark.parametrize("name", environment().list_templates())
def test_every_template_compiles(name: str) -> None:
    environment().get_template(name)
