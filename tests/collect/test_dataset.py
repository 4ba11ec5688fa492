from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.collect import dataset
from generator.collect.dataset import Dataset, read_dataset
from generator.errors import InputError
from generator.traffic.rows import Row

SHAREGPT = [
    {
        "id": "a",
        "conversations": [{"from": "human", "value": "What is a cache?"}, {"from": "gpt", "value": "A store."}],
    },
    {"id": "b", "conversations": [{"from": "gpt", "value": "Hello."}, {"from": "human", "value": "缓存是什么？"}]},
    {"id": "c", "conversations": [{"from": "gpt", "value": "Nobody asked."}]},
    {"id": "d", "conversations": []},
    {"id": "e", "conversations": [{"from": "human", "value": "What is a cache?"}]},
]
AZURE = """\
TIMESTAMP,ContextTokens,GeneratedTokens
2023-11-16 18:15:46.6805900,374,44
2023-11-16 18:15:50.9951690,396,109
2023-11-16 18:15:51.2224670,879,0
"""
BURSTGPT = """\
Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type
5,ChatGPT,472,18,490,Conversation log
45,ChatGPT,1087,230,1317,Conversation log
118,GPT-4,417,0,417,Conversation log
"""
MOONCAKE = """\
{"timestamp": 3052, "input_length": 7234, "output_length": 794, "hash_ids": [0, 28]}
{"timestamp": 0, "input_length": 6755, "output_length": 500, "hash_ids": [0, 1]}
{"timestamp": 3052, "input_length": 12, "output_length": 0, "hash_ids": [0]}
"""


def read(folder: Path, text: str | bytes) -> Dataset:
    (folder / "data").write_bytes(text if isinstance(text, bytes) else text.encode())
    found = read_dataset(folder, "data")
    assert found is not None
    return found


def refused(folder: Path, text: str | bytes) -> str:
    with pytest.raises(InputError) as error:
        read(folder, text)
    line = str(error.value)
    assert "\n" not in line
    return line


def test_a_round_may_do_without(tmp_path: Path) -> None:
    assert read_dataset(tmp_path, None) is None


def test_sharegpt_gives_what_each_human_says_first_and_each_text_once(tmp_path: Path) -> None:
    found = read(tmp_path, json.dumps(SHAREGPT))
    assert found.kind == "sharegpt"
    assert found.rows == (Row("What is a cache?"), Row("缓存是什么？"))
    assert found.left_out == 3
    assert len(found.times) == 0


def test_conversations_of_roles_are_read_as_well(tmp_path: Path) -> None:
    one = {"conversation": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}]}
    assert read(tmp_path, json.dumps(one)).rows == (Row("Hi"),)


def test_json_lines_give_texts_and_the_lengths_of_answers(tmp_path: Path) -> None:
    lines = '{"prompt": "one", "output_tokens": 7}\n{"prompt": "two"}\n\n{"prompt": "one"}\n{"prompt": " "}\n'
    lines += '{"prompt": "unanswered", "output_tokens": 0}\n'
    found = read(tmp_path, lines)
    assert found.kind == "jsonl"
    assert found.rows == (Row("one", None, 7), Row("two"))
    assert found.left_out == 3


def test_the_texts_may_stand_in_a_list_and_be_called_text(tmp_path: Path) -> None:
    assert read(tmp_path, '[{"text": "one"}, {"text": "two", "max_tokens": 3}]').rows == (
        Row("one"),
        Row("two", None, 3),
    )


def test_texts_with_times_stand_in_the_order_of_time(tmp_path: Path) -> None:
    found = read(tmp_path, '{"prompt": "b", "timestamp": 2500}\n{"prompt": "a", "timestamp": 1000}')
    assert found.rows == (Row("a", at=1.0), Row("b", at=2.5))
    assert found.times.tolist() == [0.0, 1.5]


