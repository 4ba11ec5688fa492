"""The fingerprint: what it says of machine, engine and model, and that it says nothing of who and where."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from generator.collect.host.fingerprint import Subject, clean, fingerprint
from generator.collect.host.kernel_clock import Timex, kernel_clock, said
from generator.collect.host.machine import container, cpu_facts, memory_facts, numa_facts
from generator.collect.host.model_files import model_facts
from generator.collect.host.secrets import identity
from generator.collect.host.software import Said, engine_facts, python_facts
from tests.collect.host.fake_nvml import UUID, gpus

JO = identity(["jo", "gpu7"], ["/home/jo"])
KEY = "sk-geheim-4711-abcdef"
PLANTED = (
    KEY, "Zx81kQ0pW7vLm3Tn9RbY2sHd", "jo:geheim", "geheim", "gpu7", "/home/jo", "am86Z2VoZWlt", "hf_geheim12345", UUID,
    "10.20.30.40",
)  # fmt: skip

PROPS = {
    "default_generation_settings": {"n_ctx": 2048, "params": {}},
    "total_slots": 4,
    "model_path": "/home/jo/models/toy-q4.gguf",
    "chat_template": "{{ messages }}",
    "build_info": "b9010-d05fe1d7d",
}
TOLD = PROPS | {"model_ftype": f"Q4 {KEY}"}


def planted(folder: Path) -> Subject:
    return Subject(
        argv=[
            "/home/jo/venv/bin/vllm", "serve", "/home/jo/models/toy", "--api-key", KEY, f"--api-key={KEY}",
            "--hf-token", "hf_geheim12345", f"http://jo:geheim@gpu7.corp:80/v1?api_key={KEY}",
            "--header", "Authorization: Basic am86Z2VoZWlt", "Zx81kQ0pW7vLm3Tn9RbY2sHd", "--host", "10.20.30.40",
        ],
        environment={
            "VLLM_API_KEY": KEY, "OPENAI_API_KEY": KEY, "LLAMA_ARG_MODEL_URL": "https://jo:geheim@gpu7.corp/x.gguf",
            "GGML_NOTE": f"key is {KEY}", "CUDA_VISIBLE_DEVICES": UUID, "HOME": "/home/jo", "USER": "jo",
            "VLLM_CACHE_ROOT": "/home/jo/cache",
        },
        said=Said("vllm", f"gpu7: 0.11.0 token={KEY}", '{"version": "0.11.0"}', json.dumps(TOLD)),
        model_paths=[folder],
    )  # fmt: skip


def test_no_secret_no_name_and_no_home_comes_through(tmp_path: Path) -> None:
    (tmp_path / "jo.gguf").write_bytes(b"weights")
    text = json.dumps(fingerprint(planted(tmp_path), gpus({"nvmlDeviceGetName": "NVIDIA on gpu7"}), JO))
    assert [secret for secret in PLANTED if secret in text] == []
    assert re.search(r"\bjo\b", text) is None
    assert "--api-key" in text  # that there was one is no secret
    assert "NVIDIA on ***" in text


def test_what_the_fingerprint_says(tmp_path: Path) -> None:
    (tmp_path / "toy.gguf").write_bytes(b"weights")
    found = fingerprint(planted(tmp_path), gpus(), JO)
    assert list(found) == [
        "schema", "gpu", "machine", "python", "engine", "model_files", "argv", "environment",
    ]  # fmt: skip
    assert isinstance(found["argv"], list)
    assert found["argv"][:4] == ["~/venv/bin/vllm", "serve", "~/models/toy", "--api-key"]
    assert json.loads(json.dumps(found)) == found  # plain JSON, and no NaN


def test_every_text_is_struck_whatever_it_lies_in() -> None:
    odd = {"on gpu7": [("/home/jo/x", 1, None, True, 2.5)], "path": Path("/home/jo")}
    assert clean(odd, JO) == {"on ***": [["~/x", 1, None, True, 2.5]], "path": "~"}


def test_what_lies_too_deep_is_left_out() -> None:
    deep: object = "jo"
    for _ in range(30):
        deep = [deep]
    assert "jo" not in json.dumps(clean(deep, JO))


@pytest.mark.parametrize(
    ("engine", "version", "build", "commit"),
    [
        (Said("llamacpp", props_body=json.dumps(PROPS)), "b9010-d05fe1d7d", "9010", "d05fe1d7d"),
        (Said("llamacpp", "version: 9010 (d05fe1d7d)\nbuilt with cc"), "b9010-d05fe1d7d", "9010", "d05fe1d7d"),
        (Said("llamacpp", props_body='{"build_info": "b0-unknown"}'), "b0-unknown", None, None),
        (Said("vllm", version_body='{"version": "0.32.0"}'), "0.32.0", None, None),
        (Said("vllm", "INFO starting\n0.11.0\n"), "0.11.0", None, None),
        (Said("vllm", "0.11.1.dev12+gabc1234"), "0.11.1.dev12+gabc1234", None, "abc1234"),
        (Said("vllm", "command not found"), None, None, None),
        (Said("vllm", version_body="<html>", props_body="[" * 9999), None, None, None),
        (Said("vllm", version_body='{"version": 7}', props_body="[]"), None, None, None),
    ],
)
def test_engines_name_their_build(engine: Said, version: str | None, build: str | None, commit: str | None) -> None:
    found = engine_facts(engine)
    assert (found["version"], found["build"], found["commit"]) == (version, build, commit)


def test_of_the_props_slots_context_and_the_template_are_kept() -> None:
    found = engine_facts(Said("llamacpp", props_body=json.dumps(PROPS)))
    assert (found["slots"], found["slot_context"], found["model_file"]) == (4, 2048, "toy-q4.gguf")
    assert found["chat_template_sha256"] == hashlib.sha256(b"{{ messages }}").hexdigest()


def test_the_packages_that_measure_are_named() -> None:
    packages = python_facts()["packages"]
    assert isinstance(packages, dict)
    assert {"httpx", "numpy", "psutil"} <= packages.keys()


def test_a_small_file_is_hashed_whole(tmp_path: Path) -> None:
    (tmp_path / "toy.gguf").write_bytes(b"weights")
    digest = hashlib.sha256(b"weights").hexdigest()
    assert model_facts([tmp_path / "toy.gguf"]) == [
        {"name": "toy.gguf", "bytes": 7, "sha256": digest, "hashed": "whole"}
    ]


def test_a_large_file_is_hashed_by_its_ends_unless_asked_for(tmp_path: Path) -> None:
    mib = 2**20
    data = b"a" * mib + b"b" * 10 + b"c" * mib
    (tmp_path / "toy.gguf").write_bytes(data)
    ends, whole = (model_facts([tmp_path / "toy.gguf"], limit)[0] for limit in (1000, 10**9))
    expected = hashlib.sha256(b"a" * mib + str(len(data)).encode() + b"c" * mib).hexdigest()
    assert (ends["hashed"], ends["sha256"]) == ("ends", expected)
    assert (whole["hashed"], whole["sha256"]) == ("whole", hashlib.sha256(data).hexdigest())


def test_of_a_folder_the_files_of_a_model_are_taken(tmp_path: Path) -> None:
    for name in ("b.safetensors", "a.safetensors", "config.json", "notes.md", ".secret"):
        (tmp_path / name).write_text("x")
    assert [one["name"] for one in model_facts([tmp_path])] == ["a.safetensors", "b.safetensors", "config.json"]


def test_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    assert model_facts([tmp_path / "none.gguf"])[0]["unknown"] == "there is no such file"


CPUINFO = "processor\t: 0\nmodel name\t: Toy  CPU @ 2.0GHz\nflags\t\t: fpu avx2 avx512f hypervisor\n"


def machine(root: Path, **files: str) -> Path:
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def written(root: Path, files: dict[str, str]) -> Path:
    return machine(root, **{name.replace("/", "__"): text for name, text in files.items()})


def test_a_machine_of_which_much_is_known(tmp_path: Path) -> None:
    root = written(
        tmp_path,
        {
            "proc/cpuinfo": CPUINFO,
            "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "performance\n",
            "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor": "powersave\n",
            "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq": "3500000\n",
            "sys/fs/cgroup/cpu.max": "150000 100000\n",
            "sys/fs/cgroup/memory.max": "1073741824\n",
            "sys/devices/system/node/node0/cpulist": "0-1\n",
            "sys/devices/system/node/node0/meminfo": "Node 0 MemTotal:  1024 kB\n",
            "sys/devices/system/node/node10/cpulist": "2-3\n",
            "sys/devices/system/node/node2/cpulist": "",
            "sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never\n",
        },
    )
    cpu = cpu_facts(root)
    assert cpu["model"] == "Toy CPU @ 2.0GHz"
    assert (cpu["governors"], cpu["quota_cores"]) == ({"performance": 1, "powersave": 1}, 1.5)  # 150 000 of 100 000 µs
    assert (cpu["frequency_max_hz"], cpu["instructions"]) == (3_500_000_000, ["avx2", "avx512f"])
    assert cpu["virtual"] is True
    memory = memory_facts(root)
    assert (memory["limit_bytes"], memory["transparent_huge_pages"]) == (2**30, "madvise")
    nodes = numa_facts(root)
    assert nodes is not None
    assert [(node["node"], node["memory_bytes"]) for node in nodes] == [(0, 2**20), (2, None), (10, None)]


def test_a_machine_of_which_nothing_is_known(tmp_path: Path) -> None:
    cpu = cpu_facts(tmp_path)
    assert (cpu["governors"], cpu["quota_cores"], cpu["virtual"], cpu["frequency_max_hz"]) == (None,) * 4
    assert numa_facts(tmp_path) is None
    assert memory_facts(tmp_path)["limit_bytes"] is None


@pytest.mark.parametrize("limit", ["max 100000", "", "x y", "1 0"])
def test_no_quota_is_no_number(tmp_path: Path, limit: str) -> None:
    assert cpu_facts(written(tmp_path, {"sys/fs/cgroup/cpu.max": limit}))["quota_cores"] is None


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ({}, None),
        ({".dockerenv": ""}, "docker"),
        ({"run/.containerenv": ""}, "podman"),
        ({"proc/1/cgroup": "0::/kubepods/besteffort/pod1"}, "kubepods"),
        ({"proc/sys/kernel/osrelease": "5.15-microsoft-standard-WSL2"}, "wsl"),
    ],
)
def test_containers_are_told_by_what_they_leave(
    tmp_path: Path, files: dict[str, str], kind: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    assert container(written(tmp_path, files)) == kind


def test_a_clock_that_is_kept_has_an_error_in_seconds() -> None:
    # 250 000 ns and 1500 µs; without the flag of ns the offset counts in µs.
    assert said(Timex(offset=250_000, maxerror=1500, status=0x2001), 0) == {
        "synchronised": True,
        "offset_s": pytest.approx(0.00025),
        "greatest_error_s": pytest.approx(0.0015),
    }
    assert said(Timex(offset=250, maxerror=1500, status=0x1), 0)["offset_s"] == pytest.approx(0.00025)


def test_a_clock_that_nobody_keeps_has_none() -> None:
    assert said(Timex(maxerror=16, status=0x40), 0) == {"synchronised": False}
    assert said(Timex(), 5) == {"synchronised": False}


def test_the_kernel_is_asked_without_harm() -> None:
    found = kernel_clock()
    assert found is None or isinstance(found["synchronised"], bool)
