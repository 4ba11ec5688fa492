"""What is said of a round, free of markup: sentences, tables, figures, findings, claims, prose."""
