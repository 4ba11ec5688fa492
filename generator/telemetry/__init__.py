"""What was sampled beside the runs: GPU samples of several tools, and pages of /metrics; one kind of file a module."""
