"""The collector: it loads servers and writes down what came back, when, and how well it could tell."""
