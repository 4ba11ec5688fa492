"""The metric graph, the resolver and the two stages."""
