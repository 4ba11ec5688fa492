"""A server behind TLS, and one behind an HTTP proxy: outcomes are right, and the stamps are said to be our own."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.catalogue import load
from generator.collect import campaign as module
from generator.collect.calibrate import Calibration
from generator.collect.campaign import Campaign, Collected
from generator.collect.crew import run_crew
from generator.collect.load import Job, LevelRun, Plan
from generator.collect.progress import Progress
from generator.collect.reference.process import reference_server
from generator.collect.transport import transport_for
from generator.sections.instrument import instrument
from tests.collect.relays import NAME, NEEDS_OPENSSL, certificate, proxy, tls_before
from tests.support.plans import series, write_plan
from tests.support.telling import said

pytestmark = pytest.mark.slow

BODY = {"prompt": "a b c", "max_tokens": 5, "stream": True, "stream_options": {"include_usage": True}}
PLAN = Plan([Job("/v1/completions", json.dumps(BODY).encode())] * 6, concurrency=2)


@pytest.fixture
def port() -> Iterator[int]:
    with reference_server("--step-ms", "2", "--style", "llamacpp") as url:
        yield int(url.rpartition(":")[2])


@pytest.fixture
def pem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
    return made


async def ran(url: str, processes: int = 1) -> LevelRun:
    transport = transport_for(url)
    try:
        return await run_crew(PLAN, url, transport, processes)
    finally:
        await transport.aclose()


def is_right(found: LevelRun) -> bool:
    """Say whether all was answered with 5 tokens in order of time, and no time is called the kernel's."""
    steady = found.of_phase("steady")
    times = [[one.sent, *one.chunks.tolist(), one.ended] for one in steady]
    return (
        [one.reason for one in steady] == [None] * 6
        and [len(one.chunks) for one in steady] == [5] * 6
        and all(row == sorted(row) for row in times)
        and {one.stamp for one in steady} == {"user"}
        and found.measures.kernel_share == 0
    )


@NEEDS_OPENSSL
@pytest.mark.parametrize("processes", [1, 2])
def test_a_server_behind_tls_is_measured_with_stamps_of_our_own(port: int, pem: Path, processes: int) -> None:
    with tls_before(port, pem) as ours:
        assert is_right(asyncio.run(ran(f"https://127.0.0.1:{ours}", processes)))


@NEEDS_OPENSSL
def test_a_certificate_that_nobody_knows_fails_the_requests(
    port: int, pem: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with tls_before(port, pem) as ours:
        found = asyncio.run(ran(f"https://127.0.0.1:{ours}"))
    assert {one.reason for one in found.outcomes} == {"unreachable"}


@pytest.mark.parametrize("processes", [1, 2])
def test_a_server_behind_a_proxy_is_measured_with_stamps_of_our_own(
    port: int, monkeypatch: pytest.MonkeyPatch, processes: int
) -> None:
    seen: list[bytes] = []
    with proxy(port, seen) as ours:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{ours}")
        assert is_right(asyncio.run(ran(f"http://{NAME}:8000", processes)))
    assert set(seen) == {b"GET http://engine.example:8000/v1/models HTTP/1.1"}  # that opens the connections


@NEEDS_OPENSSL
def test_tls_goes_through_a_proxy_in_a_tunnel(port: int, pem: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bytes] = []
    with tls_before(port, pem) as tls, proxy(tls, seen) as ours:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{ours}")
        assert is_right(asyncio.run(ran(f"https://{NAME}:8443")))
    assert set(seen) == {b"CONNECT engine.example:8443 HTTP/1.1"}


@NEEDS_OPENSSL
def test_the_report_of_a_round_over_tls_says_that_the_stamps_are_the_client_s(
    port: int, pem: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def calibrated(_: int, __: object) -> Calibration:
        return Calibration(1, 20.0, 64, 0, {"p50": 5.0, "p99": 9.0, "max": 20.0}, 20.0, 20.0, 0.1, "kernel", 16, 0)

    monkeypatch.setattr(module, "calibrate", calibrated)
    monkeypatch.setattr(module, "probe_of", lambda _: None)
    out = io.StringIO()
    with tls_before(port, pem) as ours:
        plan = series(argv=None, endpoint=f"https://127.0.0.1:{ours}")
        folder = write_plan(tmp_path / "r", plan)
        collected: Collected = asyncio.run(Campaign(folder, load().engines, Progress(out)).collect())

    assert (len(collected.done), collected.failed) == (3, [])
    assert "ref: note: no kernel stamps (TLS" in out.getvalue()
    told = json.loads((folder / "ref/levels/c2/1/level.json").read_text(encoding="utf-8"))
    assert told["summary"]["stamps"] == "user"
    catalogue = load()
    analysis = catalogue.analyse(catalogue.read(folder))
    assert analysis.frame.of_level("client_kernel_stamps", "ref", "c2").value == 0
    chapter = instrument.tell(analysis)
    assert chapter is not None
    assert "client-measures-table" in {getattr(block, "key", "") for block in chapter.blocks}
    client = [one for one in analysis.findings if one.check == "client_fidelity"]
    assert [one.status for one in client if "kernel" in said(one, analysis.round)] == ["warn"]
