"""What a client of the OpenAI API gets, over real sockets."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import httpx
import pytest

from generator.collect.reference.model import FAST
from generator.collect.reference.settings import Style
from generator.collect.reference.tokenizer import WORDS
from tests.collect.reference.running import QUICK, Running, asking, events, running

STYLES: tuple[Style, Style] = ("vllm", "llamacpp")
WITH_USAGE = {"stream_options": {"include_usage": True}}


@pytest.fixture(params=STYLES)
def either(request: pytest.FixtureRequest) -> Iterator[Running]:
    """Return a server in each of the styles."""
    with running(replace(QUICK, style=request.param)) as server:
        yield server


@pytest.fixture
def vllm() -> Iterator[Running]:
    with running() as server:
        yield server


def complete(server: Running, tokens: int = 3, **fields: object) -> httpx.Response:
    return httpx.post(f"{server.url}/v1/completions", json=asking(tokens, **fields), timeout=10)


def test_a_stream_has_one_token_a_chunk(either: Running) -> None:
    response = complete(either, 5, **WITH_USAGE)
    texts = [event["choices"][0]["text"] for event in events(response.text) if event["choices"]]
    assert [text for text in texts if text] == list(WORDS[:5])
    usages = [event["usage"] for event in events(response.text) if event.get("usage")]
    assert [usage["completion_tokens"] for usage in usages] == [5]
    assert [usage["prompt_tokens"] for usage in usages] == [2]  # " the" and " model"


def test_a_chat_begins_with_its_role(either: Running) -> None:
    body = {"messages": [{"role": "user", "content": "hi"}], "max_tokens": 2, "stream": True}
    response = httpx.post(f"{either.url}/v1/chat/completions", json=body)
    deltas = [event["choices"][0]["delta"] for event in events(response.text)]
    assert deltas[0]["role"] == "assistant"
    assert [delta["content"] for delta in deltas if delta.get("content")] == list(WORDS[:2])


def test_an_answer_in_one_piece_has_the_same_tokens(either: Running) -> None:
    answer = complete(either, 5, stream=False).json()
    assert answer["choices"][0]["text"] == "".join(WORDS[:5])
    assert answer["usage"]["completion_tokens"] == 5


def test_several_tokens_a_chunk() -> None:
    with running(replace(QUICK, tokens_per_chunk=3)) as server:
        texts = [event["choices"][0]["text"] for event in events(complete(server, 7).text)]
        assert texts == ["".join(WORDS[:3]), "".join(WORDS[3:6]), WORDS[6]]
        assert server.sheets()[0]["tokens"] == [3, 3, 1, 0]


def test_every_chunk_has_a_stamp_and_none_was_sent_before_its_step_ended(either: Running) -> None:
    response = complete(either, 20, **WITH_USAGE)
    [sheet] = either.sheets()
    assert len(sheet["sent"]) == len(events(response.text)) + 1  # and the end mark
    assert (sum(sheet["tokens"]), sheet["state"]) == (20, "done")
    assert all(earlier <= later for earlier, later in pairwise(sheet["sent"]))
    assert all(planned <= sent for planned, sent in zip(sheet["planned"], sheet["sent"], strict=True))
    assert sheet["arrived"] <= sheet["head"] <= sheet["sent"][0]


def test_a_client_sees_each_chunk_after_its_stamp(vllm: Running) -> None:
    with httpx.stream("POST", f"{vllm.url}/v1/completions", json=asking(10)) as response:
        seen = [time.monotonic_ns() for line in response.iter_lines() if line]
    sent = vllm.sheets()[0]["sent"]
    assert len(seen) == len(sent) == 11
    assert all(stamp < arrival for stamp, arrival in zip(sent, seen, strict=True))


def test_the_schedule_does_not_drift(vllm: Running) -> None:
    complete(vllm, 100)
    sheet = vllm.sheets()[0]
    planned = sheet["planned"][:100]
    # the first step reads 1e9 B of weights and 2 tokens of 8192 B: with 1 TB/s, and 1 ms of overhead, 2.000016 ms
    assert planned[0] - sheet["arrived"] == 2_000_016
    # steps 2 to 100 read 3, 4 … 101 tokens: 8192 B × (3 + … + 101 = 5148) ÷ 1 TB/s = 42172 ns; each step is rounded
    assert planned[-1] - planned[0] == pytest.approx(99 * 2_000_000 + 42_172, abs=50)


def test_the_name_of_a_request_is_its_header_or_its_number(vllm: Running) -> None:
    named = httpx.post(f"{vllm.url}/v1/completions", json=asking(1), headers={"X-Request-Id": "mine"})
    complete(vllm, 1)
    assert named.headers["X-Request-Id"] == "mine"
    assert [sheet["request"] for sheet in vllm.sheets()] == ["mine", "1"]


def test_a_long_name_is_cut(vllm: Running) -> None:
    httpx.post(f"{vllm.url}/v1/completions", json=asking(1), headers={"X-Request-Id": "x" * 1000})
    assert vllm.sheets()[0]["request"] == "x" * 128


def test_stamps_over_http(vllm: Running) -> None:
    complete(vllm, 1)
    complete(vllm, 2)
    lines = httpx.get(f"{vllm.url}/reference/stamps?since=1").text.splitlines()
    head, line = (json.loads(one) for one in lines)
    assert (head["since"], head["next"], line["number"], sum(line["tokens"])) == (1, 2, 1, 2)
    assert httpx.get(f"{vllm.url}/reference/stamps?since=-1").status_code == 400


@pytest.mark.parametrize("style", STYLES)
def test_health_is_503_while_the_model_is_loading(style: Style) -> None:
    with running(replace(QUICK, style=style, load_seconds=600)) as server:
        loading = httpx.get(f"{server.url}/health")
        assert (loading.status_code, loading.json()["error"]["message"]) == (503, "Loading model")
        assert complete(server).status_code == 503
        assert httpx.get(f"{server.url}/reference/state").json()["ready"] is False
        assert "listening" not in server.log.getvalue()


@pytest.mark.parametrize("style", STYLES)
def test_health_is_200_once_the_model_is_loaded(style: Style) -> None:
    with running(replace(QUICK, style=style, load_seconds=0.05)) as server:
        deadline = time.monotonic() + 10
        while httpx.get(f"{server.url}/health").status_code != 200:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        assert complete(server).status_code == 200


def test_models_name_the_model(either: Running) -> None:
    [model] = httpx.get(f"{either.url}/v1/models").json()["data"]
    assert model["id"] == "reference-fast"
    assert model.get("max_model_len", model.get("meta", {}).get("n_ctx")) == 4096


def test_text_goes_to_ids_and_back(either: Running) -> None:
    text = " the 模型x"
    tokens = httpx.post(f"{either.url}/tokenize", json={"prompt": text, "content": text}).json()["tokens"]
    assert tokens[0] == 256
    back = httpx.post(f"{either.url}/detokenize", json={"tokens": tokens}).json()
    assert back.get("prompt", back.get("content")) == text


def test_a_prompt_counts_as_many_tokens_as_its_ids(vllm: Running) -> None:
    counted = httpx.post(f"{vllm.url}/tokenize", json={"prompt": " the model runs"}).json()
    usage = complete(vllm, 1, prompt=" the model runs", stream=False).json()["usage"]
    assert counted["count"] == len(counted["tokens"]) == usage["prompt_tokens"] == 7  # two words, " runs" as 5 bytes
    assert complete(vllm, 1, prompt=counted["tokens"], stream=False).json()["usage"] == usage


def test_llamacpp_shows_its_slots_and_vllm_its_version() -> None:
    with running(replace(QUICK, style="llamacpp")) as llama:
        assert httpx.get(f"{llama.url}/props").json()["total_slots"] == 8
        slots = httpx.get(f"{llama.url}/slots").json()
        assert [slot["is_processing"] for slot in slots] == [False] * 8
        assert httpx.get(f"{llama.url}/version").status_code == 404
    with running() as vllm:
        assert "simulated" in httpx.get(f"{vllm.url}/version").json()["version"]
        assert httpx.get(f"{vllm.url}/slots").status_code == 404


def test_requests_beyond_the_slots_wait_their_turn() -> None:
    one_slot = replace(QUICK, style="llamacpp", machine=replace(FAST, slots=1))
    with running(one_slot) as server, httpx.Client(base_url=server.url) as client:
        with client.stream("POST", "/v1/completions", json=asking(500)) as first:
            lines = first.iter_lines()
            next(lines)
            with client.stream("POST", "/v1/completions", json=asking(1)) as second:
                metrics = httpx.get(f"{server.url}/metrics").text
                [slot] = httpx.get(f"{server.url}/slots").json()
                list(lines)
                second.read()
        assert "llamacpp:requests_processing 1\n" in metrics
        assert "llamacpp:requests_deferred 1\n" in metrics
        assert (slot["is_processing"], slot["id_task"]) == (True, 0)
        earlier, later = server.sheets()
        assert earlier["sent"][-1] < later["sent"][0]


def test_who_goes_away_gives_the_slot_back() -> None:
    one_slot = replace(QUICK, machine=replace(FAST, slots=1))
    with running(one_slot) as server:
        with httpx.stream("POST", f"{server.url}/v1/completions", json=asking(3000)) as response:
            next(response.iter_lines())
        assert complete(server, 2).status_code == 200  # 3000 tokens would have taken six seconds
        gone, answered = server.sheets()
        assert (gone["state"], answered["state"]) == ("cancelled", "done")
        assert sum(gone["tokens"]) < 3000
        state = httpx.get(f"{server.url}/reference/state").json()
        assert (state["running"], state["kv_blocks_used"], state["totals"]["cancelled"]) == (0, 0, 1)


def test_what_is_longer_than_the_context_is_refused(either: Running) -> None:
    refused = complete(either, 5000)
    assert refused.status_code == 400
    assert "4096" in refused.json()["error"]["message"]
    assert complete(either).status_code == 200


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"prompt":3}', b"\xff", b"[" * 50_000])
def test_a_body_that_cannot_be_used_gets_400_and_the_connection_lives(vllm: Running, body: bytes) -> None:
    with httpx.Client(base_url=vllm.url) as client:
        refused = client.post("/v1/completions", content=body)
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, 400)
        assert client.post("/v1/completions", json=asking()).status_code == 200


def test_paths_and_methods_that_there_are_not(either: Running) -> None:
    assert httpx.get(f"{either.url}/nothing").status_code == 404
    assert httpx.get(f"{either.url}/v1/completions").status_code == 405
    assert httpx.post(f"{either.url}/health").status_code == 405


def test_metrics_count_what_was_done(either: Running) -> None:
    complete(either, 5)
    complete(either, 7)
    lines = dict(line.rsplit(" ", 1) for line in httpx.get(f"{either.url}/metrics").text.splitlines() if line[0] != "#")
    names = {name.split("{")[0]: float(value) for name, value in lines.items()}
    made = names.get("vllm:generation_tokens_total", names.get("llamacpp:tokens_predicted_total"))
    prompts = names.get("vllm:prompt_tokens_total", names.get("llamacpp:prompt_tokens_total"))
    assert (made, prompts) == (12, 4)
    assert names["reference:steps_total"] == 12
    assert 0 < names["reference:step_lateness_seconds_max"] < 1
