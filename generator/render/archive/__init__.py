"""A round as one file to take along: its own files, what was computed from them, and how to cite it."""
