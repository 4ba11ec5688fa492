"""What an author may declare of the bytes of a step and of the bandwidth, in words of either language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.text import Text, same

FILE_SIZE: Final = "file_size"
"""The count of weights that is too high: the file holds what a step does not read."""
WEIGHTS_COUNTED: Final[Mapping[str, Text]] = {
    "matmul_params": Text(zh="只计参与矩阵乘的参数", en="parameters in matrix products only"),
    "all_params": Text(zh="计入全部参数", en="all parameters"),
    FILE_SIZE: Text(zh="按文件大小计，是上限", en="file size, an upper bound"),
}
"""``weights_basis`` of a series -> what its weights count."""
BANDWIDTH_SOURCES: Final[Mapping[str | None, Text]] = {
    "datasheet": Text(zh="数据手册", en="data sheet"),
    "nvml": same("NVML"),
    "measured": Text(zh="实测", en="measured"),
    None: Text(zh="来源未声明", en="source not declared"),
}
"""``bandwidth_source`` of the hardware -> where its bandwidth is from."""
