"""What static and live charts share: scales, axes, colours, marks."""