def test_texts_of_which_one_has_no_time_are_no_trace(tmp_path: Path) -> None:
    assert len(read(tmp_path, '{"prompt": "b", "timestamp": 2500}\n{"prompt": "a"}').times) == 0


def test_mooncake_gives_lengths_and_times_in_ms(tmp_path: Path) -> None:
    found = read(tmp_path, MOONCAKE)
    assert found.kind == "mooncake"
    assert found.rows == (Row(None, 6755, 500, 0.0), Row(None, 7234, 794, 3.052))
    assert found.left_out == 1  # it has no answer


def test_azure_gives_lengths_and_dates(tmp_path: Path) -> None:
    found = read(tmp_path, AZURE)
    assert found.kind == "azure"
    assert [(row.input_tokens, row.output_tokens) for row in found.rows] == [(374, 44), (396, 109)]
    # 18:15:50.995169 − 18:15:46.680590 = 4.314579 s
    assert found.times.tolist() == pytest.approx([0.0, 4.314579], abs=1e-5)
    assert found.left_out == 1


def test_dates_of_azure_may_have_a_zone(tmp_path: Path) -> None:
    text = (
        "TIMESTAMP,ContextTokens,GeneratedTokens\r\n2024-05-10 00:00:01+00:00,5,6\r\n2024-05-10 01:00:00+01:00,7,8\r\n"
    )
    assert read(tmp_path, text).rows == (Row(None, 7, 8, 1715299200.0), Row(None, 5, 6, 1715299201.0))


