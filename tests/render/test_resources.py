"""Where templates and assets are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.render import resources
from generator.render.resources import resource

HERE = Path(__file__).parents[2]


def test_in_a_checkout_they_lie_beside_the_package() -> None:
    assert resource("templates") == HERE / "templates"
    assert resource("site_src") == HERE / "site_src"


def test_installed_they_lie_inside_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site-packages" / "generator"
    # A folder of the same name beside an installed package is somebody else's.
    (tmp_path / "site-packages" / "templates").mkdir(parents=True)
    monkeypatch.setattr(resources, "PACKAGE", package)
    assert resource("templates") == package / "_data" / "templates"
