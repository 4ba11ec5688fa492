"""The live charts of figures, as specs of plotly."""
