"""What the logs of servers say: lines to typed events, events to facts; one module a kind of server."""
