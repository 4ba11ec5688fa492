from __future__ import annotations

import gzip
import json
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.declared.profiles import Kind
from generator.errors import InputError
from generator.traffic import reading
from generator.traffic.mapped import Mapped, mapping_of
from generator.traffic.reading import Aside, Bad, read_traffic
from generator.traffic.rows import Row
from tests.support.loads import AZURE, BURSTGPT, FILES, MOONCAKE, SECRET, SHAREGPT, put

COUNTS = {
    "azure": (3, 0), "burstgpt": (2, 0), "mooncake": (2, 0), "sharegpt": (2, 1), "jsonl": (2, 0),
    "access_log": (2, 1), "vllm_log": (2, 0), "llamacpp_log": (2, 0),
}  # fmt: skip
"""Kind -> how many requests its file has, and how many lines or objects that are none."""
LENGTHS = st.integers(1, 2_000_000)
ROWS = st.lists(st.tuples(st.integers(0, 10**7), LENGTHS, LENGTHS), min_size=1, max_size=30)
RUBBISH = st.sampled_from(
    ["", "{", '{"input_length": -1}', "a,b,c,d", "\0", '"', '{"input_length": "x"}', "[1]", "9" * 60]
)


def read(path: Path, mapped: Mapped | None = None) -> tuple[Kind, list[object]]:
    found = read_traffic(path, mapped)
    return found.kind, list(found.found)


@pytest.mark.parametrize("kind", FILES)
def test_a_file_is_known_by_its_content(tmp_path: Path, kind: str) -> None:
    found, rows = read(put(tmp_path, FILES[kind]))

    assert found == kind
    assert (sum(isinstance(row, Row) for row in rows), sum(isinstance(row, Aside) for row in rows)) == COUNTS[kind]


@pytest.mark.parametrize("kind", FILES)
def test_packed_files_are_read_as_they_are(tmp_path: Path, kind: str) -> None:
    plain = read(put(tmp_path, FILES[kind]))
    with zipfile.ZipFile(tmp_path / "zip", "w") as archive:
        archive.writestr("one", FILES[kind])

    assert read(put(tmp_path, gzip.compress(FILES[kind].encode()), "gz")) == plain
    assert read(tmp_path / "zip") == plain


def test_every_byte_is_told_of_as_it_is_read(tmp_path: Path) -> None:
    told: list[int] = []
    path = put(tmp_path, MOONCAKE * 2000)
    list(read_traffic(path, None, told.append).found)

    assert sum(told) == path.stat().st_size


def test_bad_lines_are_counted_and_stop_nothing(tmp_path: Path) -> None:
    kind, rows = read(put(tmp_path, AZURE + "rubbish\n2023-11-16 18:17:08,many,1\n2023-11-16 18:17:09,5,6\n"))

    assert kind == "azure"
    assert [type(row) for row in rows] == [Row, Row, Row, Bad, Bad, Row]


def test_a_quote_that_is_not_closed_costs_its_own_line(tmp_path: Path) -> None:
    found = read_traffic(put(tmp_path, BURSTGPT + '50,"a,2,GPT-4,1,1,2,x\n60,b,2,GPT-4,5,6,11,x\n'))
    rows = list(found.found)

    assert [type(row) for row in rows] == [Row, Row, Bad, Row]
    assert rows[-1] == Row(None, 5, 6, 60.0, 2.0)
    assert found.open_quotes == [4]


def test_cells_over_several_lines_are_read(tmp_path: Path) -> None:
    mapped = mapping_of("input=in")
    assert read(put(tmp_path, 'text,in\n"a\n""b"", c",5\nd,6\n'), mapped)[1] == [Row(None, 5), Row(None, 6)]


def test_a_list_that_breaks_off_gives_what_came_before(tmp_path: Path) -> None:
    found = read_traffic(put(tmp_path, SHAREGPT[:-40]))

    assert len([one for one in found.found if isinstance(one, Row)]) == 1
    assert found.notes == {"cut_off"}


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", "data: is empty; name a file of requests"),
        (b"hello\n", "data: is of no known kind; known are traces"),
        (b"\x89PNG\r\n\x1a\n\0\0", "data: is of no known kind"),
        (f'{{"{SECRET}": 1}}\n'.encode(), "data: is JSON of no known kind; known are"),
        (b"[]", "data: holds no request"),
        (f"TIMESTAMP,ContextTokens,GeneratedTokens\n{SECRET},1,2\n".encode(), "none of its 1 lines can be read as"),
        (b"TIMESTAMP,ContextTokens,GeneratedTokens\n", "data: holds no request"),
        (f'{{"input_length": "{SECRET}"}}\n'.encode(), "can be read as a request; the first is no number"),
        (b"0.00.1 I srv  update_slots: all slots are idle\n", "data: holds no request"),
    ],
)  # fmt: skip
def test_what_holds_nothing_is_told_in_one_line_without_a_word_of_it(tmp_path: Path, content: bytes, line: str) -> None:
    with pytest.raises(InputError) as error:
        list(read_traffic(put(tmp_path, content)).found)
    assert line in str(error.value)
    assert SECRET not in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_of_nothing_but_bad_lines_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "ALL_BAD", 5)
    path = put(tmp_path, "TIMESTAMP,ContextTokens,GeneratedTokens\n" + "x,1,2\n" * 10 + "2023-11-16 18:17:09,5,6\n")

    with pytest.raises(InputError, match="none of its first 5 lines can be read"):
        list(read_traffic(path).found)


@given(rows=ROWS, rubbish=st.lists(st.tuples(st.integers(0, 30), RUBBISH), max_size=6))
@settings(max_examples=60)
def test_whatever_stands_between_them_requests_are_read(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, int, int]], rubbish: list[tuple[int, str]]
) -> None:
    folder = tmp_path_factory.mktemp("f")
    lines = [json.dumps({"timestamp": at, "input_length": a, "output_length": b}) for at, a, b in rows]
    for place, text in rubbish:
        lines.insert(1 + place % len(lines), text)
    _, found = read(put(folder, "\n".join(lines)))

    kept = [row for row in found if isinstance(row, Row)]
    assert kept == [Row(None, a, b, at / 1000) for at, a, b in rows]
    assert len(found) - len(kept) == sum(1 for _, text in rubbish if text.strip())


@given(rows=ROWS)
@settings(max_examples=40)
def test_a_table_and_objects_tell_the_same(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, int, int]]
) -> None:
    folder, mapped = tmp_path_factory.mktemp("f"), mapping_of("time=t,input=a,output=b")
    table = put(folder, "t,a,b\n" + "".join(f"{at},{a},{b}\n" for at, a, b in rows), "table")
    objects = put(folder, "".join(json.dumps({"t": at, "a": a, "b": b}) + "\n" for at, a, b in rows), "objects")

    assert read(table, mapped)[1] == read(objects, mapped)[1]


@given(st.binary(max_size=300), st.sampled_from(sorted(FILES)), st.integers(0, 400))
@settings(max_examples=150)
def test_no_bytes_make_a_reader_stumble(
    tmp_path_factory: pytest.TempPathFactory, noise: bytes, kind: str, place: int
) -> None:
    whole = FILES[kind].encode()
    path = put(tmp_path_factory.mktemp("f"), whole[:place] + noise + whole[place:])

    found: list[object] = []
    with suppress(InputError):  # no other error
        found += read_traffic(path).found
    assert all(isinstance(one, (Row, Bad, Aside)) for one in found)
