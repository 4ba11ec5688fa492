from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from click.testing import CliRunner

from generator.collect.demo import llama_server
from generator.collect.demo.llama_server import main
from generator.collect.demo.tiny_model import tiny_model
from generator.collect.engine_process.lifecycle import Launch, running
from generator.collect.tokenizing import vocabulary_of
from generator.collect.words import WORDS
from generator.engines.llamacpp import llamacpp
from generator.errors import InputError
from tests.support.server_logs import count_requests


def test_a_model_that_is_not_there_gets_one_line() -> None:
    said = CliRunner().invoke(main, ["--model", "nowhere.gguf"])
    assert (said.exit_code, said.stderr) == (2, "nowhere.gguf: is no file; name a GGUF file\n")


def test_without_xllamacpp_the_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def missing(package: str) -> None:
        raise InputError(package, "", "cannot be imported", "pip install 'rounds[demo]'")

    monkeypatch.setattr(llama_server, "require", missing)
    (tmp_path / "model.gguf").touch()
    said = CliRunner().invoke(main, ["--model", str(tmp_path / "model.gguf")])
    assert (said.exit_code, said.stderr) == (2, "xllamacpp: cannot be imported; pip install 'rounds[demo]'\n")


def test_slots_share_one_pool_only_where_that_is_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def parameters() -> SimpleNamespace:
        return SimpleNamespace(model=SimpleNamespace(), cpuparams=SimpleNamespace(), cpuparams_batch=SimpleNamespace())

    monkeypatch.setattr(llama_server, "xllamacpp", SimpleNamespace(CommonParams=parameters), raising=False)
    served: list[bool] = []
    monkeypatch.setattr(
        llama_server, "serve", lambda model, options: served.append(llama_server._parameters(model, options).kv_unified)
    )
    (tmp_path / "model.gguf").touch()
    for more in ([], ["--kv-unified"]):
        assert CliRunner().invoke(main, ["--model", str(tmp_path / "model.gguf"), *more]).exit_code == 0

    assert served == [False, True]


@pytest.mark.slow
def test_the_tiny_model_is_served_and_answers_with_words_to_the_full_length(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp", reason="the extra demo is not installed")
    model = tiny_model("F16", tmp_path)
    command = (sys.executable, "-m", "generator.collect.demo.llama_server", "--model", str(model), "--port", "{port}")

    async def use() -> None:
        async with running(Launch((*command, "--parallel", "2"), facts=llamacpp.launching), tmp_path) as engine:
            known = await vocabulary_of(engine.base_url, None)
            assert known.words == WORDS
            body = {"prompt": list(known.ids[:7]), "max_tokens": 20, "temperature": 0}
            told = httpx.post(f"{engine.base_url}/v1/completions", json=body, trust_env=False).json()
        assert (told["usage"]["prompt_tokens"], told["usage"]["completion_tokens"]) == (7, 20)
        assert set(told["choices"][0]["text"].split()) <= set(WORDS)
        assert engine.stopped is not None
        assert (engine.stopped.code, engine.stopped.killed) == (0, 0)

    asyncio.run(use())
    assert count_requests(tmp_path / "server.log", [llamacpp]) == (llamacpp, 2)  # the first answer, and this one
    assert str(tmp_path) not in (tmp_path / "server.log").read_text(encoding="utf-8")
