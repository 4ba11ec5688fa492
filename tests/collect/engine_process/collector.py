"""A collector that is killed: it starts an engine and waits. Arguments: the log, and what the engine is to be."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

from tests.collect.engine_process.toys import engine, task


def main() -> None:
    # Started from a script in the background, a process is born deaf to Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    log, script, mark = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    with engine(log, task(script, mark, grace_s=3.0)):
        sys.stdout.write("started\n")
        sys.stdout.flush()
        time.sleep(600)


if __name__ == "__main__":
    main()
