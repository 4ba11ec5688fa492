"""Tests of generator.checks."""
