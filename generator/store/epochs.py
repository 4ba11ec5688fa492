"""Moments that tools write in seconds since 1970, as text with their zone."""

from __future__ import annotations

from datetime import UTC, datetime


def utc(seconds: float | None) -> str | None:
    """Return a moment as text, in UTC and to the millisecond; None for none, or for one that no calendar has."""
    if seconds is None:
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError, OSError):
        return None
