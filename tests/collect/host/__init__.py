"""What the collector knows of the machine."""
