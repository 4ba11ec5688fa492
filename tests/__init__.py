"""Tests: they mirror the package, and read like examples of it."""
