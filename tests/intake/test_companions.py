"""``rounds import`` of what was recorded beside runs: where it goes, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from generator.cli import main
from generator.store.documents import LONGEST_LINE
from generator.store.files import move_new

RESULT: Final[dict[str, Any]] = {
    "date": "20260301-120000", "backend": "vllm", "model_id": "acme/Small-1B", "num_prompts": 4, "request_rate": "inf",
    "max_concurrency": 2, "duration": 2.0, "completed": 4, "failed": 0, "request_throughput": 2.0,
}  # fmt: skip
GPU: Final = (
    "timestamp, index, power.draw [W], memory.used [MiB]\n"
    "2026/03/01 12:00:00.000, 0, 100.0 W, 1000 MiB\n2026/03/01 12:00:01.000, 0, 140.0 W, 1000 MiB\n"
)
LOG: Final = (
    "INFO 03-01 12:00:00 [api.py:1] args: --api-key sk-abcdefghijklmn --host gpu-7.acme.internal\n"
    "INFO 03-01 12:00:01 [kv_cache_utils.py:634] GPU KV cache size: 1,024 tokens\n"
)


def page(total: int) -> str:
    return f"# TYPE vllm:prompt_tokens counter\nvllm:prompt_tokens_total{{model_name=\"m\"}} {total}.0\n"  # fmt: skip


def rounds(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments], catch_exceptions=False)


@pytest.fixture
def into(tmp_path: Path) -> Path:
    path = tmp_path / "r.json"
    path.write_text(json.dumps(RESULT), encoding="utf-8")
    folder = tmp_path / "runs" / "mine"
    assert rounds("import", path, "--into", folder, "--series", "ours").exit_code == 0
    return folder


def written(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_gpu_samples_go_where_they_are_read(tmp_path: Path, into: Path) -> None:
    done = rounds("import", written(tmp_path, "telemetry.txt", GPU), "--into", into, "--series", "ours")

    assert (done.exit_code, done.stdout.splitlines()) == (
        0,
        ["telemetry.txt -> ours/gpu.csv", "0 runs imported, 1 file put beside a series, 0 files refused"],
    )
    values = json.loads(rounds("analyse", into, "--format", "json").stdout)["values"]
    # (100 + 140) ÷ 2 W
    assert [v["value"] for v in values if v["metric"] == "gpu_power_mean_of_series"] == [120.0]


def test_a_log_loses_what_must_not_be_published(tmp_path: Path, into: Path) -> None:
    done = rounds("import", written(tmp_path, "out.txt", LOG), "--into", into, "--series", "ours")

    assert done.stdout.splitlines()[0] == "out.txt -> ours/server.log"
    kept = (into / "ours/server.log").read_text(encoding="utf-8")
    assert "GPU KV cache size: 1,024 tokens\n" in kept
    assert not [word for word in ("sk-abc", "gpu-7") if word in kept]


def test_two_pages_of_metrics_are_before_and_after(tmp_path: Path, into: Path) -> None:
    pages = [written(tmp_path, "first.txt", page(100)), written(tmp_path, "then.txt", page(350))]
    done = rounds("import", *pages, "--into", into, "--series", "ours")

    assert done.stdout.splitlines()[:2] == [
        "first.txt -> ours/metrics-before.prom",
        "then.txt -> ours/metrics-after.prom",
    ]
    assert rounds("analyse", into).exit_code == 0


def test_two_pages_that_a_shell_put_in_order_of_their_names_are_turned_around(tmp_path: Path, into: Path) -> None:
    pages = [written(tmp_path, "after.prom", page(350)), written(tmp_path, "before.prom", page(100))]
    done = rounds("import", *pages, "--into", into, "--series", "ours")

    assert done.stdout.splitlines()[:2] == [
        "before.prom -> ours/metrics-before.prom",
        "after.prom -> ours/metrics-after.prom",
    ]


def test_lines_picked_out_of_a_page_are_one_all_the_same(tmp_path: Path, into: Path) -> None:
    pages = [written(tmp_path, f"{n}.txt", page(n).splitlines()[1]) for n in (3, 7)]
    done = rounds("import", *pages, "--into", into, "--series", "ours")

    assert done.stdout.splitlines()[0] == "3.txt -> ours/metrics-before.prom"


def test_pages_by_a_name_that_is_read_keep_it(tmp_path: Path, into: Path) -> None:
    pages = [written(tmp_path, f"metrics-{n}.prom", page(n)) for n in (7, 3)]
    done = rounds("import", *pages, "--into", into, "--series", "ours")

    assert done.stdout.splitlines()[:2] == [f"metrics-{n}.prom -> ours/metrics-{n}.prom" for n in (7, 3)]


def test_results_and_what_lies_beside_them_may_come_at_once(tmp_path: Path) -> None:
    files = [written(tmp_path, "a.csv", GPU), written(tmp_path, "r.json", json.dumps(RESULT))]
    done = rounds("import", *files, "--into", tmp_path / "new", "--series", "s")

    assert (done.exit_code, done.stdout.splitlines()[:2]) == (0, ["r.json -> s/levels/c2/1", "a.csv -> s/gpu.csv"])


@pytest.mark.parametrize(
    ("text", "series", "why"),
    [
        (GPU, (), "is GPU samples, which belongs beside the runs of a series; say whose with --series"),
        (GPU, ("--series", "theirs"), "has no series 'theirs' that it could belong to; import its results first, or"),
        (GPU.splitlines()[0], ("--series", "ours"), "holds no sample"),
        (LOG, (), "is the log of a server, which belongs beside"),
        (page(5), ("--series", "ours"), "is one page of /metrics: what counters grew by takes the page before and"),
    ],
)  # fmt: skip
def test_what_belongs_nowhere_is_refused(
    tmp_path: Path, into: Path, text: str, series: tuple[str, ...], why: str
) -> None:
    done = rounds("import", written(tmp_path, "x.txt", text), "--into", into, *series)

    assert done.exit_code == 1
    assert why in done.stderr
    assert [path.name for path in (into / "ours").iterdir()] == ["levels"]


def test_nothing_is_overwritten_and_the_rest_still_goes(tmp_path: Path, into: Path) -> None:
    gpu, log = written(tmp_path, "a.csv", GPU), written(tmp_path, "b.log", LOG)
    rounds("import", gpu, "--into", into, "--series", "ours")
    done = rounds("import", gpu, log, "--into", into, "--series", "ours")

    assert "a.csv: would be ours/gpu.csv, which is there already" in done.stderr
    assert done.stdout.splitlines()[0] == "b.log -> ours/server.log"


def test_a_page_without_a_counter_that_is_known_would_break_the_round(tmp_path: Path, into: Path) -> None:
    pages = [written(tmp_path, name, "# TYPE mine counter\nmine 5\n") for name in ("1.txt", "2.txt")]
    done = rounds("import", *pages, "--into", into, "--series", "ours")

    assert "without a counter that is known" in done.stderr
    assert rounds("analyse", into).exit_code == 0


def test_a_trace_with_times_is_no_samples(tmp_path: Path, into: Path) -> None:
    trace = written(tmp_path, "trace.csv", "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.979,4808,10\n")
    done = rounds("import", trace, "--into", into, "--series", "ours")

    assert "looks like a trace of requests to be replayed" in done.stderr


def test_each_file_without_a_series_is_named(tmp_path: Path, into: Path) -> None:
    done = rounds("import", written(tmp_path, "a.csv", GPU), written(tmp_path, "b.log", LOG), "--into", into)

    assert [line.rpartition("/")[2][:5] for line in done.stderr.splitlines()] == ["a.csv", "b.log"]


def test_pages_go_together_or_not_at_all(tmp_path: Path, into: Path) -> None:
    pages = [written(tmp_path, "first.txt", page(100)), written(tmp_path, "then.txt", "# TYPE mine counter\nmine 5\n")]
    done = rounds("import", *pages, "--into", into, "--series", "ours")

    assert "then.txt: is a page of /metrics without a counter that is known" in done.stderr
    assert [path.name for path in (into / "ours").iterdir()] == ["levels"]


def test_what_was_moved_is_taken_back_where_the_next_page_cannot_be(
    tmp_path: Path, into: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: Path, target: Path) -> None:
        if target.name == "metrics-after.prom":
            raise OSError(28, "No space left on device")
        move_new(source, target)

    monkeypatch.setattr("generator.intake.companions.move_new", full)
    pages = [written(tmp_path, "first.txt", page(100)), written(tmp_path, "then.txt", page(350))]
    done = rounds("import", *pages, "--into", into, "--series", "ours")

    assert "No space left on device" in done.stderr
    assert [path.name for path in into.rglob("*.prom")] == []


def test_an_import_that_was_cut_off_between_two_pages_is_completed_by_the_next(tmp_path: Path, into: Path) -> None:
    pages = [written(tmp_path, "first.txt", page(100)), written(tmp_path, "then.txt", page(350))]
    (into / "ours/metrics-before.prom").write_text(page(100), encoding="utf-8")
    done = rounds("import", *pages, "--into", into, "--series", "ours")

    assert (done.exit_code, done.stderr) == (0, "")
    assert rounds("analyse", into).exit_code == 0


def test_of_pages_that_are_there_already_none_is_replaced(tmp_path: Path, into: Path) -> None:
    pages = [written(tmp_path, "first.txt", page(100)), written(tmp_path, "then.txt", page(350))]
    (into / "ours/metrics-before.prom").write_text(page(90), encoding="utf-8")
    done = rounds("import", *pages, "--into", into, "--series", "ours")

    assert "first.txt: would be ours/metrics-before.prom, which is there already" in done.stderr
    assert [path.name for path in into.rglob("*.prom")] == ["metrics-before.prom"]


def test_two_pages_of_one_name_are_not_taken_for_one(tmp_path: Path, into: Path) -> None:
    pages = []
    for folder, total in (("a", 100), ("b", 350)):
        (tmp_path / folder).mkdir()
        pages.append(written(tmp_path / folder, "metrics-0.prom", page(total)))
    done = rounds("import", *pages, "--into", into, "--series", "ours")

    assert "b/metrics-0.prom: would be ours/metrics-0.prom, which is there already" in done.stderr
    assert [path.name for path in into.rglob("*.prom")] == []


def test_no_secret_is_cut_in_two_by_the_length_of_a_line(tmp_path: Path, into: Path) -> None:
    # The password begins within the bound of a line and ends behind it.
    long = f"request {'x' * (LONGEST_LINE - len('request  http://ann:pass'))} http://ann:password@acme.internal/v1"
    done = rounds("import", written(tmp_path, "b.log", f"{long}\n{LOG}"), "--into", into, "--series", "ours")

    assert done.stdout.splitlines()[0] == "b.log -> ours/server.log (1 line cut after 65536 characters)"
    first, *rest = (into / "ours/server.log").read_text(encoding="utf-8").splitlines()
    assert first.endswith("x …")
    assert len(rest) == len(LOG.splitlines())
