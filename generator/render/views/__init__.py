"""What templates are given."""
