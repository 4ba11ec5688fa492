"""Asking NVML: each call may be missing in this release, or fail on its own, and then there is a reason instead."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar

NOT_AVAILABLE: Final = 2.0**63
"""Counts from here on are NVML's way to say that there is none (all bits set)."""

FAULTS: Final = (AttributeError, TypeError, ValueError, ArithmeticError, LookupError, OSError, ctypes.ArgumentError)
"""What the bindings raise besides NVML's own errors, where library and bindings do not fit together."""

Shape = TypeVar("Shape")

Call = tuple[str, *tuple[int, ...]]
"""A function of NVML, and its arguments after the handle."""


class Nvml(Protocol):
    """What is used of the module pynvml. The functions are looked up by name: old releases lack some of them."""

    NVMLError: type[Exception]


@dataclass(frozen=True, slots=True)
class Unread:
    """There is no answer, and why."""

    reason: str


def ask(nvml: Nvml, name: str, *arguments: object) -> object:
    """Return what a function of NVML answers, or ``Unread``. Raises nothing that NVML or its bindings raise."""
    function: Callable[..., object] | None = getattr(nvml, name, None)
    if function is None:
        return Unread("FunctionNotFound")
    try:
        return function(*arguments)
    except nvml.NVMLError as error:
        return Unread(_named(error))
    except FAULTS as error:
        return Unread(type(error).__name__)


def _named(error: Exception) -> str:
    """Return the name of an error. Its text is not asked for: where that is unknown, NVML is called again for it."""
    name = type(error).__name__.removeprefix("NVMLError_")
    return f"error {getattr(error, 'value', '')}" if name == "NVMLError" else name


def ask_first(nvml: Nvml, calls: tuple[Call, ...], *handle: object) -> object:
    """Return the first answer of several calls; where none has one, the reason of the first.

    Args:
        nvml: the module.
        calls: functions that mean the same, the preferred one first.
        handle: the device; nothing for functions of the system.
    """
    answers = []
    for name, *arguments in calls:
        answer = ask(nvml, name, *handle, *arguments)
        if not isinstance(answer, Unread):
            return answer
        answers.append(answer)
    return answers[0]


def taken(answer: object, shape: Callable[[Any], Shape]) -> Shape | Unread:
    """Return a part of an answer in a shape of ours, or why there is none."""
    if isinstance(answer, Unread):
        return answer
    try:
        return shape(answer)
    except NoNumberError as error:
        return Unread(str(error))
    except FAULTS as error:
        return Unread(type(error).__name__)


class NoNumberError(ValueError):
    """An answer that is no measurement."""


def number(value: object) -> float:
    """Return a number that was measured.

    Raises:
        NoNumberError: it is none, or one of those that stand for there being none.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NoNumberError("not a number")
    if not math.isfinite(value) or value >= NOT_AVAILABLE:
        raise NoNumberError("NotAvailable")
    return value
