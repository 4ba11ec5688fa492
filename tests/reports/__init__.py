"""Tests of generator.reports."""
