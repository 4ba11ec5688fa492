"""Tests of generator.deciding."""
