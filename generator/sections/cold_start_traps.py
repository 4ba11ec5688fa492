"""How the times of a start are meant, and what makes them mean something else."""

from __future__ import annotations

from typing import Final

from generator.frame import Analysis
from generator.report_kinds import Chapter, section
from generator.runs.starts import COARSEST_LOOK_S, FINEST_LOOK_S, LOOK_SHARE
from generator.text import same
from generator.told.blocks import Facts, Paragraph
from generator.told.sentence import Sentence, say

TOLD: Final = (
    (
        say(zh="T1、T2、T3 三段", en="The times T1, T2, T3"),
        say(
            zh="T1：从拉起进程到端口可连。T2：从端口可连到首个 token。T3：从端口可连到首条完整回答。三个都从同一个单调时钟读出；T1 + T2 是使用者等的时间。",
            en="T1: from the spawn to the open port. T2: from the port to the first token. T3: from the port to the first completion. All are "
            "read off one monotonic clock; T1 + T2 is what a user waits for.",
        ),
    ),
    (
        say(zh="端口不等于就绪", en="A port is not readiness"),
        say(
            zh="llama.cpp 先开端口，载入期间健康检查说尚未就绪；vLLM 载入、编译、预热之后才开端口。单看 T1，前者几乎是零，后者是全部。第一条请求在健康检查通过后立即发出。",
            en="llama.cpp listens first and says that it is not ready while it loads; vLLM listens after loading, compiling and warm-up. By T1 alone the one "
            "takes next to nothing and the other everything. The first request is sent right after the health check passes.",
        ),
    ),
    (
        say(zh="页缓存", en="Page cache"),
        say(
            zh="第二次启动时模型文件多半还在内存里，快的是缓存，不是引擎；safetensors 与 GGUF 一样。page_cache = \"dropped\" 在每次启动前请系统清出这些文件，清没清掉再用 mincore 核对：别的进程映射着的清不掉。只涉及模型文件，不涉及动态库与 Python 模块。",
            en="At a second start the model's files mostly lie in memory still: what is fast is the cache and not the engine, for safetensors as "
            "for GGUF. page_cache = \"dropped\" asks the system to drop them before each start, and mincore tells what was reached: "
            "what another process has mapped stays. Libraries and Python modules are not touched.",
        ),
    ),
    (
        say(zh="编译缓存", en="Compile caches"),
        say(
            zh="vLLM 把 torch.compile 的结果存在磁盘上，第二次启动直接取用：第一次的编译时间只在空缓存时才有。两次之间编译一项差很多，多半就是它。",
            en="vLLM keeps what torch.compile made on the disk and takes it from there at the next start: the compile time of the first one is of "
            "an empty cache. Where two starts differ much in it, this is mostly why.",
        ),
    ),
    (
        say(zh="分辨率", en="Resolution"),
        say(
            zh="端口与健康检查每隔已过时间的 {share} 看一次，最密 {finest} ms、最疏 {coarsest} ms；时刻只准到这个间隔。日志行前面的时刻是读到它的时刻，引擎攒着写时会晚。",
            en="Port and health are looked at after each {share} of the time since the spawn, at least {finest} ms and at most {coarsest} ms apart: "
            "the moments are no finer. The clock in front of a line of the log is when it was read, which is late where an engine writes in "
            "bunches.",
            share=same(f"{LOOK_SHARE:.0%}"),
            finest=same(f"{FINEST_LOOK_S * 1e3:g}"),
            coarsest=same(f"{COARSEST_LOOK_S * 1e3:g}"),
        ),
    ),
    (
        say(zh="什么时候不要紧", en="When it does not matter"),
        say(
            zh="启动时间 × 稳态吞吐，是启动期间本可以产出的 token。一次启动之后要产出的远多于它时，启动快慢不影响选择；按需拉起、频繁重启时才要紧。",
            en="Time of the start × sustained throughput is what could have been produced meanwhile. Where far more is produced before the next "
            "start, its length decides nothing; it does where servers are started on demand, or often.",
        ),
    ),
)  # fmt: skip


@section()
def cold_start_traps(_: Analysis) -> Chapter:
    """Define the times of the page and name what bends them."""
    return Chapter(say(zh="定义与陷阱", en="Definitions and traps"), (Paragraph(_intro()), Facts(TOLD)))


def _intro() -> Sentence:
    return say(
        zh="本页的时间按以下口径；碰到其中一种情形，两次启动就不是同一回事。",
        en="The times of this page are defined as follows; where one of these cases applies, two starts are not the same thing.",
    )
