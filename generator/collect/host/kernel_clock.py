"""What the kernel knows of the wall clock's error: adjtimex(2), which anyone may ask."""

from __future__ import annotations

import ctypes
import sys
from typing import Final

UNSYNCHRONISED: Final = 0x40
NANOSECONDS: Final = 0x2000
CLOCK_ERROR: Final = 5


class Timex(ctypes.Structure):
    """``struct timex`` of Linux."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_byte * 256),  # what follows is longer than this on no architecture
    )


def kernel_clock() -> dict[str, object] | None:
    """Return whether the clock is kept right, how far off it is thought to be, and its greatest error, in seconds.

    The errors are bounds that whoever keeps the clock (NTP, chrony) told the kernel; where nobody does, they are of no
    meaning and left out. None where the kernel cannot be asked.
    """
    if sys.platform != "linux":
        return None
    found = Timex()
    try:
        answer = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.byref(found))
    except (OSError, AttributeError):
        return None
    return None if answer < 0 else said(found, answer)


def said(found: Timex, answer: int) -> dict[str, object]:
    """Return what an answer of adjtimex means."""
    if answer == CLOCK_ERROR or found.status & UNSYNCHRONISED:
        return {"synchronised": False}
    unit = 1e-9 if found.status & NANOSECONDS else 1e-6
    return {"synchronised": True, "offset_s": found.offset * unit, "greatest_error_s": found.maxerror * 1e-6}
