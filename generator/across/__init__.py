"""What is seen across the levels, starts and runs of a series, and told by several sections."""
