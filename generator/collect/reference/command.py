"""The command line of the reference server."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

from generator.collect.reference.model import MACHINES, Machine, even
from generator.collect.reference.pacing import fine_loop
from generator.collect.reference.server import ReferenceServer, start
from generator.collect.reference.settings import STAGES, Settings, Stage
from generator.collect.reference.starting import stages_of
from generator.errors import InputError
from generator.terminal import Amount

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE: Final = click.Path(path_type=Path, dir_okay=False)
POSITIVE: Final = click.IntRange(min=1)
NOT_NEGATIVE: Final = Amount(min=0)
MORE: Final = Amount(min=0, min_open=True)
OF_MACHINE: Final = tuple(one.name for one in fields(Machine) if one.name != "name")
"""Fields of the machine that options of their names set."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the command: the server's settings, its port, and what the caller wants besides."""

    settings: Settings
    port: int
    print_port: bool
    until_eof: bool


def _stages(context: click.Context, parameter: click.Parameter, text: str) -> dict[Stage, float]:
    """Take the stages of the start from the command line."""
    try:
        return stages_of(text) if text else {}
    except ValueError as error:
        raise click.BadParameter(str(error), context, parameter) from None


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="0 for any that is free.")
@click.option("--print-port", is_flag=True, help="Print the port once it listens; nothing else goes to the output.")
@click.option("--until-eof", is_flag=True, help="Stop when the input ends: never outlive who started it.")
@click.option(
    "--style", type=click.Choice(["vllm", "llamacpp"]), default="vllm", show_default=True, help="Whose shapes."
)
@click.option("--machine", type=click.Choice(sorted(MACHINES)), default="plausible", show_default=True)
@click.option("--step-ms", type=MORE, help="Every step takes so long instead.")
@click.option("--bandwidth", type=MORE, help="Memory bandwidth, B/s.")
@click.option("--compute", type=MORE, help="Arithmetic rate, FLOP/s.")
@click.option("--overhead", type=NOT_NEGATIVE, help="Seconds that each step costs besides.")
@click.option("--parameters", type=NOT_NEGATIVE, help="Weights that each token is multiplied with.")
@click.option("--weight-bytes", type=NOT_NEGATIVE, help="Bytes of weights that each step reads.")
@click.option("--kv-bytes", type=NOT_NEGATIVE, help="Bytes of one token in the KV cache.")
@click.option("--attention-flops", type=NOT_NEGATIVE, help="FLOP of one token and one token that it sees.")
@click.option("--slots", type=POSITIVE, help="Sequences in a batch at most.")
@click.option("--kv-blocks", type=POSITIVE, help="Blocks of the KV pool.")
@click.option("--block-tokens", type=POSITIVE, help="Tokens of one block.")
@click.option("--chunk-tokens", type=POSITIVE, help="Prompt tokens in one step at most.")
@click.option("--context", type=POSITIVE, help="Tokens of one prompt and its answer at most.")
@click.option(
    "--reserve",
    type=click.Choice(["whole", "grow"]),
    help="Take KV blocks for prompt and answer at once, or as tokens come and preempt the youngest where none is left.",
)
@click.option("--noise", type=Amount(0, 2), default=0.0, show_default=True, help="Spread of the step's time.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the noise.")
@click.option("--load-seconds", type=NOT_NEGATIVE, default=0.0, show_default=True, help="Answer 503 for so long.")
@click.option(
    "--start-stages",
    default="",
    callback=_stages,
    metavar="NAME=SECONDS,…",
    help=f"Of {', '.join(STAGES)}: how long each takes.",
)
@click.option("--stats-seconds", type=MORE, default=10.0, show_default=True, help="Between statistics in vLLM's log.")
@click.option("--tokens-per-chunk", type=POSITIVE, default=1, show_default=True)
@click.option(
    "--idle-seconds", type=NOT_NEGATIVE, default=5.0, show_default=True, help="Keep idle connections so long."
)
@click.option("--most-requests", type=click.IntRange(min=0), help="Answers on one connection; 0 for no limit.")
@click.option("--log", type=FILE, help="The log; otherwise it goes to the error output.")
@click.option("--stamps", type=FILE, help="Write the send stamps here at the end.")
def main(log: Path | None, stamps: Path | None, **options: Any) -> None:
    """Serve simulated answers on loopback until SIGTERM or Ctrl-C."""
    run = Run(settings_of(options), options["port"], options["print_port"], options["until_eof"])
    try:
        with ExitStack() as stack:
            out = sys.stderr if log is None else stack.enter_context(_opened(log))
            server = _run(run, out)
            if stamps is not None and server is not None:
                _write(stamps, server)
    except InputError as error:
        click.echo(str(error), err=True)
        sys.exit(2)


