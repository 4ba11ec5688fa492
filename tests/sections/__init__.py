"""Tests of generator.sections."""
