"""Pages, words and files of two rounds compared with each other, and of their history."""
