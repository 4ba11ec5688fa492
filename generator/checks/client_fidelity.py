"""Did our own client keep up with the load that it drove, or did it measure its own slowness?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from generator.across.levels import at_runs, number_at
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Series
from generator.text import Text
from generator.themes import CLIENT
from generator.told.findings import Finding
from generator.told.quoting import listed_levels, round_value
from generator.told.sentence import Quantity, Sentence, SeriesName, say
from generator.values import Address, Value

MOST_CPU: Final = 0.7
"""Share of a core above which a process that waits for one socket after another begins to be late."""
MOST_LAG: Final = 0.005
LAG_OF_STEP: Final = 0.05
"""Lag of sending in seconds, and relative to the median gap, above which it shows in a TTFT."""
MOST_A_READ: Final = 1.2
"""Chunks a read above which many gaps are 0 and others hold two: what they are of is when the client looked."""
FEWEST_KERNEL: Final = 0.99
MOST_STAMP_ERROR: Final = 0.001
"""Seconds between sending and stamp at the p99 of a calibration: a twentieth of a step of 20 ms."""
LAGS: Final = ("client_schedule_lag_p99", "client_schedule_lag_mean")
"""How late requests were sent, which other clients say of themselves, too; the mean where there is no p99."""
MEASURED: Final = ("client_cpu_share", *LAGS, "client_kernel_stamps", "client_chunks_per_read")
CALIBRATED: Final = ("client_stamp_error_p99", "calibration_lost_chunks", "calibration_failed")


@dataclass(frozen=True, slots=True)
class Fault:
    """A way in which a client falls short: the measure that shows it, what is said of it, and what it puts in doubt."""

    metric: str
    shows: Callable[[float, float | None], bool]
    said: Text
    remedy: Text
    doubts: tuple[str, ...] = ()
    worst: Callable[[Sequence[Value]], Value] = lambda values: max(values, key=lambda one: one.value or 0.0)


MORE_ROOM: Final = Text(
    zh="给客户端留出一个空闲的核，或用更多客户端进程。",
    en="Leave the client a core of its own, or use more client processes.",
)
FREE_A_CORE: Final = Text(
    zh="给客户端留出一个空闲的核：它自己占得不多，是机器上的其他负载耽搁了它。",
    en="Free a core for the client: it takes little of one itself, so other work on the machine held it up.",
)
LITTLE: Final = 0.5
"""Share of a core below which a client that is late was kept waiting, not busy."""


def _is_late(lag: float, step: float | None) -> bool:
    return lag > MOST_LAG or (step is not None and lag > LAG_OF_STEP * step)


FAULTS: Final = (
    Fault(
        "client_cpu_share",
        lambda share, _: share > MOST_CPU,
        Text(
            zh="{series} 在 {levels} 的客户端用掉了一个核的 {worst}：它处理不过来时，量到的就是它自己。",
            en="At {levels} of {series} the client took up to {worst} of a core: where it cannot keep up, it measures itself.",
        ),
        Text(zh="用更多客户端进程，或降低这些档位的负载。", en="Use more client processes, or a lighter load."),
    ),
    Fault(
        "client_schedule_lag_p99",
        _is_late,
        Text(
            zh="{series} 在 {levels} 的请求比应当发出的时刻晚：单次运行的 p99 最多 {worst}。服务端承受的负载因此比计划的略轻。",
            en="At {levels} requests to {series} were sent later than they were due (in single runs by up to {worst} at the p99): "
            "the server saw a slightly lighter load than planned.",
        ),
        MORE_ROOM,
    ),
    Fault(
        "client_schedule_lag_mean",
        _is_late,
        Text(
            zh="{series} 在 {levels} 的请求比应当发出的时刻晚：单次运行平均最多 {worst}。服务端承受的负载因此比计划的略轻。",
            en="At {levels} requests to {series} were sent later than they were due (in single runs by up to {worst} on average): "
            "the server saw a slightly lighter load than planned.",
        ),
        MORE_ROOM,
    ),
    Fault(
        "client_chunks_per_read",
        lambda chunks, _: chunks > MOST_A_READ,
        Text(
            zh="{series} 在 {levels} 平均每次读到的 chunk 多达 {worst} 个：一次读到的几个 chunk 只有一个时刻，间隔因此有的为 0，"
            "有的合成一个。",
            en="At {levels} of {series} a read brought up to {worst} chunks on average. Those of one read share one time, so "
            "some gaps are nothing and others hold several.",
        ),
        Text(
            zh="查明是服务端合并了 chunk、途中有代理，还是客户端读得太慢。",
            en="See whether the server joins chunks, a proxy stands between, or the client reads too slowly.",
        ),
        doubts=("itl_p50", "itl_p99"),
    ),
    Fault(
        "client_kernel_stamps",
        lambda share, _: share < FEWEST_KERNEL,
        Text(
            zh="{series} 在 {levels} 的到达时刻只有 {worst} 由内核记下，其余用客户端自己的时钟：读得晚多久，时延就多算多久。",
            en="At {levels} of {series} the kernel took only {worst} of the times of arrival. The others are the client's own: "
            "as late as it read, as long is the latency.",
        ),
        Text(
            zh="在 Linux 上用明文 http 直连服务端；TLS、代理与别的系统没有内核时间戳。",
            en="Connect on Linux over plain http without a proxy: TLS, proxies and other systems give no kernel stamps.",
        ),
        worst=lambda values: min(values, key=lambda one: one.value or 0.0),
    ),
)


@check(
    theme=CLIENT,
    title=Text(zh="客户端是否可信", en="Fidelity of the client"),
    question=Text(
        zh="客户端跟得上它自己施加的负载吗？它的时间戳可信吗？",
        en="Did the client keep up with the load that it drove, and are its times to be trusted?",
    ),
    rule=Text(
        zh="客户端用掉一个核的 {cpu} 以上，p99 的发送滞后（没有 p99 时看均值）超过 {lag} 或步长的 {share}，平均一次读到的 chunk 多于 {chunks} 个，由内核记下的到达时刻不足 {kernel}：满足任一条就警告；发送滞后长过 E2EL p50，就不通过。校准时丢了 chunk，或时间戳误差的 p99 超过 {error}，也一样。",
        en="A warning where the client takes more than {cpu} of a core, sends later than planned by over {lag} or {share} of a step at the p99 (on average, where there is no p99), reads more than {chunks} chunks at once on average, or has less than {kernel} of its times from the kernel; a failure where it sends later than planned by more than the E2EL p50; a warning as well where the calibration lost chunks or its stamps are off by more than {error} at the p99.",
    ).format(
        cpu=f"{MOST_CPU:.0%}",
        lag=f"{MOST_LAG * 1e3:g}\u202fms",
        share=f"{LAG_OF_STEP:.0%}",
        chunks=f"{MOST_A_READ:g}",
        kernel=f"{FEWEST_KERNEL:.0%}",
        error=f"{MOST_STAMP_ERROR * 1e3:g}\u202fms",
    ),
    stage="conclusions",  # the calibration is of the round, which the stage of levels does not know yet
)
def client_fidelity(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose client says how it kept up, and the calibration of our own."""
    told = [series for series in analysis.round.series if any(_known(analysis, series, one) for one in MEASURED)]
    findings = [finding for series in told for finding in _examine(analysis, series)]
    calibrated = _calibration(analysis, [series for series in told if _known(analysis, series, MEASURED[0])])
    return [*findings, *calibrated] or [_nothing()]


