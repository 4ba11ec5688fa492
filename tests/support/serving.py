"""A web server for a built site, as hosts of static pages are: compressed, below a path."""

from __future__ import annotations

import functools
import gzip
import http.server
import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

COMPRESSED: Final = frozenset({".css", ".csv", ".html", ".js", ".json", ".svg", ".xml"})


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """A handler that compresses text, as hosts do, and keeps the terminal to the tests."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the library's name
        """Say nothing."""

    def send_head(self) -> io.BytesIO | BinaryIO | None:
        """Answer with the file, compressed where that pays."""
        path = Path(self.translate_path(self.path))
        if path.suffix not in COMPRESSED or not path.is_file():
            return super().send_head()
        content = gzip.compress(path.read_bytes(), 6, mtime=0)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        return io.BytesIO(content)


@contextmanager
def serving(site: Path, folder: Path, below: str = "sub/path") -> Iterator[str]:
    """Serve a site below a path, by a link in an empty folder, and yield its address with a slash at the end."""
    link = folder / below
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(site.resolve())
    handler = functools.partial(QuietHandler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{below}/"
        server.shutdown()
