"""What authors may declare: the keys of round.toml and of profiles."""