def _known(analysis: Analysis, series: Series, metric: str) -> list[Value]:
    """Return the number of every run: a median over trials would hide the one that went wrong."""
    return analysis.frame.known(at_runs(metric, series))


def _levels(values: Sequence[Value]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value.address.level or "" for value in values))


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    known = [fault for fault in FAULTS if fault.metric != LAGS[1] or not _known(analysis, series, LAGS[0])]
    return [found for fault in known if (found := _faulty(analysis, series, fault))] or [_kept_up(analysis, series)]


def _faulty(analysis: Analysis, series: Series, fault: Fault) -> Finding | None:
    shown = [
        value
        for value in _known(analysis, series, fault.metric)
        if fault.shows(value.value or 0.0, _step(analysis, value.address))
    ]
    if not shown:
        return None
    levels = _levels(shown)
    worst = fault.worst(shown)
    named = listed_levels(series.id, levels)
    is_lost = any(_is_lost(analysis, one) for one in shown)
    return Finding(
        check="client_fidelity",
        status="fail" if is_lost else "warn",
        series=series.id,
        levels=levels,
        evidence=tuple(value.address for value in shown),
        doubts=tuple(Address(metric, "level", series.id, level) for level in levels for metric in fault.doubts),
        message=Sentence(
            fault.said, {"series": SeriesName(series.id), "levels": named, "worst": Quantity(worst.address)}
        ),
        remedy=Sentence(FREE_A_CORE if _was_kept_waiting(analysis, fault, shown) else fault.remedy),
    )


def _was_kept_waiting(analysis: Analysis, fault: Fault, late: Sequence[Value]) -> bool:
    """Say whether a client was late in runs in all of which it took little of a core."""
    shares = [number_at(analysis, one.address._replace(metric="client_cpu_share")) for one in late]
    return fault.metric in LAGS and all(share is not None and share < LITTLE for share in shares)


