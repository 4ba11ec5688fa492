"""From observations to values, and from values to findings."""
