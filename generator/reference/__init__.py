"""The tables of docs/ that are made of what is declared: keys, places, metrics, checks, commands."""
