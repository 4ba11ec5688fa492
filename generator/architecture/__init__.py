"""What a model is made of, as far as bytes and operations go: layers, weights, experts; and what devices can do."""
