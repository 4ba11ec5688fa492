from __future__ import annotations

import re

from markupsafe import Markup

from generator.render.plotting.looks import Look
from generator.render.svg.axes import ROW, SHEETS
from generator.render.svg.key import key
from generator.render.wording.markup import tag

LOOKS = [Look(number, number, 0) for number in range(4)]


def sign(look: Look, x: float, y: float) -> Markup:
    return tag("circle", cx=x, cy=y, r=look.shape)


def test_one_name_needs_no_key() -> None:
    assert key([("a", LOOKS[0])], sign, SHEETS["wide"]) == ("", 0)


def test_each_name_stands_beside_its_sign_in_its_accent() -> None:
    drawn, _ = key([("a", LOOKS[0]), ("b", LOOKS[1])], sign, SHEETS["wide"])

    assert re.findall(r'<g class="(s\d)"><circle[^>]*/></g><text class="label measured (s\d)"[^>]*>(\w)<', drawn) == [
        ("s0", "s0", "a"), ("s1", "s1", "b")
    ]  # fmt: skip


def test_names_that_do_not_fit_go_on_in_the_next_row() -> None:
    names = [(f"an engine with a long name {n}", look) for n, look in enumerate(LOOKS)]
    _, wide = key(names[:2], sign, SHEETS["wide"])
    _, narrow = key(names[:2], sign, SHEETS["narrow"])

    assert narrow == wide + ROW
