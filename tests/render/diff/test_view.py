from __future__ import annotations

from collections.abc import Mapping

from generator.comparing.held import hold
from generator.comparing.records import SettingStatus
from generator.render.diff.shown import SettingView
from tests.comparing.two_rounds import DECLARED
from tests.support.held_rounds import FAST, held, of_levels, seen, swapped, warned
from tests.support.machines import machine
from tests.support.odd_rounds import ANALYSES


def test_what_stands_out_is_shown_and_the_rest_is_counted() -> None:
    view = seen(held())
    assert [row.address.metric for row in view.loud] == ["output_throughput"]
    assert [row.address.metric for row in view.quiet] == ["itl_p50"]
    assert [(one.label, one.number) for one in view.tallies] == [("▼ worse", 1), ("≈ same", 1)]


def test_the_sentences_on_top_say_who_decided() -> None:
    view = seen(held())
    assert view.primary == "Primary metric: output throughput (default setting). Verdict: "
    assert view.margin == "Equivalence margin: ±5.0% (default setting)."
    assert (view.gate, seen(swapped(held())).gate) == ("worse", "better")


def test_rounds_without_a_common_level_have_no_rows_and_say_so() -> None:
    view = seen(of_levels({"c1": FAST}, {"c8": FAST}))
    assert (view.standing, view.rows) == ("Not comparable", ())
    assert view.reasons[0] == "The rounds share no level of the same load."


def test_a_round_against_itself_is_identical() -> None:
    known = {**FAST, "ttft_p50": (0.1, 0.11, 0.12)}  # of fewer numbers, trials could be alike by chance
    view = seen(of_levels({"c8": known}, {"c8": known}))
    assert {row.label for row in view.rows} == {"= identical"}
    assert (view.gate, view.loud) == ("the same", ())


def test_zero_and_failed_sides_are_states_of_their_own() -> None:
    nought = seen(held({"output_throughput": (0.0,)}, {"output_throughput": (10.0,)}))
    assert [row.label for row in nought.rows] == ["0 one side is zero"]
    lost = {"requests": (10.0,), "completed": (0.0,), "output_throughput": (0.1,)}
    fine = {"requests": (10.0,), "completed": (10.0,), "output_throughput": (10.0,)}
    labels = {row.address.metric: row.label for row in seen(held(lost, fine)).rows}
    assert labels["output_throughput"] == "! one failed"
    assert {row.label for row in seen(held(fine, lost)).rows if row.address.metric == "output_throughput"} == {
        "! other failed"
    }


def test_settings_stand_apart_by_what_they_are_and_how_they_compare() -> None:
    ran = [machine({"gpu.driver": one}, engine="vLLM", flags=[("--max-num-seqs", "8")]) for one in ("1", "2")]
    view = seen(held(machines=(ran[0], ran[1])))

    def paths(found: Mapping[SettingStatus, tuple[SettingView, ...]], status: SettingStatus) -> list[str]:
        return [one.path for one in found[status]]

    assert paths(view.fingerprint, "different") == ["gpu.driver"]
    assert "flag.--max-num-seqs" in paths(view.configuration, "equal")
    assert paths(view.configuration, "unknown") == []
    assert (view.fingerprint["different"][0].base, view.fingerprint["different"][0].head) == ("1", "2")


def test_a_flaw_is_told_by_both_sides() -> None:
    (flaw,) = seen(held(findings=(warned(),))).flaws
    assert (flaw.fate, flaw.series, flaw.head) == ("? not checkable in other", "a", None)
    assert flaw.base is not None
    assert (flaw.base.message, flaw.base.anchor) == ("something is odd with a", "checks.html#finding-1")


def test_methods_are_named_with_what_they_assume() -> None:
    ((name, assumed, rows),) = seen(held()).methods
    assert (name, rows) == ("Welch t", 2)
    assert "independent" in assumed


def test_how_far_rows_can_be_trusted_is_counted() -> None:
    ((grade, means, rows),) = seen(held()).grades
    assert (grade, means, rows) == ("A", "three trials or more on both sides", 2)


def test_single_runs_say_on_top_that_nothing_is_concluded() -> None:
    single = seen(held({"itl_p50": (0.010,)}, {"itl_p50": (0.012,)}))
    assert single.reasons[-1].startswith("Each round has a single run")
    assert not any("one run" in one for one in seen(held()).reasons)


def test_findings_are_counted_by_what_became_of_them() -> None:
    view = seen(held(findings=(warned(),)))
    (of_base,) = view.flaw_groups
    assert [(one.label, one.number) for one in of_base.fates] == [("? not checkable in other", 1)]
    assert (of_base.key, of_base.title) == ("flaws_of_base", "1 finding of one, and what became of it")


def test_findings_of_the_head_alone_stand_apart() -> None:
    (of_head,) = seen(swapped(held(findings=(warned(),)))).flaw_groups
    assert (of_head.key, of_head.title) == ("flaws_of_head", "1 finding that warned or failed only in one")


def test_how_floors_are_counted_is_a_group_of_its_own() -> None:
    view = seen(hold(ANALYSES["round-1"](), ANALYSES["round-2"](), DECLARED))

    assert [one.path for one in view.floors["different"]] == ["floor.weights", "floor.embedding"]
    elsewhere = [one.path for found in (view.configuration, view.fingerprint) for of in found.values() for one in of]
    assert not [path for path in elsewhere if path.startswith("floor.")]
    assert view.is_predicted_otherwise
    assert not seen(held()).is_predicted_otherwise


def test_what_confounds_all_rows_is_told_once_above_them() -> None:
    ran = [machine({"gpu.driver": one, "gpu.cuda": one}, engine="vLLM", flags=[]) for one in ("1", "2")]
    base, head = ({"output_throughput": (n,), "itl_p50": (1 / n,)} for n in (100.0, 50.0))
    view = seen(held(base, head, machines=(ran[0], ran[1])))

    shared = view.shared_grounds(view.loud)
    assert [one for one in shared if "driver" in one and "CUDA" in one]
    assert all(set(shared) <= set(row.why) for row in view.loud)
    assert view.shared_grounds(view.loud[:1]) == ()
