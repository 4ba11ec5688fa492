from __future__ import annotations

from dataclasses import replace

from generator.comparing.held import hold
from generator.render.diff.rows import RowView
from generator.text import Text
from generator.told.findings import Finding
from generator.told.sentence import say
from tests.comparing.two_rounds import DECLARED
from tests.support.held_rounds import FAST, held, seen, swapped
from tests.support.machines import machine


def row_of(view_rows: tuple[RowView, ...], metric: str) -> RowView:
    return next(one for one in view_rows if one.address.metric == metric)


def test_a_row_of_trials_prints_means_interval_chance_and_number_of_trials() -> None:
    found = row_of(seen(held()).rows, "output_throughput")
    # Geometric means: (100 × 101 × 99)^⅓ = 99.997, (80 × 81 × 79)^⅓ = 79.996; −20.0 %.
    assert (found.base.text, found.head.text, found.change) == ("100", "80.0", "−20.0%")
    assert (found.difference, found.unit, found.n) == ("−20.0", "tok/s", "3 / 3")
    assert (found.label, found.looks, found.method) == ("▼ worse", "fail", "Welch t")
    assert found.threshold == "±5.0%"
    assert found.interval.startswith("−")
    assert found.is_primary


def test_the_numbers_of_a_single_run_lead_to_their_derivation_and_means_do_not() -> None:
    single = held({"itl_p50": (0.010,)}, {"itl_p50": (0.012,)})
    assert row_of(seen(single).rows, "itl_p50").base.anchor is not None
    assert row_of(seen(held()).rows, "itl_p50").base.anchor is None


def test_swapping_the_rounds_mirrors_a_row() -> None:
    found = row_of(seen(swapped(held())).rows, "output_throughput")
    assert (found.base.text, found.head.text, found.change, found.label) == ("80.0", "100", "+25.0%", "▲ better")


def test_failures_are_printed_as_counts_with_the_exact_chance() -> None:
    base = {"requests": (320.0,), "failed": (8.0,)}
    found = row_of(seen(held(base, {"requests": (320.0,), "failed": (1.0,)})).rows, "failed")
    assert (found.base.text, found.head.text, found.p) == ("8/320", "1/320", "0.0377")
    assert (found.label, found.threshold) == ("△ possibly better", "—")
    assert found.change == "—"  # eight and one are counts, and no per cent


def test_a_confounded_row_names_what_changed_and_what_may_have() -> None:
    ran = [machine({"gpu.driver": driver, **more}, engine="vLLM", flags=[("--max-num-seqs", slots)])
           for driver, slots, more in (("1", "32", {"gpu.cuda": "12"}), ("2", "64", {}))]  # fmt: skip
    found = row_of(seen(held(machines=(ran[0], ran[1]))).rows, "output_throughput")
    assert found.label == "◇ confounded"
    assert found.why[0] == "confounded by driver, parallel slots (--max-num-seqs)"
    assert found.why[1] == "not recorded, may also have changed: CUDA"


def test_trials_that_find_nothing_say_what_they_could_have_found() -> None:
    noisy = {"output_throughput": (100.0, 120.0, 80.0)}
    found = row_of(seen(held(noisy, {"output_throughput": (101.0, 121.0, 79.0)})).rows, "output_throughput")
    assert found.state == "noise"
    assert found.why[-1].startswith("Trials like these are likely to detect only differences of about ")


def test_an_unknown_side_is_a_dash_and_has_no_count() -> None:
    found = row_of(seen(held(FAST, {"output_throughput": (80.0, 81.0, 79.0)})).rows, "itl_p50")
    assert (found.head.text, found.change, found.label, found.n) == ("—", "—", "− only in one", "3 / —")


def test_an_adjusted_chance_is_named_as_such() -> None:
    base = {"requests": (320.0,), "failed": (8.0,), "ttft_p50": (0.1, 0.11, 0.12), "itl_p50": (0.010, 0.0101, 0.0099)}
    head = {**base, "failed": (1.0,)}
    # Of two rows with a p that are not the primary metric's: 0.0377 × 2.
    assert "adjusted)" in row_of(seen(held(base, head)).rows, "failed").p


def test_a_row_of_a_level_that_is_spoilt_says_which_round_and_which_check() -> None:
    found = held()
    finding = Finding("x", "fail", say(zh="坏", en="bad"), "a", ("c8",), spoils=("c8",))
    spoilt = replace(found.head, spoilt={("a", "c8"): finding}, titles={"x": Text(zh="掉档", en="Dips")})
    rows = seen(hold(found.base, spoilt, DECLARED)).rows
    assert "In other this level failed a self-check: Dips." in row_of(rows, "output_throughput").why
