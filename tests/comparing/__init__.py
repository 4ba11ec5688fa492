"""Tests of generator.comparing."""
