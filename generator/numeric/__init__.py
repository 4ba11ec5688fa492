"""Numbers without a meaning: statistics, fits, fewer points, columns too long for memory."""
