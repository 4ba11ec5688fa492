"""Sections of a report: one a file, each a chapter made of blocks."""
