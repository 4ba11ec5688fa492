"""The error of our own client, measured before the round against a server that knows when it sent what."""

from __future__ import annotations

from typing import Final

from generator.kinds import Metric, metric, observed
from generator.places import record
from generator.text import Text
from generator.themes import CLIENT
from generator.told.sentence import Style

THEME: Final = CLIENT

FILE = "calibration.json"


def _measured(
    key: str, place: tuple[str, str], unit: str, symbol: str, title: Text, meaning: Text, style: Style = "plain"
) -> Metric:
    """Declare a number of calibration.json: its key and unit there, and the unit of the report."""
    return observed(
        key, scope="round", unit=unit, symbol=symbol, title=title, meaning=meaning, style=style,
        digits=3 if unit != "1" else 9, places=[record(FILE, *place)],
    )  # fmt: skip


calibration = (
    _measured(
        "calibration_streams", ("streams", "1"), "1", "C_cal",
        Text(zh="校准的并发流数", en="streams of the calibration"),
        Text(zh="校准时同时在途的请求，等于计划里最高的负载。", en="Requests in flight: as many as the plan has at most."),
    ),
    _measured(
        "calibration_chunks", ("chunks", "1"), "1", "N_chunk,cal",
        Text(zh="校准时发出的 chunk 数", en="chunks sent in the calibration"),
        Text(zh="参考服务端发出的带 token 的 chunk。", en="Chunks with tokens that the reference server sent."),
    ),
    _measured(
        "calibration_lost_chunks", ("lost", "1"), "1", "N_lost,cal",
        Text(zh="校准时丢失的 chunk 数", en="chunks lost in the calibration"),
        Text(
            zh="服务端发出而客户端没有看到的 chunk，或者反过来。",
            en="Chunks that the server sent and the client did not see, or the other way round.",
        ),
    ),
    _measured(
        "calibration_failed", ("failed", "1"), "1", "N_fail,cal",
        Text(zh="校准时失败的请求数", en="requests failed in the calibration"),
        Text(zh="校准时没有得到完整回答的请求。", en="Requests of the calibration without a whole answer."),
    ),
    _measured(
        "client_stamp_error_p50", ("stamp_error_us.p50", "µs"), "µs", "ε_stamp,50",
        Text(zh="时间戳误差 p50", en="stamp error, p50"),
        Text(zh="客户端的接收时刻减去服务端的发送时刻。", en="The client's time of receiving minus the server's of sending."),
    ),
    _measured(
        "client_stamp_error_p99", ("stamp_error_us.p99", "µs"), "µs", "ε_stamp,99",
        Text(zh="时间戳误差 p99", en="stamp error, p99"),
        Text(zh="客户端的接收时刻减去服务端的发送时刻。", en="The client's time of receiving minus the server's of sending."),
    ),
    _measured(
        "calibration_itl_p99_truth", ("itl_p99_truth_ms", "ms"), "ms", "ITL_99,sent",
        Text(zh="校准的 ITL p99，服务端所发", en="ITL p99 of the calibration, as sent"),
        Text(zh="由服务端自己的发送时刻得出。", en="Taken from the server's own times of sending."),
    ),
    _measured(
        "calibration_itl_p99_seen", ("itl_p99_seen_ms", "ms"), "ms", "ITL_99,seen",
        Text(zh="校准的 ITL p99，客户端所见", en="ITL p99 of the calibration, as seen"),
        Text(zh="由客户端的接收时刻得出。", en="Taken from the client's times of receiving."),
    ),
    _measured(
        "calibration_cpu_share", ("cpu_share", "ratio"), "ratio", "u_cal",
        Text(zh="校准时客户端的 CPU 占用", en="CPU share of the client in the calibration"),
        Text(zh="客户端进程的 CPU 时间 ÷ 实际耗时。", en="CPU time of the client's process ÷ wall time."),
        "percent",
    ),
    _measured(
        "measured_bandwidth_low", ("probe.bandwidth_gb_s.low", "GB/s"), "GB/s", "BW_low",
        Text(zh="实测带宽，最低", en="measured bandwidth, lowest"),
        Text(zh="各次重复里最低的一次。", en="The lowest of its repeats."),
    ),
    _measured(
        "measured_bandwidth_median", ("probe.bandwidth_gb_s.median", "GB/s"), "GB/s", "BW_median",
        Text(zh="实测带宽，中位", en="measured bandwidth, median"),
        Text(zh="各次重复的中位数；上限取其中最高的一次，因为别的进程只会使它变慢。", en="The median of its repeats; the limit is the highest, since other processes only ever slow it down."),
    ),
    _measured(
        "measured_compute_low", ("probe.compute_tflops.low", "TFLOP/s"), "TFLOP/s", "F_low",
        Text(zh="实测算力，最低", en="measured compute, lowest"),
        Text(zh="各次重复里最低的一次。", en="The lowest of its repeats."),
    ),
    _measured(
        "measured_compute_median", ("probe.compute_tflops.median", "TFLOP/s"), "TFLOP/s", "F_median",
        Text(zh="实测算力，中位", en="measured compute, median"),
        Text(zh="各次重复的中位数；上限取其中最高的一次，因为别的进程只会使它变慢。", en="The median of its repeats; the limit is the highest, since other processes only ever slow it down."),
    ),
    _measured(
        "probe_threads", ("probe.threads", "1"), "1", "n_thread",
        Text(zh="实测用的线程数", en="threads of the measurement"),
        Text(zh="引擎被告知的线程数；没有时，是可用的 CPU 数。", en="As many as the engines are told to use, else as many as there are CPUs."),
    ),
)  # fmt: skip


@metric(
    "calibration_itl_p99_seen ÷ calibration_itl_p99_truth − 1",
    scope="round",
    unit="ratio",
    symbol="ε_ITL,99",
    style="percent",
    title=Text(zh="客户端使 ITL p99 偏离", en="ITL p99 of the client against the truth"),
    meaning=Text(
        zh="同一批间隔，客户端看到的 p99 比服务端发出的多多少；为负表示更小。",
        en="How far the p99 of the gaps as the client saw them is above that of the gaps as sent; negative where below.",
    ),
)
def calibration_itl_p99_error(calibration_itl_p99_seen: float, calibration_itl_p99_truth: float) -> float:
    """Return seen ÷ sent − 1. Seconds in."""
    return calibration_itl_p99_seen / calibration_itl_p99_truth - 1
