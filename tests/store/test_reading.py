from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import InputError
from generator.model import Level, Round
from generator.store.reading import list_rounds, read_round
from generator.values import Address, Observation, Source
from tests.support.bad_rounds import BAD_ROUNDS, BadRound
from tests.support.rounds import ALPHA_CSV, ALPHA_TOML, ROUND_TOML, places, write_round

BROKEN = [case for case in BAD_ROUNDS if case.expected is not None]
READABLE = [case for case in BAD_ROUNDS if case.expected is None]


def find(round_: Round, metric: str, series: str | None = None, level: str | None = None) -> Observation:
    found = [o for o in round_.observations if o.address.metric == metric]
    here = [o for o in found if (o.address.series, o.address.level) == (series, level)]
    [only] = [o for o in here if o.priority == min(one.priority for one in here)]
    return only


@pytest.fixture
def small(tmp_path: Path) -> Round:
    return read_round(write_round(tmp_path / "small"), places())


def test_the_id_is_the_name_of_the_folder(small: Round) -> None:
    assert small.id == "small"


def test_each_row_of_the_table_is_a_level_named_after_its_load(small: Round) -> None:
    assert small.series_by_id("beta").levels == (Level("c1", 1.0), Level("c8", 8.0), Level("c16", 16.0))


def test_a_cell_becomes_a_number_in_base_units_that_remembers_where_it_stood(small: Round) -> None:
    # 15.83 ms = 0.01583 s; two decimals typed; the header is line 1
    assert find(small, "itl_p50", "alpha", "c1") == Observation(
        Address("itl_p50", "level", "alpha", "c1"),
        value=0.01583,
        origin="transcribed",
        source=Source("alpha/published.csv", "line 2, column itl_p50_ms"),
        decimals=2,
    )


def test_zeros_that_were_typed_are_remembered(small: Round) -> None:
    # 548.0 tok/s and 63.40 s were typed
    assert find(small, "output_throughput", "beta", "c16").decimals == 1
    assert find(small, "duration", "beta", "c1").decimals == 2


def test_a_fact_becomes_a_number_of_its_series(small: Round) -> None:
    # 14.49 GiB = 14.49 × 1,073,741,824 B
    assert find(small, "weights_loaded", "alpha") == Observation(
        Address("weights_loaded", "series", "alpha"),
        value=14.49 * 1_073_741_824,
        origin="transcribed",
        source=Source("alpha/published.toml", "[memory] weights_gib"),
        decimals=2,
    )


def test_numbers_of_a_round_that_is_not_transcribed_are_reported(tmp_path: Path) -> None:
    folder = write_round(tmp_path / "r", toml=ROUND_TOML.replace('origin = "transcribed"\n', ""))
    assert {o.origin for o in read_round(folder, places()).observations} == {"reported", "declared", "assumed"}


def test_settings_are_declared(small: Round) -> None:
    # 1008 GB/s = 1008e9 B/s
    assert find(small, "memory_bandwidth") == Observation(
        Address("memory_bandwidth", "round"),
        value=1008e9,
        origin="declared",
        source=Source("round.toml", "[hardware] memory_bandwidth_gb_s"),
        decimals=0,
    )


