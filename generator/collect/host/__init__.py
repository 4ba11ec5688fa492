"""What the collector knows of the machine: what it is, what it does while a level runs, and what stands in the way."""
