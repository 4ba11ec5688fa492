from __future__ import annotations

import pytest

from generator.runs.imported import Reported, Run, description, differences


def requests(number: float) -> tuple[Reported, ...]:
    return (Reported("requests", "num_prompts", "1", number),)


def test_a_description_holds_what_is_no_result() -> None:
    run = Run(
        "toy",
        model="acme/M",
        engine="vllm",
        swept={"max_num_seqs": "4"},
        summary={"date": "20260301-120000", "model_id": "acme/M", "num_prompts": 8, "backend": "openai",
                 "duration": 2.5, "cached": True, "label": None},
        reported=requests(8.0),
    )  # fmt: skip

    assert description(run) == {
        "tool": "toy", "model": "acme/M", "engine": "vllm", "requests": "8",  # attributes, and the requests attempted
        "backend": "openai", "cached": "true", "max_num_seqs": "4",  # settings
        "duration": "",  # a number: by its name alone
    }  # fmt: skip


def test_the_version_of_the_tool_is_part_of_the_description() -> None:
    assert description(Run("toy", tool_version="2.1")) == {"tool": "toy", "tool version": "2.1"}


@pytest.mark.parametrize("name", ["latency.ttft.p99.9", "mean_ttft_ms", "ttft.avg", "Latency max"])
def test_statistics_that_only_one_client_printed_make_no_other_configuration(name: str) -> None:
    few, many = description(Run("toy", summary={"n": 1})), description(Run("toy", summary={"n": 1, name: 2.0}))
    assert differences([few, many]) == {}


@pytest.mark.parametrize("name", ["date", "start_time", "run_id", "seed", "first_sent_mono_ns", "Date"])
def test_what_differs_from_run_to_run_is_no_part_of_it(name: str) -> None:
    assert description(Run("toy", summary={name: "1"})) == {"tool": "toy"}


def test_texts_that_differ_are_told() -> None:
    runs = [
        {"engine": "vllm", "version": "1"},
        {"engine": "sglang", "version": "1"},
        {"engine": "vllm", "version": "1"},
    ]
    assert differences(runs) == {"engine": ("sglang", "vllm")}


def test_of_numbers_the_amounts_are_not_compared() -> None:
    one, other = (description(Run("toy", summary={"duration": seconds})) for seconds in (2.0, 3.0))
    assert differences([one, other]) == {}


def test_what_only_some_have_differs_where_they_share_all_else() -> None:
    plain = {"tool": "toy", "duration": ""}
    assert differences([plain, plain | {"spec_drafts": ""}]) == {"spec_drafts": ()}
    assert differences([plain, plain | {"variant": "b"}]) == {"variant": ("b",)}


def test_files_of_two_forms_are_not_compared_by_what_they_lack() -> None:
    # A printed table and a JSON file name everything differently.
    assert differences([{"tool": "toy", "Benchmark duration": ""}, {"tool": "toy", "duration": ""}]) == {}


@pytest.mark.parametrize("name", ["p90_ttft_ms", "std_itl_ms", "server_preemptions", "model", "requests"])
def test_further_results_of_the_same_run_are_no_difference(name: str) -> None:
    assert differences([{"tool": "toy"}, {"tool": "toy", name: "x"}]) == {}


def test_one_run_differs_from_nothing() -> None:
    assert differences([{"engine": "vllm"}]) == differences([]) == {}
