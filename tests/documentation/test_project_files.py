"""Files that a forge and newcomers to the project expect."""

import json
import os
import re
import shutil
import subprocess
import tomllib

import pytest

from docs.generator.site import DOCS

ROOT = DOCS.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WORKFLOWS = [*sorted((ROOT / ".github" / "workflows").glob("*.yml")), DOCS / "recipes" / "ci" / "github-actions.yml"]


@pytest.mark.skipif(shutil.which("actionlint") is None, reason="needs actionlint: tox -e workflows")
@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_actionlint_finds_nothing_wrong_with_the_workflows(workflow: os.PathLike[str]) -> None:
    done = subprocess.run(["actionlint", workflow], capture_output=True, text=True, timeout=60)
    assert done.stdout + done.stderr == ""


def test_the_workflow_tests_every_python_that_the_package_names() -> None:
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    text = (ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    assert f"python: {json.dumps(named)}" in text


def test_the_citation_has_the_version_of_the_package() -> None:
    assert f"\nversion: {PROJECT['version']}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def test_what_the_workflows_run_is_in_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for workflow in WORKFLOWS:
        assert set(re.findall(r"run: make ([a-z-]+)", workflow.read_text("utf-8"))) <= targets


def test_contributing_lists_every_lane_of_tox_and_every_target_of_the_makefile() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    lanes = set(re.findall(r"^\[testenv:([\w-]+)\]", (ROOT / "tox.ini").read_text("utf-8"), re.MULTILINE))
    targets = set(re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(re.findall(r"^    tox -e ([\w-]+)", text, re.MULTILINE)) == lanes - {"lint", "types"}
    assert set(re.findall(r"^    make ([a-z-]+)", text, re.MULTILINE)) == targets


def test_every_extra_is_documented_with_what_it_brings() -> None:
    text = (DOCS / "reference" / "installing.md").read_text("utf-8")
    described = dict(re.findall(r"^\| `fakekafka\[(\w+)\]` \| ([^|]+) \|", text, re.MULTILINE))
    brought = {name: ", ".join(re.findall(r"^[\w-]+", "\n".join(wanted), re.MULTILINE)) for name, wanted in EXTRAS}
    assert described == brought


EXTRAS = PROJECT["optional-dependencies"].items()


def test_the_licences_of_what_is_derived_go_with_the_package() -> None:
    assert PROJECT["license-files"] == ["LICENSE", "NOTICE"]
    assert "The Apache Software Foundation" in (ROOT / "NOTICE").read_text("utf-8")


def test_the_readme_has_about_150_lines() -> None:
    assert 120 <= len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 165


@pytest.mark.parametrize(
    "name", ["SECURITY.md", "CODE_OF_CONDUCT.md", "CITATION.cff", "LICENSE", "NOTICE", "CHANGELOG.md"]
)
def test_a_file_that_people_look_for_is_there(name: str) -> None:
    assert (ROOT / name).read_text("utf-8").strip()
