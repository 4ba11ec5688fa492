"""round.toml as others may have it: verbatim where there is nothing to hide, else without it."""

from __future__ import annotations

import tomllib
from decimal import Decimal

from generator.render.archive.round_toml import NOTE, publishable
from tests.support.rounds import ROUND_TOML

SECRET = 'argv = ["serve", "--api-key", "sk-abcdef0123456789abcdef", "--port", "80"]'
REACHED = 'endpoint = "http://10.1.2.3:8000"'


def with_lines(*lines: str) -> str:
    return ROUND_TOML + "\n".join(["", *lines, ""])


def test_what_holds_nothing_to_hide_stays_letter_by_letter() -> None:
    text = with_lines("# a remark", 'precision = "BF16"')
    assert publishable(text) == text


def test_an_address_and_a_secret_are_not_in_it_and_everything_else_is() -> None:
    made = publishable(with_lines(REACHED, SECRET, 'env = ["HF_TOKEN=hf_abcdefghijklmnop", "THREADS=4"]'))
    assert made.startswith(NOTE)
    assert "10.1.2.3" not in made
    assert "sk-abcdef" not in made
    assert "hf_abc" not in made

    read = tomllib.loads(made)
    before = tomllib.loads(with_lines())
    assert {key: read[key] for key in ("schema", "round", "model", "hardware", "workload")} == {
        key: before[key] for key in ("schema", "round", "model", "hardware", "workload")
    }
    assert read["series"][0] == before["series"][0]
    assert read["series"][1]["argv"] == ["serve", "--api-key", "***", "--port", "80"]
    assert read["series"][1]["env"] == ["HF_TOKEN=***", "THREADS=4"]


def test_a_remark_with_a_secret_goes_with_all_remarks() -> None:
    made = publishable(with_lines("# the key is api_key=sk-abcdef0123456789abcdef"))
    assert "#" not in made.removeprefix(NOTE)
    assert tomllib.loads(made) == tomllib.loads(ROUND_TOML)


def test_numbers_keep_the_digits_that_were_typed() -> None:
    # A claim is judged by its last digit: 1.50 says more than 1.5.
    text = with_lines(REACHED, "[[claim]]", 'id = "a"', 'metric = "itl_p50"', "value = 1.50", "tolerance = 5e-3")
    made = publishable(text)
    assert "value = 1.50\n" in made
    assert tomllib.loads(made, parse_float=Decimal)["claim"][0]["tolerance"] == Decimal("0.005")


def test_texts_of_every_kind_come_back_as_they_were() -> None:
    hostile = 'quote \\" backslash \\\\ tab \\t del \\u007f line \\n 汉字 \\U0001F600'
    made = publishable(with_lines(REACHED, f'precision = "{hostile}"'))
    assert tomllib.loads(made)["series"][1]["precision"] == 'quote " backslash \\ tab \t del \x7f line \n 汉字 😀'


def test_dates_tables_within_tables_and_lists_of_tables_are_written() -> None:
    text = with_lines(REACHED).replace('origin = "transcribed"', "date = 2026-11-30\nmargins = { itl = 0.02 }")
    read = tomllib.loads(publishable(text))
    assert read["round"]["date"].isoformat() == "2026-11-30"
    assert read["round"]["margins"] == {"itl": 0.02}
    assert [one["id"] for one in read["series"]] == ["alpha", "beta"]
