"""The runs of a level: requests, gauges, log events, and when a server did what."""
