"""Metrics: each worked out by hand."""
