"""What clients call the errors that requests die of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

OF_CONNECTIONS: Final = frozenset(
    {
        "ServerDisconnectedError", "ClientOSError", "ConnectionResetError", "BrokenPipeError", "RemoteDisconnected",
        "RemoteProtocolError", "ReadError", "WriteError",
    }
)  # fmt: skip
"""What clients call a connection that was kept open and is gone when the next request is to use it."""


def were_disconnected(kinds_of_error: Mapping[str, int]) -> bool:
    """Say whether all died of a connection that was gone; a name may stand behind that of its module."""
    return bool(kinds_of_error) and OF_CONNECTIONS.issuperset(kind.rpartition(".")[2] for kind in kinds_of_error)
