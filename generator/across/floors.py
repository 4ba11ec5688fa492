"""Which numbers rest on weights that are counted too high, so that a floor of them lies above the true one."""

from __future__ import annotations

from typing import Final

from generator.declared.floor_words import FILE_SIZE
from generator.frame import Analysis
from generator.kinds import WITHOUT_EMBEDDING
from generator.model import Series
from generator.text import Text
from generator.values import Address

WEIGHTS: Final = "weight_bytes_per_step"
WHOLE_FILE: Final = Text(
    zh="这个数里的权重按整个文件计，偏高：文件里有 decode 步不读的部分。",
    en="The weights in this number are those of the whole file, which is too high: a decode step does not read all of "
    "it.",
)


def counts_whole_file(analysis: Analysis, series: Series) -> bool:
    """Say whether the weights of a series are the size of its file, which is more than a step reads."""
    is_whole = series.table.weights_basis == FILE_SIZE
    return is_whole and analysis.frame.of_series(WEIGHTS, series.id).value is not None


def resting_on_whole_files(analysis: Analysis) -> frozenset[Address]:
    """Return the weights that are counted as whole files, and every number that rests on them as counted."""
    whole = [Address(WEIGHTS, "series", one.id) for one in analysis.round.series if counts_whole_file(analysis, one)]
    found = dict.fromkeys(whole, True)

    def rests(address: Address) -> bool:
        if address not in found:
            value = analysis.frame.values[address]
            is_corrected = address.basis == WITHOUT_EMBEDDING
            found[address] = not is_corrected and any(rests(one.address) for one in value.inputs)
        return found[address]

    return frozenset(one for one in analysis.frame.values if whole and rests(one))
