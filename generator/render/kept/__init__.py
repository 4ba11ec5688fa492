"""What was made before, kept for the next build."""
