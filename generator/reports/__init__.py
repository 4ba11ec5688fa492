"""Reports: one page about a round a file, with the sections that tell it and what a round must hold for it."""
