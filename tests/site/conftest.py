"""The site of the published rounds, built once a worker."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.sites import RUNS, build


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(RUNS, tmp_path_factory.mktemp("published") / "site")
