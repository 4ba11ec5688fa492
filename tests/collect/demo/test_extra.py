from __future__ import annotations

import pytest

from generator.collect.demo import extra
from generator.errors import InputError


def test_the_extra_is_installed_where_each_of_its_packages_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extra, "PACKAGES", ("json", "tomllib"))
    assert extra.is_installed()
    monkeypatch.setattr(extra, "PACKAGES", ("json", "no_such_package_of_anybody"))
    assert not extra.is_installed()


def test_a_package_that_is_missing_is_named_with_the_command_that_installs_it() -> None:
    with pytest.raises(InputError) as caught:
        extra.require("no_such_package_of_anybody")
    assert str(caught.value) == "no_such_package_of_anybody: cannot be imported; pip install 'rounds[demo]'"