def _is_lost(analysis: Analysis, lag: Value) -> bool:
    """Say whether requests were late by more than a whole answer takes: what was measured is no load of the plan."""
    answer = number_at(analysis, lag.address._replace(metric="e2el_p50"))
    return lag.address.metric in LAGS and answer is not None and (lag.value or 0.0) > answer


def _step(analysis: Analysis, address: Address) -> float | None:
    """Return the median gap of the run, which a lag of sending is compared with."""
    return number_at(analysis, address._replace(metric="itl_p50"))


def _kept_up(analysis: Analysis, series: Series) -> Finding:
    known = [value for metric in MEASURED for value in _known(analysis, series, metric)]
    return Finding(
        check="client_fidelity",
        status="pass",
        series=series.id,
        levels=_levels(known),
        evidence=tuple(value.address for value in known),
        message=say(
            zh="客户端跟上了它对 {series} 施加的每一档负载。",
            en="The client kept up with every level that it drove {series} at.",
            series=SeriesName(series.id),
        ),
    )


def _calibration(analysis: Analysis, driven: Sequence[Series]) -> list[Finding]:
    known = analysis.frame.known([Address(metric, "round") for metric in CALIBRATED])
    if not known:
        return [_not_calibrated()] if driven else []
    numbers = {value.address.metric: value.value or 0.0 for value in known}
    error, lost, failed = (numbers.get(metric, 0.0) for metric in CALIBRATED)
    evidence = tuple(value.address for value in known)
    found = [_inexact(evidence)] if error > MOST_STAMP_ERROR else []
    found += [_lossy(evidence)] if lost or failed else []
    return found or [_exact(evidence)]


def _inexact(evidence: tuple[Address, ...]) -> Finding:
    return Finding(
        check="client_fidelity",
        status="warn",
        evidence=evidence,
        message=say(
            zh="校准时客户端的时间戳 p99 晚了 {error}：比这更短的差别，这一轮分辨不出。",
            en="In the calibration the client's stamps were late by {error} at the p99: shorter differences cannot be "
            "resolved in this round.",
            error=round_value("client_stamp_error_p99"),
        ),
        remedy=say(
            zh="给客户端留出一个空闲的核，关掉旁边的负载，再重新采集。",
            en="Leave the client a core of its own without other load beside it, and collect anew.",
        ),
    )


def _lossy(evidence: tuple[Address, ...]) -> Finding:
    return Finding(
        check="client_fidelity",
        status="warn",
        evidence=evidence,
        message=say(
            zh="校准时丢了 {lost} 个 chunk（共 {sent} 个），失败了 {failed} 条请求：客户端数得不对，或者参考服务端没有答全。",
            en="In the calibration {lost} of {sent} chunks {lost:was|were} lost and {failed} {failed:request|requests} failed: the client miscounts, or the "
            "reference server did not answer in full.",
            lost=round_value("calibration_lost_chunks"),
            sent=round_value("calibration_chunks"),
            failed=round_value("calibration_failed"),
        ),
        remedy=say(
            zh="删去 calibration.json 重新校准；若仍然如此，先不要采用这一轮的数。",
            en="Remove calibration.json and calibrate anew; where it stays so, do not use the numbers of this round.",
        ),
    )


def _exact(evidence: tuple[Address, ...]) -> Finding:
    return Finding(
        check="client_fidelity",
        status="pass",
        evidence=evidence,
        message=say(
            zh="校准时一个 chunk 也没有丢，时间戳的误差 p99 是 {error}。",
            en="The calibration lost no chunk, and its stamps were off by {error} at the p99.",
            error=round_value("client_stamp_error_p99"),
        ),
    )


def _not_calibrated() -> Finding:
    return Finding(
        check="client_fidelity",
        status="unknown",
        message=say(
            zh="没有校准的记录，客户端的时间戳差多少无从得知。",
            en="There is no calibration on record, so how far the client's stamps are off cannot be said.",
        ),
        remedy=say(
            zh="用 rounds collect 采集：它在每一轮之前校准。", en="Collect with rounds collect, which calibrates first."
        ),
    )


def _nothing() -> Finding:
    return Finding(
        check="client_fidelity",
        status="pass",
        message=say(
            zh="没有哪一档是由 Rounds 自己的客户端施加负载的，别的客户端也没说自己发得多晚，没有可查的。",
            en="No level was driven by the client of Rounds itself, and no other client says how late it sent, so there is "
            "nothing to examine.",
        ),
        is_empty=True,
    )
