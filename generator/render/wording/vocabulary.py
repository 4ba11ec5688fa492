"""Words that depend on the machine: without a GPU, its memory is not called that of a device."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.text import Lang, Text

OF_GPU: Final = "GPU"
"""A text that names one means one, also where there is none."""
WITHOUT_GPU: Final[Mapping[Lang, tuple[tuple[str, str], ...]]] = {
    "zh": (("显存", "内存"),),
    "en": (("device memory", "memory"), ("Device memory", "Memory")),
}
"""What is said of memory -> what is said of it on a machine without a GPU."""


def in_words(text: Text, lang: Lang, *, has_gpu: bool) -> str:
    """Return a text in one language, in the words of the machine that it is about."""
    told = text[lang]
    if has_gpu or OF_GPU in told:
        return told
    for of_device, of_machine in WITHOUT_GPU[lang]:
        told = told.replace(of_device, of_machine)
    return told
