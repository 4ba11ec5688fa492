"""The facts that are compared, and what each can affect: the one list that checks, tables and differences share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from generator.text import Text, same

Kind = Literal["machine", "software", "engine", "model", "workload", "time"]
Unit = Literal["", "GiB", "MHz", "W"]

KINDS: Final[dict[Kind, Text]] = {
    "machine": Text(zh="机器", en="machine"),
    "software": Text(zh="软件", en="software"),
    "engine": Text(zh="引擎", en="engine"),
    "model": Text(zh="模型", en="model"),
    "workload": Text(zh="负载", en="workload"),
    "time": Text(zh="时间", en="time"),
}


@dataclass(frozen=True, slots=True)
class FactKind:
    """A fact, or all facts below a path that ends in ``.*``.

    Attributes:
        path: where it stands among the facts of a series.
        title: what it is; that of a family has the rest of the path behind it.
        kind: whose fact it is.
        affects: what of a measurement it can change.
        unit: the unit in which a reader is shown it.
        only_differing: whether tables leave it out where all series share it.
    """

    path: str
    title: Text
    kind: Kind
    affects: Text
    unit: Unit = ""
    only_differing: bool = False
    is_switch: bool = True
    """Whether true and false are on and off, not yes and no."""

    def covers(self, path: str) -> bool:
        """Say whether a path is this fact's, or below it."""
        return path.startswith(self.path[:-1]) if self.path.endswith(".*") else path == self.path

    def title_of(self, path: str) -> Text:
        """Return what one of its facts is called."""
        return same(path[len(self.path) - 1 :]) if self.path.endswith(".*") else self.title


SPEED: Final = Text(zh="每一步的速度", en="the speed of every step")
DECODE: Final = Text(zh="decode 的步长", en="the decode step")
CPU_WORK: Final = Text(zh="调度与 CPU 上的开销", en="scheduling and the work on the CPU")
LOADING: Final = Text(zh="加载与主机和显卡之间的传输", en="loading, and transfers between host and GPU")
CAPACITY: Final = Text(zh="KV 池的大小", en="the size of the KV pool")
KERNELS: Final = Text(zh="所用的 kernel（因而所有时延）", en="which kernels run, and hence every latency")
WORK: Final = Text(zh="每条请求的工作量", en="what each request asks for")
OUTPUT: Final = Text(zh="计算的内容与每步读的字节", en="what is computed, and the bytes that a step reads")
STATE: Final = Text(
    zh="机器状态（温度、同机的其他负载、软件版本）",
    en="the state of the machine (heat, other work on it, software versions)",
)

