"""FINDINGS.md is true: each of its blocks shows the defect, wherever that version of the client is."""

import ast
import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import fakekafka
import pytest
from fakekafka_compat.environments import default_cache
from fakekafka_compat.findings import Finding, finding_of, read_findings
from fakekafka_compat.table import default_table, read_table
from fakekafka_spark.observations import Cell

FINDINGS = read_findings(default_table().with_name("FINDINGS.md"))
CLIENTS = read_table(default_table()).clients.values()
each_finding = pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: finding.title)


def python_with(library: str, wanted: str) -> Path | None:
    """This Python, or that of an environment that `fakekafka-compat run` has made."""
    try:
        if version(library) == wanted:
            return Path(sys.executable)
    except PackageNotFoundError:
        pass
    names = [client.name for client in CLIENTS if (client.library, client.version) == (library, wanted)]
    places = (place for name in names for place in default_cache().glob(f"{name}-{wanted}-python3.1[1-9]-*/bin/python"))
    return next(places, None)


@each_finding
def test_a_finding_shows_what_it_says(finding: Finding) -> None:
    assert finding.reproduction is not None
    python = python_with(*finding.client)
    if python is None:
        pytest.skip(f"{' '.join(finding.client)} is not installed here, and has no environment of Python 3.11 or later")
    where = str(Path(fakekafka.__file__).parent.parent)
    done = subprocess.run(
        [python, "-W", "ignore", "-c", finding.reproduction],
        env={**os.environ, "PYTHONPATH": where},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, f"it may be mended in the client, or broken in fakekafka:\n{done.stderr}"


@each_finding
def test_a_finding_names_a_client_of_the_table_and_uses_only_public_names(finding: Finding) -> None:
    assert finding.client in {(client.library, client.version) for client in CLIENTS}
    imports = [node for node in ast.walk(ast.parse(finding.reproduction or "")) if isinstance(node, ast.ImportFrom)]
    ours = [node for node in imports if (node.module or "").startswith("fakekafka")]
    assert {node.module for node in ours} == {"fakekafka"}
    assert {alias.name for node in ours for alias in node.names} <= set(fakekafka.__all__)


def test_sections_and_bullets_outside_of_sections_are_findings(tmp_path: Path) -> None:
    path = tmp_path / "FINDINGS.md"
    path.write_text(
        "# Found\n\n- `a/*`: it forgets\n- `b/*`\n\n## lib 1.0: it lies\n\nText.\n\n- `c/1`\n- `c/2`: more\n\n"
        "```python\nassert True\n```\n\n## Not of a client\n",
        "utf-8",
    )
    assert read_findings(path) == [
        Finding("it forgets", ("a/*",)),
        Finding("b/*", ("b/*",)),
        Finding("lib 1.0: it lies", ("c/1", "c/2"), "assert True\n"),
        Finding("Not of a client", ()),
    ]
    assert [finding.client for finding in read_findings(path)[2:]] == [("lib", "1.0"), ("", "")]
    assert read_findings(tmp_path / "none") == []


def test_a_cell_is_known_by_its_name_or_by_a_pattern() -> None:
    findings = [Finding("one", ("kp147/2.3/-/-/none/seek",)), Finding("two", ("kp147/*/group", "ck161/*"))]
    cell = Cell.of("kp147", "2.3", "", "", "none", "group")
    assert finding_of(cell, findings) == findings[1]
    assert finding_of(Cell.of("kp147", "2.3", "", "", "none", "seek"), findings) == findings[0]
    assert finding_of(Cell.of("kp147", "2.3", "", "", "gzip", "seek"), findings) is None
