"""An installed wheel builds the site on its own: templates and assets come with it."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support.sites import RUNS

ROOT = RUNS.parent
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [*PIP, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_the_wheel_holds_the_package_its_data_and_its_licences(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for name in (
        "generator/py.typed",
        "generator/_data/templates/report.html",
        "generator/_data/site_src/site.toml",
        "generator/_data/site_src/pages/about.zh.md",
        "generator/_data/site_src/assets/vendor/plotly-basic.min.js",
    ):
        assert name in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not [name for name in names if name.startswith(("tests/", "runs/"))]


def test_the_installed_package_builds_the_same_site(wheel: Path, tmp_path: Path, site: Path) -> None:
    target = tmp_path / "target"
    install = [*PIP, "install", "--quiet", "--no-deps", "--no-index", "--target", str(target), str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    runs = site.with_name("runs")
    command = [sys.executable, "-m", "generator", "site", "--fresh", "--runs", str(runs), "--out", "site"]
    environment = {**os.environ, "PYTHONPATH": str(target)}
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
    where = [sys.executable, "-c", "import generator; print(generator.__file__)"]
    found = subprocess.run(where, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True)
    assert Path(found.stdout.strip()).is_relative_to(target)
    built = {path.relative_to(site) for path in site.rglob("*") if path.is_file()}
    assert {p.relative_to(tmp_path / "site") for p in (tmp_path / "site").rglob("*") if p.is_file()} == built
    assert [name for name in built if (site / name).read_bytes() != (tmp_path / "site" / name).read_bytes()] == []
