"""The workflow that publishes the site: it is well-formed, asks for no more than it needs, and runs what there is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PAGES = ROOT / ".github" / "workflows" / "pages.yml"
PINNED = re.compile(r"actions/[a-z-]+@v[0-9]+")


@pytest.fixture(scope="module")
def workflow() -> dict[Any, Any]:
    found = yaml.safe_load(PAGES.read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def steps(workflow: dict[Any, Any], job: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = workflow["jobs"][job]["steps"]
    return found


def test_each_job_may_do_what_it_needs_and_no_more(workflow: dict[Any, Any]) -> None:
    assert workflow["permissions"] == {"contents": "read"}
    assert workflow["jobs"]["build"]["permissions"] == {"contents": "read", "pages": "read"}
    assert workflow["jobs"]["deploy"]["permissions"] == {"pages": "write", "id-token": "write"}


def test_actions_are_of_a_pinned_major_version(workflow: dict[Any, Any]) -> None:
    used = [step["uses"] for job in workflow["jobs"] for step in steps(workflow, job) if "uses" in step]
    assert [one.partition("@")[0].rpartition("/")[2] for one in used] == [
        "checkout", "setup-python", "configure-pages", "upload-pages-artifact", "deploy-pages",
    ]  # fmt: skip
    assert all(PINNED.fullmatch(one) for one in used)


def test_the_site_is_built_for_its_address_and_that_folder_is_uploaded(workflow: dict[Any, Any]) -> None:
    built = steps(workflow, "build")
    (make,) = [step for step in built if step.get("run", "").startswith("make ")]
    names = {step["id"] for step in built if "id" in step}
    # Handed over as a variable: an expression in the command itself would be read by the shell.
    assert make["run"] == "make site"
    assert make["env"] == {"BASE_URL": "${{ steps.pages.outputs.base_url }}"}
    assert "pages" in names
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^site:", makefile, re.MULTILINE)
    assert re.search(r"^BASE_URL \?=", makefile, re.MULTILINE)
    (out,) = re.findall(r"^OUT\s+\?= (\S+)$", makefile, re.MULTILINE)
    (upload,) = [step for step in built if "upload" in step.get("uses", "")]
    assert upload["with"]["path"] == out
    assert workflow["jobs"]["deploy"]["needs"] == "build"


def test_the_citation_of_the_tool_is_of_this_version() -> None:
    told = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert told["cff-version"] == "1.2.0"
    assert f'version = "{told["version"]}"' in project
    assert f'license = "{told["license"]}"' in project
    assert told["authors"]
