"""The reference server: it answers like an LLM server, from a timing model, and says when it sent each chunk.

Nothing is inferred here and no weights are read; whatever is measured against it is simulated. It exists because its
send times are known: the difference between them and what a client noted is the client's own error.
"""
