"""``rounds export``: the data of a round as files for other programs; one format a module."""