FACT_KINDS: Final = (
    FactKind("host", Text(zh="主机", en="host"), "machine", STATE),
    FactKind("gpu.gpus.name", same("GPU"), "machine", SPEED),
    FactKind("gpu.count", Text(zh="GPU 数", en="number of GPUs"), "machine", SPEED),
    FactKind("gpu.gpus.uuid_hash", Text(zh="哪一块卡", en="which card"), "machine", STATE),
    FactKind("gpu.gpus.memory_total_bytes", Text(zh="显存", en="GPU memory"), "machine", CAPACITY, "GiB"),
    FactKind("gpu.gpus.memory_source", Text(zh="显存来自", en="GPU memory is of"), "machine", DECODE),
    FactKind("gpu.gpus.vbios", same("VBIOS"), "machine", SPEED),
    FactKind("gpu.gpus.ecc", same("ECC"), "machine", DECODE),
    FactKind("gpu.gpus.mig", same("MIG"), "machine", SPEED),
    FactKind("gpu.gpus.mig_slices", Text(zh="MIG 切片数", en="MIG slices"), "machine", SPEED),
    FactKind("gpu.gpus.persistence", Text(zh="persistence mode", en="persistence mode"), "machine", STATE),
    FactKind("gpu.gpus.power_limit_w", Text(zh="功耗上限", en="power limit"), "machine", SPEED, "W"),
    FactKind("gpu.gpus.sm_clock_max_hz", Text(zh="SM 最高频率", en="highest SM clock"), "machine", SPEED, "MHz"),
    FactKind(
        "gpu.gpus.memory_clock_max_hz", Text(zh="显存最高频率", en="highest memory clock"), "machine", DECODE, "MHz"
    ),
    FactKind("gpu.gpus.pcie_generation_max", Text(zh="PCIe 代", en="PCIe generation"), "machine", LOADING),
    FactKind("gpu.gpus.pcie_width_max", Text(zh="PCIe 最大宽度", en="PCIe width at most"), "machine", LOADING),
    FactKind("gpu.gpus.pcie_width_now", Text(zh="PCIe 宽度", en="PCIe width"), "machine", LOADING),
    FactKind("gpu.gpus.nvlinks", same("NVLink"), "machine", SPEED),
    FactKind("gpu.driver", Text(zh="驱动", en="driver"), "software", KERNELS),
    FactKind("gpu.cuda", same("CUDA"), "software", KERNELS),
    FactKind("machine.cpu.model", same("CPU"), "machine", CPU_WORK),
    FactKind("machine.cpu.cores", Text(zh="CPU 核", en="CPU cores"), "machine", CPU_WORK),
    FactKind("machine.cpu.usable", Text(zh="可用的 CPU", en="CPUs that may be used"), "machine", CPU_WORK),
    FactKind("machine.cpu.quota_cores", Text(zh="CPU 配额", en="CPU quota"), "machine", CPU_WORK),
    FactKind("machine.cpu.virtual", Text(zh="虚拟机", en="virtual machine"), "machine", CPU_WORK, is_switch=False),
    FactKind("machine.cpu.governors.*", Text(zh="频率策略", en="frequency governor"), "machine", CPU_WORK, "", True),
    FactKind("machine.memory.total_bytes", Text(zh="内存", en="memory"), "machine", LOADING, "GiB"),
    FactKind(
        "machine.memory.transparent_huge_pages",
        Text(zh="透明大页", en="transparent huge pages"),
        "machine",
        CPU_WORK,
        "",
        True,
    ),
    FactKind("machine.system.kernel", Text(zh="内核", en="kernel"), "software", CPU_WORK),
    FactKind("machine.system.libc", Text(zh="C 库", en="C library"), "software", CPU_WORK, "", True),
    FactKind("machine.system.container", Text(zh="容器", en="container"), "software", CPU_WORK),
    FactKind("python.version", same("Python"), "software", CPU_WORK),
    FactKind("python.packages.*", Text(zh="Python 包", en="Python packages"), "software", KERNELS, "", True),
    FactKind("engine.name", Text(zh="引擎", en="engine"), "engine", SPEED),
    FactKind("engine.version", Text(zh="引擎版本", en="engine version"), "engine", KERNELS),
    FactKind("engine.build", Text(zh="引擎 build", en="engine build"), "engine", KERNELS),
    FactKind("engine.commit", Text(zh="引擎 commit", en="engine commit"), "engine", KERNELS),
    FactKind("engine.slots", Text(zh="槽位", en="slots"), "engine", CAPACITY),
    FactKind("engine.slot_context", Text(zh="每槽位上下文", en="context of a slot"), "engine", CAPACITY),
    FactKind("model.precision", Text(zh="权重精度", en="precision of the weights"), "model", OUTPUT),
    FactKind("model_files.name", Text(zh="模型文件", en="model files"), "model", OUTPUT),
    FactKind(
        "model_files.sha256", Text(zh="模型文件 SHA-256", en="SHA-256 of the model files"), "model", OUTPUT, "", True
    ),
    FactKind("engine.chat_template_sha256", Text(zh="聊天模板", en="chat template"), "workload", WORK, "", True),
    FactKind("run.model", Text(zh="请求的模型", en="model asked for"), "model", OUTPUT),
    FactKind("run.engine", Text(zh="客户端所说的引擎", en="engine by the client"), "engine", KERNELS),
    FactKind("run.tool", Text(zh="压测工具", en="load client"), "workload", WORK),
    FactKind("date", Text(zh="测量日期", en="date"), "time", STATE),
    FactKind("machine.clock.zone", Text(zh="时区", en="time zone"), "time", STATE),
    FactKind(
        "machine.clock.utc_offset_s", Text(zh="与 UTC 之差（秒）", en="seconds ahead of UTC"), "time", STATE, "", True
    ),
)
"""In the order in which a reader meets them. What changes by itself is left out, as the PCIe generation when idle."""

YES_NO: Final = {"true": Text(zh="是", en="yes"), "false": Text(zh="否", en="no")}
ON_OFF: Final = {"true": Text(zh="开", en="on"), "false": Text(zh="关", en="off")}
LONGEST: Final = 60
"""Characters of a fact that a reader is shown."""
FACTORS: Final[dict[Unit, float]] = {"GiB": 2.0**30, "MHz": 1e6, "W": 1.0}


def kind_of(path: str) -> FactKind | None:
    """Return what a fact is; None where it is none that is compared."""
    place = place_of(path)
    return FACT_KINDS[place] if place < len(FACT_KINDS) else None


@lru_cache(maxsize=1 << 12)  # the facts of all series have the same few hundred paths
def place_of(path: str) -> int:
    """Return where a fact stands among the facts; those that are not compared come last."""
    return next((number for number, one in enumerate(FACT_KINDS) if one.covers(path)), len(FACT_KINDS))


def as_shown(kind: FactKind, text: str) -> Text:
    """Return a fact as a reader is shown it: switches in words, amounts in their unit."""
    if text in ON_OFF:
        return (ON_OFF if kind.is_switch else YES_NO)[text]
    if kind.unit:
        return same(" / ".join(_amount(part, kind.unit) for part in text.split(" / ")))
    return same(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


def _amount(text: str, unit: Unit) -> str:
    try:
        return f"{float(text) / FACTORS[unit]:.4g}\u202f{unit}"
    except ValueError:
        return text
