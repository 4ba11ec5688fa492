"""Two rounds against each other: when a difference means something, and when it cannot.

Nothing here is imported by what reads or builds a single round: scipy takes longer to load than all of the rest.
"""