def test_burstgpt_gives_lengths_and_seconds(tmp_path: Path) -> None:
    found = read(tmp_path, "\ufeff" + BURSTGPT)
    assert found.kind == "burstgpt"
    assert found.rows == (Row(None, 472, 18, 5.0), Row(None, 1087, 230, 45.0))
    assert found.times.tolist() == [0.0, 40.0]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "data: is empty; known are: ShareGPT JSON"),
        ("[]", "data: is empty; take the file as it was published"),
        ("a,b\n1,2\n", "data: begins with 'a,b', as no known dataset does; known are"),
        (b"\x89PNG\r\n\x1a\n\0\0", "as no known dataset does"),
        (b"\xff\xfe{\0", "data: is UTF-16 and not UTF-8; save the file as UTF-8"),
        ('{"question": "x"}', "data, object 1: has 'question', which no known dataset has; known are"),
        ("{}", "data, object 1: has nothing, which no known dataset has"),
        ("[1]", "data: holds a bare number, not an object; take"),
        ('{"prompt": "a"}\n"b"', "data, after object 1: holds a bare string, not an object"),
        ('{"prompt": "a"}\n{"prompt": ["b"]}', "data, object 2, prompt: is not a text; give each"),
        ('{"prompt": "a"}\n{"question": "b"}', "data, object 2, prompt: is not a text"),
        ('{"prompt": "a", "output_tokens": -1}', "object 1, output_tokens: '-1' is no length: expected a whole number"),
        ('{"prompt": "a", "timestamp": "noon"}', "object 1, timestamp: 'noon' is no number"),
        ('{"prompt": "a"', "ends after 14 bytes in the middle of a JSON value"),
        ('{"prompt": a}', "data, line 1, byte 12: is not JSON"),
        ('[{"conversations": "x"}]', "object 1: has a conversation that is no list"),
        ('[{"conversations": []}]', "data: has no request that could be sent; take"),
        ('{"input_length": 5}', "object 1, output_length: 'None' is no number"),
        ('{"input_length": 1e12, "output_length": 1}', "input_length: '1000000000000.0' is no length"),
        ('{"input_length": 1.5, "output_length": 1}', "input_length: '1.5' is no length"),
        ('{"input_length": true, "output_length": 1}', "input_length: 'True' is no number"),
        (AZURE + "tomorrow,1,1\n", "data, line 5: 'tomorrow' is no date; take"),
        (AZURE + "2023-11-16 18:15:46\n", "data, line 5: has 1 cell, and the header 3; take"),
        (AZURE + "2023-11-16 18:15:46,many,1\n", "data, line 5: 'many' is no number"),
        (BURSTGPT + "nan,x,1,1,2,log\n", "data, line 5: 'nan' is no number"),
        (BURSTGPT.encode() + b"1,\xff,1,1,2,log\n", "is not UTF-8; take"),
        (BURSTGPT + f"1,{'x' * 200_000},1,1,2,log\n", "data, line 5: is not CSV; take"),
        (BURSTGPT + '1,"x,1,1,2,log\n1,x,1,1,2,log\n', "data, line 5: opens a quote that is not closed; take"),
        ("a\rb,c\n", "data: begins with 'a\\rb,c', as no known dataset does"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told_in_one_line(tmp_path: Path, text: str | bytes, line: str) -> None:
    assert line in refused(tmp_path, text)


def test_the_file_has_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.json: is not there; put the file of dataset_file beside round\.toml"):
        read_dataset(tmp_path, "gone.json")


@pytest.mark.parametrize("name", ["../secret", "inside/../../secret", "link", "{absolute}"])
def test_the_file_never_lies_outside_of_the_round(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "round"
    (folder / "inside").mkdir(parents=True)
    (tmp_path / "secret").write_text('{"prompt": "a"}')
    (folder / "link").symlink_to(tmp_path / "secret")
    with pytest.raises(InputError, match=r"lies outside of the round's folder; copy the file beside round\.toml"):
        read_dataset(folder, name.format(absolute=tmp_path / "secret"))


def test_a_folder_or_a_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(InputError, match="is not a file; name one in dataset_file"):
            read_dataset(tmp_path, name)


def test_a_file_that_is_too_large_is_not_opened(tmp_path: Path) -> None:
    with (tmp_path / "data").open("wb") as file:
        file.truncate(dataset.LARGEST + 1)  # a hole, not bytes
    with pytest.raises(InputError, match="is larger than 1024 MiB; cut it"):
        read_dataset(tmp_path, "data")


def test_only_so_many_requests_are_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "MOST_ROWS", 2)
    # What stands behind them is not read: here it is no JSON.
    lines = "".join(f'{{"prompt": "{n}"}}\n' for n in range(20_000))
    assert [row.text for row in read(tmp_path, lines + "rubbish").rows] == ["0", "1"]


def test_only_so_many_letters_are_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "MOST_LETTERS", 10)
    # 6 + 6 = 12 letters are more than 10.
    lines = "".join(f'{{"prompt": "text {n}"}}\n' for n in range(4))
    assert len(read(tmp_path, lines).rows) == 2


def test_a_deck_is_the_same_for_everybody_who_draws_with_its_seed() -> None:
    deck = Dataset("d", "jsonl", tuple(Row(str(n)) for n in range(10)))
    whole, _ = deck.draw(0, 10, 5)
    assert sorted(row.text or "" for row in whole) == [str(n) for n in range(10)]
    assert deck.draw(3, 4, 5) == (whole[3:7], 0)
    assert deck.draw(0, 10, 6)[0] != whole


@given(size=st.integers(1, 30), counts=st.lists(st.integers(0, 20), max_size=6))
def test_draws_that_follow_each_other_share_nothing_they_do_not_own_up_to(size: int, counts: list[int]) -> None:
    deck = Dataset("d", "jsonl", tuple(Row(str(n)) for n in range(size)))
    seen: list[str] = []
    repeated = 0
    for count in counts:
        drawn, again = deck.draw(len(seen), count, 1)
        seen += [row.text or "" for row in drawn]
        repeated += again
    assert len(seen) - len(set(seen)) == repeated


def test_in_order_the_first_follows_the_last() -> None:
    deck = Dataset("d", "azure", tuple(Row(None, n, 1, float(n)) for n in (1, 2, 3)))
    assert [row.input_tokens for row in deck.in_order(1, 4)] == [2, 3, 1, 2]