def settings_of(options: Mapping[str, Any]) -> Settings:
    """Return the settings that the options of the command describe."""
    style = options["style"]
    most = options["most_requests"]
    return Settings(
        style=style,
        machine=_machine(options),
        noise=options["noise"],
        seed=options["seed"],
        load_seconds=options["load_seconds"],
        stages=options["start_stages"],
        tokens_per_chunk=options["tokens_per_chunk"],
        idle_seconds=options["idle_seconds"],
        most_requests=most if most is not None else {"vllm": 0, "llamacpp": 100}[style],
        stats_seconds=options["stats_seconds"],
    )


def _machine(options: Mapping[str, Any]) -> Machine:
    step = options["step_ms"]
    machine = MACHINES[options["machine"]] if step is None else even(step / 1e3)
    given = {name: options[name] for name in OF_MACHINE if options[name] is not None}
    return replace(machine, **given)


def _run(run: Run, out: TextIO) -> ReferenceServer | None:
    loop = fine_loop()
    try:
        return loop.run_until_complete(_serve(run, out))
    finally:
        loop.close()


async def _serve(run: Run, out: TextIO) -> ReferenceServer | None:
    """Serve until told to stop; None where that was before the start was over."""
    stop = asyncio.Event()
    _heed(stop, run.until_eof)
    stopping = asyncio.create_task(stop.wait())
    starting = asyncio.create_task(_started(run, out))
    try:
        await asyncio.wait({stopping, starting}, return_when=asyncio.FIRST_COMPLETED)
        if not starting.done():
            return None
        server = await starting
        if run.print_port:
            click.echo(server.port)
        await stopping
    finally:
        starting.cancel()
        stopping.cancel()
    await server.stop()
    return server


async def _started(run: Run, out: TextIO) -> ReferenceServer:
    try:
        return await start(run.settings, run.port, out)
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise InputError(f"port {run.port}", "", f"cannot be used ({reason})", "take another, or 0") from error


def _heed(stop: asyncio.Event, until_eof: bool) -> None:
    """Set an event at SIGTERM, at Ctrl-C and, if wanted, at the end of the input."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    if not until_eof:
        return
    try:
        loop.add_reader(sys.stdin.fileno(), _stop_at_eof, stop)
    except OSError as error:  # a file, of which the end cannot be waited for
        remedy = "make it a pipe or a terminal, or leave --until-eof out"
        raise InputError("standard input", "", f"cannot be watched ({error.strerror})", remedy) from error


def _stop_at_eof(stop: asyncio.Event) -> None:
    if not os.read(sys.stdin.fileno(), 4096):
        stop.set()
        asyncio.get_running_loop().remove_reader(sys.stdin.fileno())


def _opened(path: Path) -> TextIO:
    try:
        return path.open("w", encoding="utf-8")
    except OSError as error:
        raise InputError(str(path), "", f"cannot be written ({error.strerror})", "name another file") from error


def _write(path: Path, server: ReferenceServer) -> None:
    with _opened(path) as out:
        out.writelines(f"{line}\n" for line in server.stamps.lines())
