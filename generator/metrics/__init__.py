"""Metrics: one family a file, each a pure function whose parameter names are its inputs."""
