"""Pages, words and files of two rounds held against each other, and of their history."""
