from __future__ import annotations

from generator.render.files.figures import absent, alt_text, csv_text, table_rows
from tests.support.analyses import printer
from tests.support.trace_figures import traced


def test_the_csv_has_a_row_for_each_point_also_of_what_is_not_drawn() -> None:
    lines = csv_text(traced(), printer("en")).splitlines()

    assert lines[0] == "series,level,trial,quantity,x,x_unit,y,y_unit"
    assert len(lines) == 1 + 2 + 4 + 2 + 2 + 2
    assert "vllm-bf16,c64,,requests running,5,s,64,1" in lines
    assert lines[-1] == "vllm-bf16,c8,,KV pool use,6,s,93.5,%"


def test_the_table_has_a_row_for_each_run() -> None:
    table = table_rows(traced(), printer("en"))

    assert len(table.rows) == 4
    assert len(table.headings) == 3  # series, level, and the one value that sums a run up


def test_the_alt_text_tells_of_each_run_that_is_drawn() -> None:
    text = alt_text(traced(), printer("en"))

    assert "C=8: output throughput 411" in text
    assert "C=64" not in text
    assert alt_text(traced(), printer("zh")).endswith("。")


def test_all_series_are_there() -> None:
    assert absent(traced()) is None
