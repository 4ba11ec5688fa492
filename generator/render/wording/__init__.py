"""Words, numbers and marks of pages, in both languages."""
