"""The demo: a round that any machine can collect in a minute, on a real engine where the extra ``demo`` is installed.

The engine is llama.cpp's own server, as the xllamacpp wheel brings it; the model has random weights and is written on
the spot, so that nothing has to be downloaded and no licence weighed. Without the extra the reference server stands in,
and every page says that it is simulated.
"""
