"""Small programs in the place of engines, and ways to see whether any of them is left."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from generator.collect.engine_process.log_format import last_lines
from generator.collect.engine_process.process import EngineProcess, start
from generator.collect.engine_process.task import Task

PATIENCE = 20.0
"""Seconds for what takes a fraction of one on a machine with nothing else to do."""

SLEEP = "import time; print('here', flush=True); time.sleep(600)"

DEAF = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print('here', flush=True)
time.sleep(600)
"""

# A grandchild in a session of its own whose parent ends at once: neither group, session nor parent lead to it.
RUNAWAY = """
import os, signal, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print('runaway', flush=True)
    time.sleep(600)
time.sleep(600)
"""

# Answers 503 until a file is there, then 200; and streams one short answer.
SERVER = """
import http.server, json, os, sys
port, ready = int(sys.argv[1]), sys.argv[2]
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        code = 404 if self.path != '/health' else 200 if os.path.exists(ready) else 503
        print('health', code, flush=True)
        self.send_response(code)
        self.end_headers()
    def do_POST(self):
        self.rfile.read(int(self.headers['Content-Length']))
        self.send_response(200)
        self.end_headers()
        for text in ('', ' the', ' end'):
            self.wfile.write(b'data: ' + json.dumps({'choices': [{'text': text}]}).encode() + b'\\n\\n')
        self.wfile.write(b'data: [DONE]\\n\\n')
    def log_message(self, *_):
        pass
http.server.ThreadingHTTPServer(('127.0.0.1', port), Handler).serve_forever()
"""


def program(script: str, *arguments: str) -> list[str]:
    return [sys.executable, "-u", "-c", script, *arguments]


def task(script: str, *arguments: str, grace_s: float = 5.0, **environment: str) -> Task:
    return Task(program(script, *arguments), {**os.environ, **environment}, str(Path.cwd()), grace_s)


@contextmanager
def engine(log: Path, wanted: Task) -> Iterator[EngineProcess]:
    process = start(wanted, log)
    try:
        yield process
    finally:
        process.stop()


def marked() -> str:
    """Return an argument by which a program and all that it forks can be found."""
    return f"toy-{uuid4().hex}"


def with_argument(word: str) -> set[int]:
    """Return the ids of the processes that run and have a word among their arguments."""
    return {int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdecimal() and _has(folder, word)}


def _has(folder: Path, word: str) -> bool:
    try:
        return word.encode() in (folder / "cmdline").read_bytes()  # empty for a zombie
    except OSError:
        return False


def until(happened: Callable[[], object], seconds: float = PATIENCE) -> bool:
    """Wait for something, and say whether it came."""
    deadline = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def said(log: Path, words: str) -> Callable[[], bool]:
    return lambda: any(words in line for line in last_lines(log, 1000))