def test_a_round_without_manifest_says_so(small: Round) -> None:
    assert small.integrity.status == "absent"


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case.name)
def test_what_cannot_be_used_is_refused_in_one_line(
    case: BadRound, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as refused:
        read_round(tmp_path / case.name, places())
    line = str(refused.value)
    assert str(case.expected) in line
    assert line.startswith(case.name)
    assert line.isprintable()


@pytest.mark.parametrize("case", READABLE, ids=lambda case: case.name)
def test_what_only_looks_odd_is_read(case: BadRound, tmp_path: Path) -> None:
    round_ = read_round(case.write(tmp_path), places())
    assert [level.id for level in round_.series_by_id("alpha").levels] == ["c1", "c8", "c16"]


@pytest.mark.parametrize("name", ["byte-order-mark", "crlf", "old-mac", "quoted-cells", "blanks-and-blank-lines"])
def test_the_way_a_table_is_written_does_not_touch_its_numbers(name: str, tmp_path: Path) -> None:
    case = next(case for case in READABLE if case.name == name)
    as_usual = read_round(write_round(tmp_path / "usual"), places())
    otherwise = read_round(case.write(tmp_path), places())
    assert [(o.address, o.value) for o in otherwise.observations] == [
        (o.address, o.value) for o in as_usual.observations
    ]


def test_a_blank_line_does_not_shift_the_lines_that_sources_name(tmp_path: Path) -> None:
    case = next(case for case in READABLE if case.name == "blanks-and-blank-lines")
    # header, c1, an empty line, c8
    source = find(read_round(case.write(tmp_path), places()), "duration", "alpha", "c8").source
    assert source.place == "line 4, column duration_s"


def test_no_completion_is_a_number_and_an_empty_cell_is_none(tmp_path: Path) -> None:
    case = next(case for case in READABLE if case.name == "zero-completions")
    round_ = read_round(case.write(tmp_path), places())
    assert find(round_, "completed", "alpha", "c8").value == 0
    assert not [o for o in round_.observations if o.address == Address("itl_p50", "level", "alpha", "c8")]


def test_one_output_token_is_read(tmp_path: Path) -> None:
    case = next(case for case in READABLE if case.name == "one-output-token")
    assert find(read_round(case.write(tmp_path), places()), "asked_output_tokens", "alpha", "c8").value == 1


def test_a_file_that_is_too_large_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = next(case for case in BROKEN if case.name == "200-mb-toml")
    folder = case.write(tmp_path)
    monkeypatch.setattr(Path, "open", lambda *_args, **_kwargs: pytest.fail("opened"))
    with pytest.raises(InputError, match="larger than 16 MiB"):
        read_round(folder, places())


def test_a_file_that_may_not_be_read_is_refused_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(path: Path, *_args: object, **_kwargs: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    folder = write_round(tmp_path / "locked")
    monkeypatch.setattr(Path, "open", deny)
    with pytest.raises(InputError, match=r"locked/round\.toml: cannot be read \(Permission denied\); check its perm"):
        read_round(folder, places())


@pytest.mark.parametrize("name", ["<script>", "a b", ".hidden", "x" * 81, "round\n"])
def test_a_folder_name_that_is_no_id_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be a round's id; rename it") as refused:
        read_round(write_round(tmp_path / name), places())
    assert str(refused.value).isprintable()


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere: there is no such folder; name the folder of a round"):
        read_round(tmp_path / "nowhere", places())


def test_the_current_folder_has_a_name_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_round(tmp_path / "here"))
    assert read_round(Path(), places()).id == "here"


def test_rounds_are_listed_as_a_person_would(tmp_path: Path) -> None:
    for name in ("round-10", "round-2", "Round-1", "round", "2024", ".hidden"):
        (tmp_path / name).mkdir()
    (tmp_path / "file").touch()
    listed = [path.name for path in list_rounds(tmp_path)]
    assert listed == ["2024", "Round-1", "round", "round-2", "round-10"]


def test_a_folder_of_rounds_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere: there is no such folder; name the folder of the rounds"):
        list_rounds(tmp_path / "nowhere")


def test_a_file_in_place_of_the_folder_of_rounds_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"file: cannot be read \(Not a directory\)"):
        list_rounds(tmp_path / "file")


FILES = {"round.toml": ROUND_TOML, "alpha/published.csv": ALPHA_CSV, "alpha/published.toml": ALPHA_TOML}


@settings(deadline=None)
@given(st.sampled_from(sorted(FILES)), st.binary(max_size=200))
def test_random_bytes_are_read_or_refused_in_one_line(file: str, content: bytes) -> None:
    assert what_is_said_of(file, content).isprintable()


