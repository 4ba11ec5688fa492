"""What all commands share of the command line."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from generator.terminal import Amount


@click.command()
@click.option("--width", type=Amount(min=0))
def command(width: float) -> None:
    click.echo(repr(width))


def test_an_amount_is_a_number_within_its_limits() -> None:
    assert CliRunner().invoke(command, ["--width", "1e3"]).output == "1000.0\n"
    assert CliRunner().invoke(command, ["--width", "-1"]).exit_code == 2


@pytest.mark.parametrize("told", ["nan", "inf", "1e999", "-nan"])
def test_what_is_not_finite_is_no_amount_even_without_a_limit(told: str) -> None:
    done = CliRunner().invoke(command, ["--width", told])

    assert done.exit_code == 2
    assert "Invalid value for '--width'" in done.output
