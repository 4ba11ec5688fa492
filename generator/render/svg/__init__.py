"""The static drawings of figures, as SVG."""
