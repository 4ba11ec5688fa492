"""From an analysis to pages: numbers, prose, figures, HTML."""
