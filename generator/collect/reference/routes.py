"""The endpoints: which path and method is answered by what."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs

from generator.collect.reference.asking import Refusal, ask_of, chat_text, fields_of, known_ids
from generator.collect.reference.gauges import STARTED, exposition
from generator.collect.reference.generation import JSON, SERVER
from generator.collect.reference.shapes import FINGERPRINT, dumped, refusal
from generator.collect.reference.slots import slots_of
from generator.collect.reference.stamps import PAGE
from generator.collect.reference.tokenizer import VOCABULARY, detokenize, tokenize

if TYPE_CHECKING:
    from generator.collect.reference.connection import Connection
    from generator.collect.reference.core import Core
    from generator.collect.reference.http import HttpError, Request
    from generator.collect.reference.settings import Settings

PLAIN: Final = "text/plain; version=0.0.4; charset=utf-8"
LINES: Final = "application/x-ndjson"
OWN: Final = "/reference/"
"""In front of the paths that no engine has; they answer also while the server is loading."""


@dataclasses.dataclass(frozen=True, slots=True)
class Body:
    """A whole answer."""

    data: bytes
    kind: str = JSON


Page = Callable[["Request"], Body]


class Routes:
    """Answers requests out of a core."""

    def __init__(self, core: Core) -> None:
        """Take the core; nothing but the server's own pages is answered until it is ready."""
        self.connections: set[Connection] = set()
        self.ready = False
        self._core = core
        self._pages: dict[str, tuple[str, Page]] = {**self._common(), **self._of_style()}

    @property
    def settings(self) -> Settings:
        """The settings of the server."""
        return self._core.settings

    def serve(self, request: Request, connection: Connection) -> None:
        """Answer a request, or begin to."""
        try:
            self._serve(request, connection)
        except Refusal as refused:
            self._finish(connection, request, refused.status, Body(refusal(self.settings.style, refused)))

    def refuse(self, error: HttpError, connection: Connection) -> None:
        """Answer what is no request; the connection is closed after it."""
        body = refusal(self.settings.style, Refusal(error.message, error.status))
        connection.answer(error.status, body, JSON, {"Server": SERVER})

    def _serve(self, request: Request, connection: Connection) -> None:
        if not self.ready and not request.path.startswith(OWN):
            raise Refusal("Loading model", 503)
        if request.path in {"/v1/completions", "/v1/chat/completions"}:
            self._generate(request, connection)
        else:
            self._finish(connection, request, 200, self._page(request)(request))

    def _page(self, request: Request) -> Page:
        method, page = self._pages.get(request.path, ("", None))
        if page is None:
            raise Refusal("File Not Found", 404)
        _require(request, method)
        return page

    def _generate(self, request: Request, connection: Connection) -> None:
        _require(request, "POST")
        fields = fields_of(request.body)
        ask = ask_of(fields, chat=request.path.startswith("/v1/chat"))
        user = fields.get("user")  # a load has one set of headers for all requests, and a body for each
        named = request.head.fields.get("x-request-id") or (user if isinstance(user, str) else None)
        self._core.submit(ask, named, connection)
        self._log(connection, request, 200)

    def _finish(self, connection: Connection, request: Request, status: int, body: Body) -> None:
        connection.answer(status, body.data, body.kind, {"Server": SERVER})
        self._log(connection, request, status)

    def _log(self, connection: Connection, request: Request, status: int) -> None:
        head = request.head
        self._core.log.answered(connection.peer, f"{head.method} {head.target} HTTP/1.{head.minor}", status)

    def _common(self) -> dict[str, tuple[str, Page]]:
        return {
            "/v1/models": ("GET", self._models),
            "/metrics": ("GET", self._metrics),
            "/tokenize": ("POST", self._tokenize),
            "/detokenize": ("POST", self._detokenize),
            f"{OWN}stamps": ("GET", self._stamps),
            f"{OWN}state": ("GET", self._state),
        }

    def _of_style(self) -> dict[str, tuple[str, Page]]:
        if self.settings.style == "vllm":
            empty = Body(b"")
            version = Body(dumped({"version": FINGERPRINT}))
            return {path: ("GET", lambda _: empty) for path in ("/health", "/ping")} | {
                "/version": ("GET", lambda _: version)
            }
        health = Body(dumped({"status": "ok"}))
        return {
            "/health": ("GET", lambda _: health),
            "/props": ("GET", self._props),
            "/slots": ("GET", self._slots),
        }

    def _models(self, _: Request) -> Body:
        machine = self.settings.machine
        model: dict[str, Any] = {"id": machine.name, "object": "model", "created": int(STARTED), "owned_by": SERVER}
        if self.settings.style == "vllm":
            model |= {"root": machine.name, "parent": None, "max_model_len": machine.context}
        else:
            model["meta"] = {"n_vocab": VOCABULARY, "n_ctx": machine.context, "n_params": int(machine.parameters)}
        return Body(dumped({"object": "list", "data": [model]}))

    def _metrics(self, _: Request) -> Body:
        core = self._core
        return Body(exposition(self.settings.style, core.engine, core.pacer.lateness).encode(), PLAIN)

    def _tokenize(self, request: Request) -> Body:
        fields = fields_of(request.body)
        if self.settings.style == "llamacpp":
            return Body(dumped({"tokens": tokenize(_text(fields, "content"))}))
        text = chat_text(fields["messages"]) if "messages" in fields else _text(fields, "prompt")
        tokens = tokenize(text)
        counted = {"count": len(tokens), "max_model_len": self.settings.machine.context}
        return Body(dumped({**counted, "tokens": tokens, "token_strs": None}))

    def _detokenize(self, request: Request) -> Body:
        text = detokenize(known_ids(fields_of(request.body).get("tokens")))
        return Body(dumped({"prompt" if self.settings.style == "vllm" else "content": text}))

    def _props(self, _: Request) -> Body:
        machine = self.settings.machine
        props = {
            "default_generation_settings": {"n_ctx": machine.context},
            "total_slots": machine.slots,
            "model_alias": machine.name,
            "model_path": machine.name,
            "endpoint_slots": True,
            "endpoint_props": False,
            "endpoint_metrics": True,
            "chat_template": "role: content, a line each",
            "build_info": FINGERPRINT,
        }
        return Body(dumped(props))

    def _slots(self, _: Request) -> Body:
        return Body(dumped(slots_of(self._core.engine)))

    def _stamps(self, request: Request) -> Body:
        since = parse_qs(request.query).get("since", ["0"])[-1]
        if not (since.isascii() and since.isdecimal() and len(since) <= 18):  # noqa: PLR2004  # fits 64 bits
            raise Refusal("since has to be the number of a request")
        return Body("".join(f"{line}\n" for line in self._core.book.lines(int(since), PAGE)).encode(), LINES)

    def _state(self, _: Request) -> Body:
        core, engine = self._core, self._core.engine
        state = {
            "server": FINGERPRINT,
            "style": self.settings.style,
            "ready": self.ready,
            "machine": dataclasses.asdict(self.settings.machine),
            "running": len(engine.running),
            "waiting": len(engine.waiting),
            "kv_blocks_used": engine.pool.used,
            "totals": dataclasses.asdict(engine.totals),
            "lateness_ns": dataclasses.asdict(core.pacer.lateness),
        }
        return Body(dumped(state))


def _require(request: Request, method: str) -> None:
    if request.head.method != method:
        raise Refusal(f"this path takes {method} only", 405)


def _text(fields: dict[str, Any], key: str) -> str:
    text = fields.get(key)
    if not isinstance(text, str):
        raise Refusal(f"{key} has to be a text")
    return text
