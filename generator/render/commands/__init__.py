"""What commands of the terminal print and write."""
