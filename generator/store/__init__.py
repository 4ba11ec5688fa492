"""runs/ on disk: reading a round, writing whole files, sealing data with a manifest."""
