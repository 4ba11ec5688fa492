"""Tests of generator.figures."""
