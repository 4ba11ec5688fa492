"""Rounds as users break them: how each is made from a good one, and what must be said of it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.support.rounds import ALPHA_CSV, write_round
from tests.support.spoiling import (
    Spoil,
    append,
    edit,
    grow,
    grow_beyond_data,
    link_folder_out,
    link_out,
    link_prose_out,
    remove,
    single_brackets,
    swap,
    write,
)


@dataclass(frozen=True, slots=True)
class BadRound:
    """One way to break a round.

    Attributes:
        name: a name that can stand as the folder's.
        spoil: how it is done.
        expected: what the error line must contain: place, problem and remedy; None where the round still reads.
    """

    name: str
    spoil: Spoil
    expected: str | None

    def write(self, runs: Path) -> Path:
        """Write the broken round into a folder of rounds and return its folder."""
        folder = write_round(runs / self.name)
        self.spoil(folder)
        return folder


CSV: Final = "alpha/published.csv"
FACTS: Final = "alpha/published.toml"
ROUND: Final = "round.toml"
ROW: Final = "8,120,120,74.67,411.4,16.63"


def _runs_elsewhere(folder: Path) -> None:
    """Leave runs in a folder that no series is named after, and a series without data."""
    (folder / CSV).unlink()
    (folder / "alpah" / "levels").mkdir(parents=True)


def _row(new: str) -> Spoil:
    """Replace the row of level c8, which is line 3."""
    return edit(CSV, ROW, new)


def _cell(new: str) -> Spoil:
    """Replace the duration of level c8."""
    return _row(ROW.replace("74.67", new))


DURATION: Final = "alpha/published.csv, line 3, column duration_s: "

BAD_ROUNDS: Final = (
    # round.toml
    BadRound("no-round-toml", remove(ROUND), "no-round-toml: has no round.toml; write one"),
    BadRound("empty-round-toml", write(ROUND, ""), "round.toml: has no schema number; add schema = 1"),
    BadRound("no-schema", edit(ROUND, "schema = 1", ""), "round.toml: has no schema number; add schema = 1"),
    BadRound("newer-schema", edit(ROUND, "schema = 1", "schema = 2"), "schema: written by a newer Rounds; update"),
    BadRound("text-as-schema", edit(ROUND, "schema = 1", 'schema = "1"'), "schema: expected a whole number"),
    BadRound("not-toml", edit(ROUND, "layers = 28", "layers ="), "round.toml, line 11, column 9: not TOML: Invalid"),
    BadRound("deep-toml", write(ROUND, "x = " + "[" * 9000), "round.toml: not TOML: "),
    BadRound("long-number", edit(ROUND, "28", "9" * 5000), "round.toml: not TOML: "),
    BadRound("long-hex-number", edit(ROUND, "28", "0x" + "f" * 5000), "[model] layers: expected"),
    BadRound(
        "unknown-key",
        edit(ROUND, "memory_bandwidth_gb_s", "memory_bandwith_gb_s"),
        "round.toml, [hardware] memory_bandwith_gb_s: there is no such key; did you mean 'memory_bandwidth_gb_s'?",
    ),
    BadRound("unknown-table", edit(ROUND, "[workload]", "[worklaod]"), "worklaod: there is no such key; did you mean"),
    BadRound(
        "unknown-series-key",
        edit(ROUND, "weight_bytes = 14.14e9", "weigth_bytes = 14.14e9"),
        "[[series]] alpha, weigth_bytes: there is no such key; did you mean 'weight_bytes'?",
    ),
    BadRound(
        "missing-table", edit(ROUND, '[model]\nname = "Model"\n', "[model]\n"), "[model] name: is missing; add it"
    ),
    BadRound(
        "wrong-type",
        edit(ROUND, "memory_bandwidth_gb_s = 1008", 'memory_bandwidth_gb_s = "1008 GB/s"'),
        "[hardware] memory_bandwidth_gb_s: expected a number, found '1008 GB/s'; correct the value",
    ),
    BadRound("true-as-number", edit(ROUND, "layers = 28", "layers = true"), "[model] layers: expected a number"),
    BadRound("nan-setting", edit(ROUND, "layers = 28", "layers = nan"), "[model] layers: expected"),
    BadRound("infinite-setting", edit(ROUND, "= 1008", "= inf"), "[hardware] memory_bandwidth_gb_s: expected"),
    BadRound("zero-setting", edit(ROUND, "layers = 28", "layers = 0"), "[model] layers: expected a number above 0"),
    BadRound("no-title", edit(ROUND, 'title.zh = "两个引擎"\n', ""), "[round] title.zh: is missing; add it"),
    BadRound(
        "number-as-title", edit(ROUND, '"Two engines"', "2"), "[round] title.en: expected text in quotes, found 2"
    ),
    BadRound("number-as-date", edit(ROUND, "baseline", "date = 5\nbaseline"), "[round] date: expected a date or text"),
    BadRound("single-brackets", single_brackets, "[[series]]: expected a list, found a table; double the brackets"),
    BadRound(
        "strange-baseline",
        edit(ROUND, 'baseline = "alpha"', 'baseline = "gamma"'),
        "[round] baseline is 'gamma', which is no series; name one of alpha, beta",
    ),
    BadRound(
        "twin-series",
        edit(ROUND, 'id = "beta"', 'id = "alpha"'),
        "round.toml: [[series]] alpha stands there twice; give each series an id of its own",
    ),
    BadRound(
        "weights-twice",
        edit(ROUND, "weight_bytes = 14.14e9", "weight_bytes = 14.14e9\nweight_params = 7e9"),
        "[[series]] alpha: weight_bytes and weight_params × weight_dtype_bytes are both given; keep one",
    ),
    BadRound(
        "params-alone",
        edit(ROUND, "weight_bytes = 14.14e9", "weight_params = 7e9"),
        "[[series]] alpha: weight_params is given without weight_dtype_bytes; add the bytes of a weight",
    ),
    BadRound(
        "starts-of-others",
        edit(ROUND, 'id = "alpha"\n', 'id = "alpha"\nendpoint = "http://127.0.0.1:8000"\nstarts = 3\n'),
        "[[series]] alpha: starts and page_cache are of an engine that rounds collect starts, and there is only an "
        "endpoint; give its argv, or leave them out",
    ),
    BadRound(
        "script-as-series",
        edit(ROUND, 'id = "beta"', 'id = "<script>alert(1)</script>"'),
        "[[series]] <script>alert(1)</script>, id: expected letters, digits, dots, dashes and underscores, found '<scr",
    ),
    BadRound(
        "path-as-series",
        edit(ROUND, 'id = "beta"', 'id = "../../etc"'),
        "[[series]] ../../etc, id: expected letters, digits, dots, dashes and underscores, found '../../etc'",
    ),
    BadRound("line-break-in-id", edit(ROUND, 'id = "beta"', 'id = "beta\\n"'), "[[series]] beta\\n, id: expected"),
    BadRound("prose-as-series", edit(ROUND, 'id = "beta"', 'id = "prose"'), "[[series]] prose: prose is the folder"),
    BadRound(
        "level-of-nobody",
        append(ROUND, '[[level]]\nid = "c9"\ninput_tokens = 5\n'),
        "round.toml, [[level]] c9: no series that it speaks of has this level; add it to the data of the series, or",
    ),
    BadRound(
        "level-of-a-stranger",
        append(ROUND, '[[level]]\nid = "c8"\nseries = ["gamma"]\n'),
        "round.toml, [[level]] c8: there is no series gamma; name one of alpha, beta",
    ),
    BadRound("level-twice", append(ROUND, '[[level]]\nid = "c8"\n' * 2), "[[level]] c8: says again what an earlier"),
    BadRound("series-in-two-cases", edit(ROUND, 'id = "beta"', 'id = "ALPHA"'), "'alpha' and 'ALPHA' differ in case"),
    BadRound("device-as-series", edit(ROUND, 'id = "beta"', 'id = "con.v2"'), "'con.v2' is kept for a device on some"),
    BadRound("dot-at-the-end", edit(ROUND, 'id = "beta"', 'id = "beta."'), "'beta.' ends in a dot, which some systems"),
    BadRound(
        "level-of-another-load",
        append(ROUND, '[[level]]\nid = "c8"\nseries = ["beta"]\nconcurrency = 9\n'),
        "[[level]] c8: concurrency is 9 here and 8 in the data of beta; correct one of them",
    ),
    BadRound(
        "deep-keys", append(ROUND, "x." * 9000 + "x = 1\n"), "tables or keys are nested too deep; use the keys of"
    ),
    BadRound("deep-header", append(ROUND, "[" + "x." * 9000 + "x]\n"), "tables or keys are nested too deep"),
    BadRound("deep-tables", append(ROUND, "[" + "x." * 30 + "x]\n"), "tables or keys are nested too deep"),
    BadRound("deep-quoted-keys", append(ROUND, '"x" . ' * 9000 + "x = 1\n"), "tables or keys are nested too deep"),
    BadRound("vanishing-setting", edit(ROUND, "= 1008", "= 1e-400"), "round.toml: the number '1e-400' cannot be read"),
    # published.csv: the file
    BadRound(
        "folder-of-another-name",
        lambda folder: (folder / "alpha").rename(folder / "alpah"),
        "series alpha has no data, and no series is named after the folder 'alpah'; give both the same name",
    ),
    BadRound(
        "runs-of-another-name",
        _runs_elsewhere,
        "series alpha has no data, and no series is named after the folder 'alpah'; give both the same name, or take",
    ),
    BadRound(
        "series-without-data",
        remove("alpha"),
        "alpha/published.csv: series alpha has no data; write alpha/published.csv or remove the series",
    ),
    BadRound("empty-csv", write(CSV, ""), "alpha/published.csv: is empty; write a header"),
    BadRound("blank-csv", write(CSV, "\n\n  \n"), "alpha/published.csv: is empty; write a header"),
    BadRound(
        "header-only", write(CSV, "concurrency\n"), "alpha/published.csv: has a header and no rows; write one row"
    ),
    BadRound("200-mb", swap(CSV, grow), "alpha/published.csv: is larger than 16 MiB; check that it is the right file"),
    BadRound("200-mb-toml", swap(ROUND, grow), "round.toml: is larger than 16 MiB; check"),
    BadRound(
        "latin-1", write(CSV, ALPHA_CSV.encode() + b"\xe9"), "published.csv, line 5: byte 0xe9 is not UTF-8; save"
    ),
    BadRound("utf-16", write(CSV, ALPHA_CSV.encode("utf-16")), "published.csv, line 1: byte 0xff is not UTF-8; save"),
    BadRound("folder-as-csv", swap(CSV, Path.mkdir), "published.csv: is a folder where a file should be; replace it"),
    BadRound("fifo-as-csv", swap(CSV, os.mkfifo), "published.csv: is not a regular file; replace it"),
    BadRound("link-out", swap(CSV, link_out), "published.csv: is a link that leads out of the round's folder; copy"),
    BadRound("folder-link-out", link_folder_out, "published.csv: is a link that leads out of the round's folder; copy"),
    BadRound(
        "link-to-nowhere", swap(CSV, lambda p: p.symlink_to("nowhere")), "published.csv: series alpha has no data"
    ),
    BadRound("ring-of-links", swap(CSV, lambda p: p.symlink_to(p.name)), "published.csv: cannot be read"),
    # published.csv: the header and the shape of rows
    BadRound(
        "misspelt-header",
        edit(CSV, "itl_p50_ms", "itl_p50"),
        "published.csv, line 1, column 6: there is no column 'itl_p50'; did you mean 'itl_p50_ms'?",
    ),
    BadRound(
        "header-twice", edit(CSV, "completed", "requests"), "line 1, column 3: the column requests is there twice"
    ),
    BadRound("semicolons", write(CSV, ALPHA_CSV.replace(",", ";")), "line 1: the header is one cell; separate"),
    BadRound("cut-csv", write(CSV, ALPHA_CSV[:-12]), "line 4: the row ends after 5 of 6 cells; complete the row"),
    BadRound(
        "open-quote", _cell('"74.67'), "published.csv, line 3: not CSV: unexpected end of data; correct the quotes"
    ),
    BadRound(
        "no-load", _row(",120,120,74.67,411.4,16.63"), "line 3: the row has neither a concurrency nor a rate; fill"
    ),
    BadRound("zero-load", _row("0,120,120,74.67,411.4,16.63"), "line 3, column concurrency: the load is 0; write"),
    BadRound(
        "level-twice-in-csv", _row("16,1,1,1,1,1"), "line 4: the level c16 is there twice, first in line 3; remove"
    ),
    BadRound("too-many-rows", append(CSV, "1,1,1,1,1,1\n" * 201), "more than 200 rows; keep the levels that"),
    # published.csv: the cells
    BadRound("thousands-quoted", _cell('"4,138"'), DURATION + "'4,138' has a thousands separator; write 4138"),
    BadRound("thousands-bare", _cell("4,138"), "line 3: 7 cells under a header of 6; write numbers without thousands"),
    BadRound("thousands-underscore", _cell("4_138"), DURATION + "'4_138' has a thousands separator; write 4138"),
    BadRound("nan", _cell("NaN"), DURATION + "'NaN' is not a finite number; leave the cell empty"),
    BadRound("infinity", _cell("-Infinity"), DURATION + "'-Infinity' is not a finite number; leave the cell empty"),
    BadRound("dash", _cell("—"), DURATION + "'—' is not a number; leave the cell empty"),
    BadRound("hex", _cell("0x10"), DURATION + "'0x10' is not a plain decimal number; write digits and a point"),
    BadRound(
        "full-width", _cell("\uff17\uff14"), DURATION + "'\uff17\uff14' is not a plain decimal number; write digits"
    ),
    BadRound("decimal-comma", _cell('"74,67"'), DURATION + "'74,67' is not a plain decimal number; write digits"),
    BadRound("percent", _cell("19.8%"), DURATION + "'19.8%' is not a plain decimal number; write digits"),
    BadRound("formula", _cell("=1+1"), DURATION + "'=1+1' is not a plain decimal number; write digits"),
    BadRound("negative-time", _cell("-74.67"), DURATION + "'-74.67' is negative; write a number not below 0"),
    BadRound("enormous", _cell("1e400"), DURATION + "'1e400' is above 1e+18; check the number and its unit"),
    BadRound("control-characters", _cell("\x1b[31m\u202e7"), DURATION + r"'\x1b[31m\u202e7' is not a plain decimal"),
    BadRound("vanishing", _cell("1e-400"), DURATION + "'1e-400' is too near 0 to be told from it; write 0, or check"),
    BadRound(
        "load-without-a-name",
        _row("2e15,120,120,74.67,411.4,16.63"),
        "line 3, column concurrency: '2e15' is too large to name a level after; check the number, or add a level",
    ),
    BadRound("nul-character", _cell("\0"), "published.csv, line 3"),
    BadRound("long-cell", _cell("9" * 100_000), DURATION + "'" + "9" * 60 + "…' is above 1e+18"),
    BadRound("longest-cell", _cell("9" * 200_000), "published.csv, line 3: not CSV: field larger than field limit"),
    BadRound(
        "script-as-level",
        write(CSV, "level,concurrency\n<script>,1\n"),
        "line 2, column level: the level id '<script>' is not letters, digits, dots, dashes and underscores; write",
    ),
    # published.toml
    BadRound(
        "unknown-fact",
        edit(FACTS, "weights_gib", "weight_gib"),
        "alpha/published.toml, [memory] weight_gib: there is no such key; did you mean 'weights_gib'?",
    ),
    BadRound(
        "unknown-fact-table", edit(FACTS, "[memory]", "[memroy]"), "[memroy]: there is no such table; did you mean"
    ),
    BadRound("fact-without-table", write(FACTS, "memory = 5"), "[memory]: expected a table, found 5; write [memory]"),
    BadRound("text-as-fact", edit(FACTS, "14.49", '"14.49"'), "[memory] weights_gib: expected a number, found '14.49'"),
    BadRound("true-as-fact", edit(FACTS, "14.49", "true"), "[memory] weights_gib: expected a number, found true;"),
    BadRound(
        "nan-fact", edit(FACTS, "14.49", "nan"), "[memory] weights_gib: expected a number from 0 to 1e+18, found N"
    ),
    BadRound(
        "negative-fact",
        edit(FACTS, "14.49", "-1"),
        "[memory] weights_gib: expected a number from 0 to 1e+18, found -1",
    ),
    BadRound("enormous-fact", edit(FACTS, "14.49", "1e999"), "[memory] weights_gib: expected a number from 0 to 1e+18"),
    BadRound("vanishing-fact", edit(FACTS, "14.49", "1e-400"), "published.toml: the number '1e-400' cannot be read"),
    BadRound(
        "exponent-without-end",
        edit(FACTS, "14.49", "1e9999999999999999999999"),
        "published.toml: the number '1e9999999999999999999999' cannot be read; check its exponent",
    ),
    BadRound("deep-facts", append(FACTS, "x." * 9000 + "x = 1\n"), "published.toml, line 4: tables or keys are nested"),
    BadRound("fact-not-toml", edit(FACTS, "= 14.49", ""), "alpha/published.toml, line 2, column 13: not TOML: "),
    # MANIFEST.json
    BadRound(
        "broken-manifest", write("MANIFEST.json", "{"), "MANIFEST.json: is not a manifest that Rounds wrote; restore"
    ),
    BadRound(
        "newer-manifest",
        write("MANIFEST.json", '{"schema": 2, "tool": "rounds 9", "files": {}}'),
        "MANIFEST.json, schema: written by a newer Rounds; update",
    ),
    BadRound("newest-manifest", write("MANIFEST.json", '{"schema": 9, "hashes": []}'), "schema: written by a newer"),
    BadRound(
        "schema-0-manifest", write("MANIFEST.json", '{"schema": 0, "tool": "", "files": {}}'), "is not a manifest"
    ),
    BadRound("huge-data", swap(CSV, grow_beyond_data), "is larger than 16 MiB"),
    BadRound("huge-log", lambda folder: grow_beyond_data(folder / "run.log"), "run.log: is larger than 4 GiB; move it"),
    # prose
    BadRound(
        "prose-link-out", link_prose_out, "prose: is a link that leads out of the round's folder; copy the folder"
    ),
    # What looks odd and is fine.
    BadRound("byte-order-mark", write(CSV, b"\xef\xbb\xbf" + ALPHA_CSV.encode()), None),
    BadRound("crlf", write(CSV, ALPHA_CSV.replace("\n", "\r\n")), None),
    BadRound("old-mac", write(CSV, ALPHA_CSV.replace("\n", "\r")), None),
    BadRound("quoted-cells", _cell('"74.67"'), None),
    BadRound("blanks-and-blank-lines", _row(f"\n {ROW.replace(',', ' , ')} \n,,,,,"), None),
    BadRound("zero-completions", _row("8,120,0,74.67,,"), None),
    BadRound("more-completed-than-sent", _row("8,120,121,74.67,411.4,16.63"), None),
    BadRound("one-output-token", edit(ROUND, "output_tokens = 256", "output_tokens = 1"), None),
    BadRound("no-facts", remove(FACTS), None),
    BadRound("empty-facts", write(FACTS, ""), None),
    BadRound("no-baseline", edit(ROUND, 'baseline = "alpha"\n', ""), None),
    BadRound("link-inside", swap(CSV, lambda p: p.symlink_to("../beta/published.csv")), None),
)
"""Every case; the folders of a whole set can lie beside good rounds."""