@settings(deadline=None)
@given(st.sampled_from(sorted(FILES)), st.data())
def test_random_damage_is_read_or_refused_in_one_line(file: str, data: st.DataObject) -> None:
    good = FILES[file]
    start = data.draw(st.integers(0, len(good)))
    end = data.draw(st.integers(start, min(len(good), start + 20)))
    noise = data.draw(
        st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(["1e9999", '"', "\r", "[", "-"])
    )
    assert what_is_said_of(file, (good[:start] + noise + good[end:]).encode()).isprintable()


def what_is_said_of(file: str, content: bytes) -> str:
    """Return the error line of a round with one file replaced; empty where it is read."""
    with tempfile.TemporaryDirectory() as parent:
        folder = write_round(Path(parent) / "round")
        (folder / file).write_bytes(content)
        try:
            read_round(folder, places())
        except InputError as refused:
            return str(refused)
    return ""


# Folders


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("file", "file: is not a folder; name the folder of a round"),
        ("gone", "gone: there is no such folder; name the folder of a round"),
        ("to-nowhere", "to-nowhere: is a link to nowhere; name the folder of a round"),
        ("to-itself", "to-itself: cannot be read (Too many levels of symbolic links)"),
        ("to-elsewhere", "to-elsewhere: is a link that leads elsewhere; name the folder itself, or copy it"),
        ("two-cases", "two-cases: 'two-cases' and 'Two-Cases' differ in case alone; rename it"),
        ("aux.2", "aux.2: the name 'aux.2' is kept for a device on some systems; rename it"),
        (
            "a...b",
            "a...b: the name 'a...b' has ... in it, which stands between two rounds that are compared; rename it",
        ),
        ("diff", "diff: diff is the folder of the comparisons on the site; rename it"),
    ],
)
def test_what_is_no_folder_of_a_round_is_told_apart(
    name: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = tmp_path / "runs"
    write_round(tmp_path / "elsewhere")
    for folder in ("two-cases", "Two-Cases", "aux.2", "a...b", "diff"):
        write_round(runs / folder)
    (runs / "file").touch()
    (runs / "to-nowhere").symlink_to("nowhere")
    (runs / "to-itself").symlink_to("to-itself")
    (runs / "to-elsewhere").symlink_to("../elsewhere")
    monkeypatch.chdir(runs)
    with pytest.raises(InputError) as refused:
        read_round(Path(name), places())
    assert str(refused.value).startswith(line)


def test_links_that_cannot_be_followed_are_listed_to_be_refused(tmp_path: Path) -> None:
    write_round(tmp_path / "good")
    (tmp_path / "README.md").touch()
    (tmp_path / "to-nowhere").symlink_to("nowhere")
    (tmp_path / "to-itself").symlink_to("to-itself")
    assert [path.name for path in list_rounds(tmp_path)] == ["good", "to-itself", "to-nowhere"]


def test_a_link_to_another_round_of_the_folder_is_followed(tmp_path: Path) -> None:
    write_round(tmp_path / "round-1")
    (tmp_path / "latest").symlink_to("round-1")
    assert read_round(tmp_path / "latest", places()).id == "latest"


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (OSError(5, "Input/output error"), "Input/output error"),
        (RecursionError(), "RecursionError"),
        (MemoryError(), "MemoryError"),
    ],
)
def test_what_a_disk_does_to_a_reader_is_one_line(
    error: Exception, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise error

    monkeypatch.setattr("generator.store.reading.hash_data", failing)
    with pytest.raises(InputError, match=rf"r: cannot be read \({why}\); look for damaged or odd files in it"):
        read_round(write_round(tmp_path / "r"), places())


def test_a_mistake_of_ours_stays_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def mistaken(*_: object) -> None:
        raise KeyError("ours")

    monkeypatch.setattr("generator.store.reading.hash_data", mistaken)
    with pytest.raises(KeyError, match="ours"):
        read_round(write_round(tmp_path / "r"), places())
