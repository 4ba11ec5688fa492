from __future__ import annotations

from tests.support.held_rounds import FAST, held, of_levels, seen, swapped
from tests.support.machines import machine


def test_what_is_worse_is_named_and_the_rest_counted() -> None:
    assert seen(held()).summary == (
        "1 row is worse: a C=8 output throughput (−20.0%). No row is better. Of the other rows, 1 is the same."
    )
    assert seen(held(), "zh").summary == ("1 行变差：a C=8 输出吞吐（−20.0%）。没有变好的行。其余各行中，1 行相同。")


def test_what_is_better_is_named_too() -> None:
    # 100 ÷ 80 − 1
    assert "No row is worse. 1 row is better: a C=8 output throughput (+25.0%)." in seen(swapped(held())).summary


def test_at_most_three_rows_are_named() -> None:
    levels = {f"c{load}": {"output_throughput": (100.0, 101.0, 99.0)} for load in (1, 2, 4, 8)}
    slow = {name: {"output_throughput": (80.0, 81.0, 79.0)} for name in levels}
    told = seen(of_levels(levels, slow)).summary
    assert told.count("output throughput") == 3
    assert told.startswith("4 rows are worse: ")
    assert "(−20.0%) and others. No row is better." in told


def test_confounded_rows_say_how_many_settings_changed() -> None:
    ran = [machine({"gpu.driver": one}, engine="vLLM", flags=[("-c", one)]) for one in ("1", "2")]
    told = seen(held(machines=(ran[0], ran[1]))).summary
    assert told.startswith(
        "No change between the rounds can be attributed to the engine. Of the 2 rows that both rounds"
    )
    assert "confounded by 2 settings changed together" in told  # the driver and -c


def test_rows_of_one_round_alone_are_no_part_of_what_could_be_compared() -> None:
    # Both rounds have the throughput, the base alone the TTFT.
    known = {"output_throughput": (100.0, 101.0, 99.0)}
    told = of_levels(
        {"c8": {**known, "ttft_p50": (0.1, 0.11, 0.12)}}, {"c8": {"output_throughput": (100.5, 101.0, 99.0)}}
    )
    assert seen(told).summary == (
        "No change between the rounds can be attributed to the engine. "
        "Of the 1 row that both rounds have, 1 is the same; 1 further row exists in one round only."
    )
    assert seen(told, "zh").summary == (
        "两轮之间没有任何变化可以归因于引擎。两轮都有的 1 行里，1 行相同；另有 1 行只有一轮有。"
    )


def test_rounds_that_say_nothing_of_each_other_say_so() -> None:
    known = {**FAST, "ttft_p50": (0.1, 0.11, 0.12)}
    assert seen(of_levels({"c8": known}, {"c8": known})).summary == (
        "Both rounds are the same data, so there is nothing to compare."
    )
    apart = of_levels({"c1": FAST}, {"c8": FAST})
    assert seen(apart).summary == "The rounds cannot be compared, so no row has a verdict."
    assert seen(apart, "zh").summary == "两轮不可比，没有一行有判定。"
