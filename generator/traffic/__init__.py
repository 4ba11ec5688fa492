"""Real traffic: files of single requests, read as streams, to the profile of a load and the plan of a round like it."""
