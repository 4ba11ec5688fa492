"""Servers whose logs can be read: one a file."""
