"""Settings of all tests."""

from __future__ import annotations

from hypothesis import settings

# A busy machine is no reason for a property to fail.
settings.register_profile("rounds", deadline=None, print_blob=True)
settings.load_profile("rounds")
