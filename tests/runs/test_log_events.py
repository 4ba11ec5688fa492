from __future__ import annotations

import numpy as np

from generator.runs.log_events import EventTable


def test_some_rows_of_a_table_keep_all_that_is_told_of_them() -> None:
    table = EventTable(
        np.array([3, 7, 9]),
        np.array([0.3, 0.7, 0.9]),
        np.array([30.0, 70.0, 90.0]),
        {"tokens": np.array([1.0, 2.0, 3.0])},
        {"version_text": ("a", "b", "c")},
    )

    some = table.rows(np.array([True, False, True]))

    assert (some.lines.tolist(), some.clock.tolist(), some.own.tolist()) == ([3, 9], [0.3, 0.9], [30.0, 90.0])
    assert some.columns["tokens"].tolist() == [1, 3]
    assert some.texts["version_text"] == ("a", "c")
    assert len(some) == 2
