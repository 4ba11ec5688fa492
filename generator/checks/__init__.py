"""Self-checks: one a file."""
