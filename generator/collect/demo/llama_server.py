"""``python -m generator.collect.demo.llama_server``: llama.cpp's server as a process, out of the xllamacpp wheel.

It is the server that the llama.cpp project builds: the same requests, the same lines in the log. The flags are named as
those of ``llama-server``, and mean the same. The wheel is an optional extra: ``pip install 'rounds[demo]'``.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import click

from generator.collect.demo.extra import require
from generator.errors import InputError

with suppress(ImportError):  # of the extra
    import xllamacpp

HOST: Final = "127.0.0.1"
DEFAULT_CONTEXT: Final = 4096
FEWEST_CONTEXT: Final = 8
VERBOSITY: Final = 4
"""Of its log: 3 has the requests, 4 the devices and the memory as well, 5 a hundred times as many lines."""
STOPS: Final = (signal.SIGTERM, signal.SIGINT)
NO_SIMILARITY: Final = 0.0
"""A request takes the slot that is free, not one that happens to hold the beginning of its prompt."""


@click.command()
@click.option("-m", "--model", type=click.Path(path_type=Path), required=True, help="A GGUF file.")
@click.option("--port", type=click.IntRange(1, 65535), default=8080, show_default=True)
@click.option("-np", "--parallel", type=click.IntRange(1), default=1, show_default=True, help="Slots.")
@click.option(
    "-c",
    "--ctx-size",
    type=click.IntRange(FEWEST_CONTEXT),
    default=DEFAULT_CONTEXT,
    show_default=True,
    help="Tokens of all slots together.",
)
@click.option("-t", "--threads", type=click.IntRange(1), default=1, show_default=True)
@click.option("--cache-prompt/--no-cache-prompt", default=True, show_default=True, help="Keep prompts in their slots.")
@click.option("--kv-unified", is_flag=True, help="One pool that all slots draw from, instead of a share for each.")
def main(model: Path, **options: Any) -> None:
    """Serve a model on loopback until SIGTERM or Ctrl-C."""
    try:
        serve(_found(model), options)
    except InputError as error:
        click.echo(str(error), err=True)
        sys.exit(2)


def _found(model: Path) -> Path:
    path = model.expanduser()
    if not path.is_file():
        raise InputError(str(model), "", "is no file", "name a GGUF file")
    return path


def serve(model: Path, options: dict[str, Any]) -> None:
    """Serve until told to stop.

    Args:
        model: a GGUF file.
        options: those of the command, by name.

    Raises:
        InputError: xllamacpp is not installed, or cannot load the model.
    """
    require("xllamacpp")
    # Its log and its answers repeat the path, and are published: a bare name tells nothing of whose machine it was.
    os.chdir(model.parent)
    # Before the server starts its threads: they inherit the mask, and sigwait below is told of the signal.
    signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    try:
        server = xllamacpp.Server(_parameters(model, options))
    except RuntimeError as error:
        raise InputError(str(model), "", f"llama.cpp cannot serve it ({error})", "see its log above") from error
    signal.sigwait(STOPS)
    del server


def _parameters(model: Path, options: dict[str, Any]) -> xllamacpp.CommonParams:
    made = xllamacpp.CommonParams()
    made.model.path, made.model_alias = model.name, {model.name}
    made.hostnames, made.port = [HOST], options["port"]
    made.n_parallel, made.n_ctx = options["parallel"], options["ctx_size"]
    made.cpuparams.n_threads = made.cpuparams_batch.n_threads = options["threads"]
    made.endpoint_metrics = made.endpoint_slots = made.endpoint_props = True
    made.cache_prompt, made.cache_ram_mib, made.slot_prompt_similarity = options["cache_prompt"], 0, NO_SIMILARITY
    made.kv_unified, made.verbosity = options["kv_unified"], VERBOSITY
    return made


if __name__ == "__main__":
    main()
