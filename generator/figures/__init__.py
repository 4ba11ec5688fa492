"""Figures: one a file, each a neutral description of what is shown."""
